"""Reads the places settings come from into flat keys, each with where it stood. Judges no value."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import msgspec

from pos_app.settings.errors import Problem
from pos_app.settings.keys import BY_NAME, SECTIONS

ENVIRONMENT_PREFIX = "POS_APP_"
OTHER_VARIABLES = frozenset({"POS_APP_CONFIG", "POS_APP_SECRETS_FILE", "POS_APP_DATA_DIR"})
MOST_BYTES = 256 * 1024


class Found(msgspec.Struct, frozen=True):
    """A value and where it stood."""

    value: Any
    source: str
    line: int = 0


def from_file(path: Path, problems: list[Problem]) -> dict[str, Found]:
    """The keys of a TOML file. What is wrong with the file as such goes to `problems`."""
    name = path.name
    try:
        data = path.read_bytes()
    except OSError as error:
        problems.append(Problem(name, "", f"cannot be read: {error.strerror}"))
        return {}
    text = _decoded(name, data, problems)
    if text is None:
        return {}
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, InvalidOperation, RecursionError) as error:
        place = re.search(r"line (\d+)", str(error))
        problems.append(Problem(name, "", f"is not TOML: {error}", line=int(place[1]) if place else 0))
        return {}
    found: dict[str, Found] = {}
    for section, content in document.items():
        if section not in SECTIONS or not isinstance(content, dict):
            example = f"[{SECTIONS[0]}]"
            problems.append(Problem(name, section, "is not a section here", example, line_of(text, section)))
            continue
        for key, value in content.items():
            full = f"{section}.{key}"
            line = line_of(text, key, section)
            if full in BY_NAME:
                found[full] = Found(value, name, line)
            else:
                problems.append(Problem(name, full, "is not a setting", _nearest(full), line))
    return found


def _decoded(name: str, data: bytes, problems: list[Problem]) -> str | None:
    if len(data) > MOST_BYTES:
        problems.append(Problem(name, "", f"is larger than {MOST_BYTES // 1024} KiB"))
        return None
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        problems.append(Problem(name, "", "is not UTF-8 text: save it as UTF-8"))
        return None


def _nearest(full: str) -> str:
    import difflib

    close = difflib.get_close_matches(full, BY_NAME, 1, 0)
    return close[0] if close else ""


def line_of(text: str, key: str, section: str = "") -> int:
    """The line a key (or, without a section, a section) stands on; 0 when it cannot be told."""
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        heading = re.match(r"\[\s*\"?([^\]\"]+)\"?\s*\]", stripped)
        if heading:
            inside = heading[1].strip()
            if not section and inside == key:
                return number
        bare = re.match(r"\"?([A-Za-z0-9_.-]+)\"?\s*=", stripped)
        if bare and bare[1] == key and inside == section:
            return number
    return 0


def from_environment(variables: Mapping[str, str], problems: list[Problem]) -> dict[str, Found]:
    """POS_APP_GATEWAY_BASE_URL and the like; texts, to be read as the key's type."""
    known = {ENVIRONMENT_PREFIX + name.replace(".", "_").upper(): name for name in BY_NAME}
    found: dict[str, Found] = {}
    for variable, value in variables.items():
        if variable in known:
            name = known[variable]
            found[name] = Found(from_text(name, value), variable)
        elif variable.startswith(ENVIRONMENT_PREFIX) and variable not in OTHER_VARIABLES:
            problems.append(Problem(variable, "", "is not a setting", "POS_APP_GATEWAY_BASE_URL"))
    return found


def from_text(name: str, value: str) -> Any:
    """A text of the environment or the command line as its key's type; unreadable text stays text."""
    wanted = BY_NAME[name].type
    if wanted is int and re.fullmatch(r"-?[0-9]{1,18}", value):
        return int(value)
    if wanted is Decimal and re.fullmatch(r"[0-9]{1,18}(\.[0-9]{1,6})?", value):
        return Decimal(value)
    if wanted is bool and value in ("true", "false"):
        return value == "true"
    if wanted is list:
        return value.split("\x1f") if value else []
    return value
