"""Writes changed settings into a file, comments kept."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_app.settings.errors import Problem, SettingsError
from pos_app.settings.load import problem_of
from pos_app.settings.model import BY_NAME
from pos_app.system.atomic_file import write_whole


def write_settings(path: Path, changes: Mapping[str, Any]) -> None:
    """Puts flat keys ("gateway.base_url") into the file; makes it, readable by all, if it is missing.

    Raises OSError, and SettingsError for values that would be refused when read, or a file that is not TOML.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    _check(changes)
    # A link stays one: somebody keeps the file elsewhere.
    path = path.resolve()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        document = tomlkit.parse(path.read_text("utf-8-sig") if path.exists() else "")
        for name, value in changes.items():
            section, _, key = name.partition(".")
            if section not in document:
                document[section] = tomlkit.table()
            document[section][key] = _toml(value)
        text = tomlkit.dumps(document)
    except (TOMLKitError, UnicodeDecodeError, TypeError) as error:
        problem = Problem(str(path), "", "is not TOML: mend it by hand, or move it away")
        raise SettingsError((problem,)) from error
    write_whole(path, text.encode(), mode=stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644)


def _check(changes: Mapping[str, Any]) -> None:
    problems = []
    for name, value in changes.items():
        key = BY_NAME[name]
        text = problem_of(key, list(value) if isinstance(value, tuple) else value)
        if text:
            problems.append(Problem("settings", name, text, key.example))
    if problems:
        raise SettingsError(tuple(problems))


def _toml(value: Any) -> Any:
    import tomlkit

    if isinstance(value, Decimal):
        return tomlkit.parse(f"x = {value:f}")["x"]
    return list(value) if isinstance(value, tuple) else value
