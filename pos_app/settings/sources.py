"""Reads the places settings come from into flat keys, each with where it stood."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import msgspec

from pos_app.settings.errors import Problem
from pos_app.settings.model import BY_NAME, SECTIONS
from pos_app.system.file_permissions import problem_of_standing
from pos_app.system.plain_file import NotPlainError, open_plain

ENVIRONMENT_PREFIX = "POS_APP_"
OTHER_VARIABLES = frozenset({"POS_APP_CONFIG", "POS_APP_SECRETS_FILE", "POS_APP_DATA_DIR", "POS_APP_RUN_DIR"})
MOST_BYTES = 256 * 1024
_LOCKS_EXAMPLE = '["gateway", "shop.currency"]'


class Found(msgspec.Struct, frozen=True):
    """A value and where it stood."""

    value: Any
    source: str
    line: int = 0


SITE = "site"
"""The section of the site file that says what this machine may not do: change what it has `locked`, or play."""


class SiteRules:
    """What a site file says of the machine it lies on. Filled by reading it."""

    def __init__(self) -> None:
        self.locked: set[str] = set()
        """Keys that nobody here may change."""
        self.sandbox = True
        """Whether the sandbox and the course may run here."""


def from_file(path: Path, problems: list[Problem], rules: SiteRules | None = None) -> dict[str, Found]:
    """The keys of a TOML file. What is wrong with the file as such goes to `problems`.

    `rules`: given for a site file alone, takes what it says of its machine.
    """
    name = str(path)
    text = _text(path, problems)
    document = _document(name, text, problems) if text is not None else None
    if text is None or document is None:
        return {}
    if rules is not None and SITE in document:
        _read_rules(name, text, document.pop(SITE), rules, problems)
    found: dict[str, Found] = {}
    for section, content in document.items():
        if section not in SECTIONS or not isinstance(content, dict):
            example = f"[{SECTIONS[0]}]"
            problems.append(Problem(name, section, "is not a section here", example, line_of(text, section)))
            continue
        for key, value in content.items():
            full = f"{section}.{key}"
            line = line_of(text, full)
            if full in BY_NAME:
                found[full] = Found(value, name, line)
            else:
                problems.append(Problem(name, full, "is not a setting", _nearest(full), line))
    return found


def _read_rules(name: str, text: str, said: Any, rules: SiteRules, problems: list[Problem]) -> None:
    known = {"locked": _LOCKS_EXAMPLE, "sandbox": "false"}
    unknown = [key for key in said if key not in known] if isinstance(said, dict) else [""]
    for key in unknown:
        full = f"{SITE}.{key}".rstrip(".")
        problems.append(Problem(name, full, "is not known here", "sandbox = false", line_of(text, full)))
    if isinstance(said, dict):
        rules.locked |= _locks(name, text, said.get("locked", []), problems)
        allowed = said.get("sandbox", True)
        rules.sandbox = allowed is True
        if not isinstance(allowed, bool):
            full = f"{SITE}.sandbox"
            problems.append(
                Problem(name, full, "must be true or false", known["sandbox"], line_of(text, full))
            )


def _locks(name: str, text: str, listed: Any, problems: list[Problem]) -> set[str]:
    """Each item is a key, or a section for all of its keys."""
    full = f"{SITE}.locked"
    line = line_of(text, full) or line_of(text, SITE)
    locked: set[str] = set()
    if not isinstance(listed, list):
        problems.append(Problem(name, full, "must be a list of keys", _LOCKS_EXAMPLE, line))
        return locked
    for item in listed:
        keys = {key for key in BY_NAME if item in (key, key.partition(".")[0])}
        if not keys:
            problems.append(Problem(name, full, f"names no setting: {item!r}", _LOCKS_EXAMPLE, line))
        locked |= keys
    return locked


def _text(path: Path, problems: list[Problem]) -> str | None:
    name = str(path)
    try:
        with open_plain(path) as file:
            problem = problem_of_standing(path, file.fileno())
            # A bound before reading: a mistaken path may have no end.
            data = b"" if problem else file.read(MOST_BYTES + 1)
    except NotPlainError:
        # A pipe is read once, and nobody knows when; the till reads anew what F10 wrote.
        problems.append(Problem(name, "", "is not a plain file"))
        return None
    except (OSError, ValueError) as error:
        problems.append(Problem(name, "", f"cannot be read: {getattr(error, 'strerror', None) or error}"))
        return None
    if problem:
        problems.append(Problem(name, "", problem))
        return None
    if len(data) > MOST_BYTES:
        problems.append(Problem(name, "", f"is larger than {MOST_BYTES // 1024} KiB"))
        return None
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        problems.append(Problem(name, "", "is not UTF-8 text: save it as UTF-8"))
        return None
    return text


def _document(name: str, text: str, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        problems.append(Problem(name, "", "is not TOML: too deeply nested"))
    except (ValueError, InvalidOperation) as error:
        place = re.search(r"line (\d+)", str(error))
        line = int(place[1]) if place else 0
        twice = "overwrite" in str(error) or "twice" in str(error)
        why = "a key or section stands twice" if twice else f"is not TOML: {error}"
        problems.append(Problem(name, "", why, '[shop] on one line, name = "Corner Shop" on the next', line))
    return None


def _nearest(full: str) -> str:
    import difflib

    close = difflib.get_close_matches(full, BY_NAME, 1, 0)
    return close[0] if close else ""


_HEADING = re.compile(r"\[{1,2}([^\[\]]+)\]{1,2}")
_KEY = re.compile(
    r"((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)


def line_of(text: str, name: str) -> int:
    """The line a section or a key ("shop.name") stands on; 0 when it cannot be told.

    Of a key inside a table on one line, that line.
    """
    inside, outer = "", 0
    # As an editor counts: a comment may hold a line separator that ends no line of the file.
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if heading := _HEADING.match(stripped):
            inside = full = _plain(heading[1])
        elif key := _KEY.match(stripped):
            full = f"{inside}.{_plain(key[1])}".removeprefix(".")
        else:
            continue
        if full == name:
            return number
        if name.startswith(full + ".") and not heading:
            outer = outer or number
    return outer


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


def variable_of(name: str) -> str:
    """POS_APP_SHOP_NAME, of shop.name."""
    return ENVIRONMENT_PREFIX + name.replace(".", "_").upper()


def from_environment(variables: Mapping[str, str], problems: list[Problem]) -> dict[str, Found]:
    """POS_APP_GATEWAY_BASE_URL and the like; texts, to be read as the key's type."""
    known = {variable_of(name): name for name in BY_NAME}
    found: dict[str, Found] = {}
    for variable, value in variables.items():
        if variable in known:
            name = known[variable]
            found[name] = Found(_from_variable(name, value), variable)
        elif variable.startswith(ENVIRONMENT_PREFIX) and variable not in OTHER_VARIABLES:
            # The name alone: a value that was meant for another variable may be a secret.
            problems.append(Problem(variable, "", "is not a setting", "POS_APP_GATEWAY_BASE_URL=https://…"))
    return found


def _from_variable(name: str, value: str) -> Any:
    """A list as it stands in a file, and as its example shows it; anything else as a text."""
    if BY_NAME[name].type is list and value.lstrip().startswith("["):
        try:
            return tomllib.loads(f"listed = {value}")["listed"]
        except (ValueError, RecursionError):
            return value
    return from_text(name, value)


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
