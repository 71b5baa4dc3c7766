"""Writes changed settings into a file, comments kept, replaced in one step so that a power cut leaves one or
the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any


def write_settings(path: Path, changes: Mapping[str, Any]) -> None:
    """Puts flat keys ("gateway.base_url") into the file; makes it if it is missing. Raises OSError."""
    import tomlkit

    text = path.read_text("utf-8") if path.exists() else ""
    document = tomlkit.parse(text)
    for name, value in changes.items():
        section, _, key = name.partition(".")
        if section not in document:
            document[section] = tomlkit.table()
        plain = tomlkit.parse(f"x = {value}")["x"] if isinstance(value, Decimal) else value
        document[section][key] = list(plain) if isinstance(plain, tuple) else plain
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, tomlkit.dumps(document).encode(), 0o644)


def replace_file(path: Path, data: bytes, mode: int) -> None:
    """Writes beside the file, syncs, and takes its place."""
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(mode)
        Path(beside).replace(path)
    except OSError:
        Path(beside).unlink(missing_ok=True)
        raise
