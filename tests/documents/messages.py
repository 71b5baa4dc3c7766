"""What a message of the till is, and the page of the guides that says of each what it means and what to do."""

from __future__ import annotations

import ast
import fnmatch
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.unit.i18n.tables import template

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "guides"
SOURCE, PAGE = GUIDES / "troubleshooting.toml", GUIDES / "troubleshooting.md"

SAID_WITHOUT_A_STOP = (
    "till:result.paid", "till:result.not_paid", "till:result.not_known", "till:result.disputed", "till:result.late",
    "till:result.paid_twice", "till:result.signed_off", "till:connection.*", "printing:WHY*", "safe_screen:*_TITLE",
    "checks:SAID.*",
)  # fmt: skip
"""Headlines, the state of the connection, why a paper did not come and what a value must be: no sentences, and told."""
NO_HEADLINES = ("safe_screen:MONEY_TITLE",)

_ERRORS = {
    "CommandError", "InUseError", "UpdatingError", "NotSetUpError", "SecretsError", "SecretsMissingError",
    "FolderError", "BundleError",
}  # fmt: skip
"""What a verb ends with, its text first or behind an exit code."""
_TABLES = ("_PROBLEMS", "_BLOCKS")
"""Where a verb keeps the ends of one kind."""
_OF_THE_JOURNAL = ROOT / "pos_app" / "journal" / "errors.py"
_PLACE = re.compile(r"\{[^{}]*\}")

_OPENING = """\
# When the till says something

Look for the words on the screen; a place that changes (a name, an amount) is written as …. First of all, at every one
of them: nothing that was taken is lost, every payment is written down before it is sent, and the till goes on asking
about it by itself. *What is not certain is not charged again.* When you are not sure, write down the sale number and
call the manager; the manager’s own page is [here](manager.md#in-doubt).

"""


@cache
def words() -> dict[str, str]:
    """Every text of the till, by its name; of a counted thing as it is said of several."""
    found = {}
    for message in template():
        if message.id:
            found[str(message.context)] = message.id if isinstance(message.id, str) else str(message.id[-1])
    return found


@cache
def source() -> dict[str, Any]:
    """What people wrote about them."""
    return tomllib.loads(SOURCE.read_text("utf-8"))


def rows() -> list[dict[str, Any]]:
    """Each row of each part."""
    return [row for part in source()["part"] for row in part["rows"]]


def fitting(pattern: str, names: Iterable[str]) -> list[str]:
    """Those a name or a family stands for."""
    return [name for name in names if fnmatch.fnmatchcase(name, pattern)]


def messages() -> list[str]:
    """The names of all that is a message."""
    return [name for name, text in words().items() if is_message(name, text)]


def is_message(name: str, text: str) -> bool:
    """A sentence that nobody has called quiet, or one of those said without a full stop."""
    quiet = (pattern for patterns in source()["quiet"].values() for pattern in patterns)
    if text.endswith(".") and not any(fitting(pattern, [name]) for pattern in quiet):
        return True
    return name not in NO_HEADLINES and any(fitting(pattern, [name]) for pattern in SAID_WITHOUT_A_STOP)


def without_a_row(names: Iterable[str], listed: list[str]) -> list[str]:
    """Of these, what no row is about."""
    return [name for name in names if not any(fitting(pattern, [name]) for pattern in listed)]


@cache
def lines() -> set[str]:
    """What the command line ends with, … for what changes; but for usage, whose text says what to write."""
    found = set()
    ends = re.compile("|".join((*(f"{name}\\(" for name in _ERRORS), *_TABLES)))
    for path in sorted((ROOT / "pos_app").rglob("*.py")):
        text = path.read_text("utf-8")
        if "sandbox" not in path.parts and (path == _OF_THE_JOURNAL or ends.search(text)):
            tree = ast.parse(text)
            found |= {line for line in _lines_of(tree, path) if re.search(r"[a-z]", line)}
    return found


def _lines_of(tree: ast.Module, path: Path) -> Iterator[str]:
    constants = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(tree):
        called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and called in _ERRORS:
            if not any(ast.unparse(each) == "Exit.USAGE" for each in node.args):
                yield from filter(None, (_text(each, constants) for each in node.args))
        elif (
            isinstance(node, ast.Call)
            and path == _OF_THE_JOURNAL
            and ast.unparse(node.func) == "super().__init__"
        ):
            yield from filter(None, (_text(each, constants) for each in node.args))
    for problems in (constants.get(name) for name in _TABLES):
        for value in problems.values if isinstance(problems, ast.Dict) else ():
            parts = value.elts if isinstance(value, ast.Tuple) else [value]
            if not any(ast.unparse(each) == "Exit.USAGE" for each in parts):
                yield from filter(None, (_text(each, constants) for each in parts))


def _text(node: ast.expr, constants: dict[str, ast.expr]) -> str:
    """What it says, "" for what says nothing by itself."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                _text(part, constants) if isinstance(part, ast.Constant) else "…" for part in parts
            )
        case ast.Name(id=name) if name in constants:
            return _text(constants[name], {})
        case ast.BinOp(left=left, op=ast.Add()):
            return _text(left, constants)
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, other]):
            return _text(other, constants)
    return ""


def findings() -> set[str]:
    """What a finding of doctor that is no "ok" may be about, … for what changes."""
    found = set()
    for path in sorted((ROOT / "pos_app" / "doctor").glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        constants = {
            node.targets[0].id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Finding":
                about, verdict = node.args[:2]
                found |= {_about(about, constants)} if ast.unparse(verdict) != "'ok'" else set()
    return found - {""}


def _about(node: ast.expr, constants: dict[str, ast.expr]) -> str:
    if isinstance(node, ast.Name) and isinstance(constants.get(node.id), ast.Call):
        # about = f"sign-in SMS {language}".strip()
        called = constants[node.id]
        assert isinstance(called, ast.Call)
        assert isinstance(called.func, ast.Attribute)
        return _text(called.func.value, {})
    return _text(node, constants)


_END = """
This page is made from `docs/guides/troubleshooting.toml` (`make docs`); a test fails with the name of each message
that is missing.
"""


def page() -> str:
    """docs/guides/troubleshooting.md."""
    return _OPENING + "\n".join(line for part in source()["part"] for line in _part(part)) + _END


def _part(part: dict[str, Any]) -> Iterator[str]:
    yield f"## {part['title']}"
    yield ""
    if "text" in part:
        yield part["text"]
        yield ""
    yield "| The till says | It means | Do |"
    yield "|---|---|---|"
    for row in part["rows"]:
        yield f"| {'<br>'.join(_said(row))} | {row['means']} | {row['todo']} |"
    yield ""


def _said(row: dict[str, Any]) -> list[str]:
    """Each text once, in the order of the row."""
    if "says" in row:
        texts = [
            words()[name] for pattern in row["says"] for name in words() if fnmatch.fnmatchcase(name, pattern)
        ]
    else:
        texts = [f"`{text}`" for text in (*row.get("line", ()), *row.get("doctor", ()))]
    return [_PLACE.sub("…", text).replace("|", "\\|") for text in dict.fromkeys(texts)]
