"""Writes the zip file of diagnostics: private, whole or not at all, and never over another without leave."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec


class BundleError(Exception):
    """It could not be made; the text holds no secret."""


class Contents(msgspec.Struct, frozen=True):
    """What goes in: a fixed name each, and its text. `is_clean`: whether a text may leave the shop."""

    members: Mapping[str, str]
    is_clean: Callable[[str], bool]


def named() -> str:
    """A name for a new one: the time it is made, and nothing of the shop."""
    return f"pos-app-diagnostics-{datetime.now():%Y%m%d-%H%M%S}.zip"


def pack(contents: Contents, path: Path, *, force: bool = False) -> tuple[str, ...]:
    """Writes it, 0600; the names of what is in it. A link at `path` is replaced, never followed.

    Raises BundleError, also when one of the texts is not clean after all: then nothing is written.
    """
    # Loaded here: slow to load, and few starts write files.
    import tempfile

    for name, text in contents.members.items():
        if not contents.is_clean(text):
            raise BundleError(f"{name} would hold a secret: nothing was written; tell the makers of the till")
    try:
        descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                _write(contents.members, file)
                file.flush()
                os.fsync(file.fileno())
            _place(Path(beside), path, force=force)
        finally:
            Path(beside).unlink(missing_ok=True)
    except FileExistsError:
        raise BundleError(f"{path} is there already; --force replaces it") from None
    except OSError as error:
        raise BundleError(f"{path} cannot be written: {error.strerror}") from error
    return tuple(contents.members)


def _write(members: Mapping[str, str], file: object) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]
        for name, text in members.items():
            archive.writestr(name, text.encode("utf-8", "backslashreplace"))


def _place(beside: Path, path: Path, *, force: bool) -> None:
    if force:
        beside.replace(path)
        return
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links, as on most USB sticks.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        beside.replace(path)
