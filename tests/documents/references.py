"""Follows what pages, comments and docstrings cite: pages, links, paths, rules, invariants, threats, faults.

Each function gives what leads nowhere, as "place: what". A page's name counts from the file that cites it upwards
to the root. In pages the rows of tables are looked at, too: one with more cells than its head is read torn. Of Python
files only comments and docstrings are prose; what a string builds is the program's matter.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RULES, FAILURES = DOCS / "payment-rules.md", DOCS / "failure-model.md"
_FOLDERS = ("pos_app", "tests", "docs", "packaging", "resources/languages")
_KINDS = {".py", ".md", ".toml", ".sh", ".service", ".spec", ".json"}
_HISTORY = "CHANGELOG.md"
"""It tells of what was: a path in it may be gone."""

_PAGE = re.compile(r"(?:[$@]\w+@?/)?([A-Za-z0-9_./-]*[A-Za-z0-9_]\.md)\b")
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
_PATH = re.compile(r"`((?:pos_app|tests|docs|packaging|resources)(?:/[A-Za-z0-9_.-]+)+/?)`")
_MAKE = re.compile(r"`make ([a-z-]+)")
_MODULE = re.compile(r"python -m ((?:tests|pos_app)(?:\.\w+)*)")
_NUMBER = r"\d+[a-z]?(?!\w)"
_RULES = re.compile(rf"\b[Rr]ules ({_NUMBER}(?:(?:, | and | or | to |, and ){_NUMBER})*)")
_RULE = re.compile(rf"\b[Rr]ule ({_NUMBER}(?: ?/ ?{_NUMBER}| and {_NUMBER})*)")
_INVARIANT = re.compile(r"\b([IE][0-9]{1,2}[a-c]?)\b")
_THREAT = re.compile(r"\b[Tt]hreats? ([0-9]+)(?: (?:to|and) ([0-9]+))?")
_FAULT = re.compile(r"\b[Ff]aults? ([0-9]+)(?: (?:to|and) ([0-9]+))?")
_ROW = re.compile(r"\b[Rr]ows? ([0-9]+)(?: (?:to|and) ([0-9]+))?")
_BEHAVIOUR = re.compile(r"\b[Bb]ehaviours? ([A-Z]0?)(?![A-Za-z])")
_GROUP = re.compile(r"bad input, group ([A-Z])")
_HEADING = re.compile(r'(docs/[a-z/-]+\.md), (?:"([^"\n]+)"|([A-Z][A-Za-z0-9]+))')
_BARE = re.compile(r"failure-model(?!\.md)")
_RULER = re.compile(r"\|[-:| ]*-[-:| ]*\|")
_CELL = re.compile(r"(?<!\\)\|")
"""What ends a cell. On a forge a | ends it inside of `code`, too; behind a backslash it stands there as it is."""
_CODE = re.compile(r"`[^`]*`")
_CITES = re.compile(
    r"\.md|failure-model|\b[IE][0-9]|([Rr]ule|[Rr]ow|[Tt]hreat|[Ff]ault)s? [0-9]|[Bb]ehaviours? |bad input"
)
"""Most files cite nothing, and reading a file's comments takes longer than seeing that."""

_ROWS_OF_FAULTS = ("tests/verification/matrix/", "tests/verification/campaign/proxy/")


@cache
def files() -> tuple[Path, ...]:
    """Every text that may cite something."""
    found = [path for folder in _FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    kept = [path for path in found if path.suffix in _KINDS or path.parent.name == "kiosk"]
    return (*kept, ROOT / "README.md", ROOT / _HISTORY, ROOT / "Makefile", ROOT / ".importlinter")


def prose(path: str, text: str) -> str:
    """What a file says to people: of Python its comments and docstrings, of data nothing but comments."""
    if path.endswith(".py"):
        return "\n".join(_of_python(text))
    if path.endswith(".json"):
        return ""
    if path.endswith(".toml"):
        return "\n".join(line for line in text.splitlines() if line.lstrip().startswith("#"))
    return text


def _of_python(text: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        # Docstrings, and the strings that stand under an assignment to say what it is.
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            value = node.value.value
            if isinstance(value, str):
                yield value


def lost(path: str, text: str) -> list[str]:
    """All that leads nowhere from one file. `path` is from the root, with forward slashes."""
    if not _CITES.search(text) and not path.endswith(".md"):
        return []
    said = prose(path, text)
    found = [*_pages(path, said), *_numbers(path, said)]
    if path.endswith(".md"):
        found += [*_links(path, said), *(_named(said) if path != _HISTORY else ()), *_torn(said)]
    return [f"{path}: {each}" for each in found]


def _pages(path: str, said: str) -> Iterator[str]:
    # A link's words are its own matter: where it leads is looked at.
    for cited in _PAGE.findall(_LINK.sub("", said) if path.endswith(".md") else said):
        name = cited.lstrip("/")
        above = (ROOT / path).parents
        places = [folder / name for folder in above if folder == ROOT or ROOT in folder.parents]
        # One's own folder, or a path from a folder above: a bare name leads only where the page lies.
        if not any(place.is_file() for place in places):
            yield f"there is no page {cited}"
    for page, quoted, word in _HEADING.findall(said):
        place = ROOT / page
        wanted = _slug(quoted or word)
        if place.is_file() and not any(each.startswith(wanted) for each in anchors(place.read_text("utf-8"))):
            yield f"{page} has no heading {quoted or word}"
    if _BARE.search(said):
        yield "failure-model is cited without its page: docs/failure-model.md"


def _links(path: str, said: str) -> Iterator[str]:
    for target in _LINK.findall(said):
        if "://" in target:
            continue
        if path.startswith("docs/guides/") and target.startswith("pictures/"):
            continue  # taken by the tour when the site is made: tests/documents/test_guides.py looks at them
        name, _, anchor = target.partition("#")
        page = (ROOT / path).parent / name if name else ROOT / path
        if not page.exists():
            yield f"the link {target} leads nowhere"
        elif anchor and anchor not in anchors(page.read_text("utf-8")):
            yield f"the link {target} leads to no heading"


def _torn(said: str) -> Iterator[str]:
    """Rows that a reader sees torn."""
    without_code = re.sub(r"^```.*?^```", "", said, flags=re.DOTALL | re.MULTILINE)
    lines = [line.strip() for line in without_code.splitlines()]
    wanted = 0
    for before, line in pairwise(["", *lines]):
        if not line.startswith("|"):
            wanted = 0
        elif _RULER.fullmatch(line):
            wanted = len(_CELL.findall(before))
        elif wanted and len(_CELL.findall(line)) != wanted:
            yield f"a row has {len(_CELL.findall(line)) - 1} cells and its head {wanted - 1}: {line[:60]}"
        if line.startswith("|") and any("\\|" in code for code in _CODE.findall(line)):
            yield f"a | in code: it ends the cell, or is shown with its backslash: {line[:60]}"


def _named(said: str) -> Iterator[str]:
    for name in _PATH.findall(said):
        if not (ROOT / name).exists():
            yield f"there is no {name}"
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for target in _MAKE.findall(said):
        if target not in targets:
            yield f"there is no make {target}"
    for module in _MODULE.findall(said):
        place = ROOT / module.replace(".", "/")
        if not (place.with_suffix(".py").exists() or (place / "__main__.py").exists()):
            yield f"there is no module {module}"


def _numbers(path: str, said: str) -> Iterator[str]:
    rules, invariants = numbers_of_rules(), invariants_known()
    for listed in (*_RULES.findall(said), *_RULE.findall(said)):
        for number in re.findall(_NUMBER, listed):
            if number not in rules:
                yield f"there is no rule {number}"
    for name in _INVARIANT.findall(said):
        if name not in invariants:
            yield f"there is no invariant {name}"
    patterns = [(_THREAT, "threat"), (_FAULT, "fault")]
    if path.startswith(_ROWS_OF_FAULTS) or "failure model" in said:
        patterns.append((_ROW, "fault"))
    known = anchors(FAILURES.read_text("utf-8"))
    for pattern, what in patterns:
        for first, last in pattern.findall(said):
            for number in {first, last or first}:
                if f"{what}-{number}" not in known:
                    yield f"there is no {what} {number}"
    for code in _BEHAVIOUR.findall(said):
        if f"behaviour-{code.lower()}" not in known:
            yield f"there is no behaviour {code}"
    for group in _GROUP.findall(said):
        if not any(anchor.startswith(f"group-{group.lower()}-") for anchor in known):
            yield f"there is no bad input, group {group}"


@cache
def numbers_of_rules() -> frozenset[str]:
    """The rules that stand in the payment rules, by their headings: "4", "3a"."""
    return frozenset(re.findall(rf"^#+ Rule ({_NUMBER}):", RULES.read_text("utf-8"), re.MULTILINE))


@cache
def invariants_known() -> frozenset[str]:
    """The invariants that stand there by their headings, and what they take for granted: "I1a", "E3"."""
    return frozenset(re.findall(r"^#+ ([IE][0-9]+[a-c]?):", RULES.read_text("utf-8"), re.MULTILINE))


@cache
def anchors(text: str) -> frozenset[str]:
    """Where a link may lead in a page: its headings as a forge names them, and the places it names itself."""
    headings = re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)
    named = re.findall(r'<a id="([^"]+)"></a>', text)
    return frozenset([*map(_slug, headings), *named])


def _slug(heading: str) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", ""))
    return plain.replace(" ", "-")
