"""What is made from the code: a whole page (settings) or the part of one between two marks (the matrix)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_app.cli.grammar import Option, described
from pos_app.cli.main import parser
from pos_app.i18n.words.settings import Settings
from pos_app.settings.checks import origin
from pos_app.settings.key import REQUIRED, Key
from pos_app.settings.load import problem_of
from pos_app.settings.model import KEYS, SECTIONS
from pos_app.settings.sources import ENVIRONMENT_PREFIX
from tests.documents import messages
from tests.unit.domain import state_diagram
from tests.unit.i18n.catalogs import said
from tests.verification.matrix.cells import STEPS, rows

DOCS = Path(__file__).parents[2] / "docs"
SETTINGS = DOCS / "settings.md"
FAILURES = DOCS / "failure-model.md"
GLOSSARY = DOCS / "glossary.md"
SCRIPTS = DOCS / "guides" / "scripts.md"
_LANGUAGES = DOCS.parent / "resources" / "languages"
_SPOKEN = ("si", "ta", "ar")
_TERM_CELLS = 7

_OPENING = """\
# Settings

Made from the declarations in `pos_app/settings/model.py` (`make docs`); a test fails when this page is not up to date.

TOML, each place over the one before: defaults, the site file (`/etc/xdg/pos-app/config.toml`), the user's file
(`~/.config/pos-app/config.toml`, or the one named by `--config`), the variables below, the command line. Every file
is read strictly: an unknown key, a key twice or a wrong type is told with file, line and an example, and the till
does not start. On Windows the site file is `C:\\ProgramData\\pos-app\\config.toml`, the user's
`%LOCALAPPDATA%\\pos-app\\config.toml`.

At the till a manager changes them under F10, with a reason that goes into the journal, and they hold at once. Those
marked *none open* are what open payments belong to: they change only when no payment is open, and begin the till
anew; `merchant_pg_identifier`, `counter_id` and `currency` also want the day closed, where it has money.

A site file alone has a section `[site]`, for the machines of a fleet: `locked = ["gateway", "shop.currency"]` keeps
keys, or whole sections, as it says or as by default; `sandbox = false` makes the machine a counter and nothing else
([the till, topic by topic](till.md#settings)).

`token_provider` decides which other keys are needed: `file` needs `token_file`, `command` needs `token_command`,
`oauth2` needs `token_url` and `token_client_id`. Four more variables name places and are no settings:
`POS_APP_CONFIG`, `POS_APP_SECRETS_FILE`, `POS_APP_DATA_DIR`, `POS_APP_RUN_DIR`. A variable holds its value as it is,
without quotes; a list as in the file, `["12 Galle Road", "Tel. 011 234 5678"]`, or its one text. No address and no
`ca_file` of a live till comes from one. Secrets are never among the settings
([the till, topic by topic](till.md#secrets)).
"""

_TYPES = {str: "text", int: "whole number", bool: "true or false", list: "list of texts", Decimal: "amount"}
_PROBES: dict[type, tuple[Any, ...]] = {
    str: ("", " ", "\0", "x" * 5_000),
    int: (0, -1, 10**12),
    Decimal: (Decimal(0), Decimal(10) ** 12),
}
"""What no setting takes, tried one after the other: the check's own words then say what it does take."""


def settings_page() -> str:
    """docs/settings.md."""
    return "\n".join([_OPENING, *(line for section in SECTIONS for line in _section(section))])


def _section(section: str) -> Iterator[str]:
    yield f"## [{section}]"
    yield ""
    yield "| Key | What it is | Type | Default | What it takes | Changes | Variable |"
    yield "|---|---|---|---|---|---|---|"
    for key in KEYS:
        if key.section == section:
            yield f"| {' | '.join(_cells(key))} |"
    yield ""


def _cells(key: Key) -> Iterator[str]:
    yield f"`{key.field}`"
    yield Settings.LABEL[key.name].replace("|", "\\|")
    yield _TYPES[key.type]
    yield "needed" if key.default is REQUIRED else _written(key.default)
    yield f"{limits_of(key)}{', ' if limits_of(key) else ''}for example `{key.example}`"
    yield "none open" if key.makes_another_till else "at once"
    yield f"`{ENVIRONMENT_PREFIX}{key.name.replace('.', '_').upper()}`"


def _written(value: Any) -> str:
    if value in ("", ()):
        return "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def limits_of(key: Key) -> str:
    """In the words of its check: "a number of seconds from 5 to 3600", "may be empty; two small letters"."""
    if key.choices:
        return ", ".join(f"`{choice}`" for choice in key.choices)
    empty = key.check is not None and key.type is str and not problem_of(key, "")
    for probe in _PROBES.get(key.type, ()):
        problem = problem_of(key, probe)
        if problem:
            said = problem.removeprefix("must be ")
            return f"may be empty; {said.replace('not be empty or ', 'not ')}" if empty else said
    # Addresses are judged together, by the environment.
    return origin("", sandbox=False).removeprefix("must be ") if key.is_address else ""


def matrix() -> str:
    """Faults by steps, as tests/verification/matrix/matrix.toml has them; a cell that waits for a part has a dash."""
    lines = [f"| # | Fault | {' | '.join(STEPS)} |", "|---|---|" + "---|" * len(STEPS)]
    for row in rows():
        cells = (
            f"{row.cells[step]}{' –' if step in row.not_built else ''}" if step in row.cells else ""
            for step in STEPS
        )
        lines.append(f'| <a id="fault-{row.number}"></a>{row.number} | {row.fault} | {" | ".join(cells)} |')
    waiting = sorted({part for row in rows() for part in (*row.not_built.values(), *row.partly.values())})
    live = sum(len(row.cells) for row in rows())
    built = live - sum(len(row.not_built) for row in rows())
    lines += [
        "",
        f"{len(rows())} faults × {len(STEPS)} steps = {len(rows()) * len(STEPS)} cells, {live} of them live, "
        f"{built} built." + (f" Not built yet: {', '.join(waiting)}." if waiting else ""),
    ]
    return "\n".join(lines)


def exits() -> str:
    """The exit codes as the help of the command line has them, one a row."""
    told = described(parser()).epilog.partition(": ")[2].rstrip(".")
    rows = [re.match(r"([\d]+(?: or \d+)?) (.+)", each) for each in re.split(r", (?=\d)", told)]
    return "\n".join(["| Code | Means |", "|---|---|", *(f"| {row[1]} | {row[2]} |" for row in rows if row)])


def verbs() -> str:
    """Each verb with what it takes, the common options once before them."""
    command = described(parser())
    lines = ["Before or behind every verb:", "", *_options(command.common)]
    for verb in (each for outer in command.verbs for each in (outer, *outer.verbs)):
        lines += ["", f"### pos-app {verb.path}", "", f"{verb.says[:1].upper()}{verb.says[1:]}."]
        # What is one of a few is each of them: a | between them would end the cell, in code as well.
        given = [
            f"| {' or '.join(f'`{name}`' for name in each.choices or (each.value,))} | {_cell(each.says, ())}"
            f"{'' if each.is_needed else ' (may be left out)'} |"
            for each in verb.operands
        ]
        if given or len(verb.options) > 1:
            lines += ["", *_options(verb.options, given)]
    return "\n".join(lines)


def _options(options: tuple[Option, ...], before: Iterable[str] = ()) -> Iterator[str]:
    yield "| Option | What it does |"
    yield "|---|---|"
    yield from before
    for option in options:
        if "--help" in option.names:
            continue
        # What is one of a few stands beside it: a | would end the cell.
        value = "" if option.choices else option.value
        names = ", ".join(f"`{f'{name} {value}'.strip()}`" for name in option.names)
        yield f"| {names} | {_cell(option.says, option.choices)} |"


def _cell(says: str, choices: tuple[str, ...]) -> str:
    listed = f"one of {', '.join(f'`{each}`' for each in choices)}" if choices else ""
    return ": ".join(filter(None, (says, listed))).replace("|", "\\|")


def with_part(page: str, name: str, part: str) -> str:
    """The page with what stands between its marks replaced. ValueError for a page without them."""
    pattern = re.compile(rf"(<!-- made: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"no place for {name}")
    return pattern.sub(lambda marks: f"{marks[1]}{part}\n{marks[2]}", page)


def with_words(page: str) -> str:
    """The glossary with the last three cells of each term filled in. ValueError for a word nobody has translated."""
    known = _words()
    return "\n".join(_filled(line, known) for line in page.split("\n"))


def _words() -> dict[str, tuple[str, ...]]:
    """By the English: what the translators' glossary says, else the till's own texts, a state's name first."""
    found: dict[str, dict[str, str]] = {}
    for language in _SPOKEN:
        for entry in sorted(said(language), key=lambda entry: ":state." not in entry.name):
            found.setdefault(entry.english, {}).setdefault(language, entry.said)
    known = {english: tuple(words.get(each, "") for each in _SPOKEN) for english, words in found.items()}
    for line in (_LANGUAGES / "GLOSSARY.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) > len(_SPOKEN):
            known[cells[0]] = tuple(cells[1 : 1 + len(_SPOKEN)])
            known.setdefault(cells[0].partition(" (")[0], known[cells[0]])
    return known


def _filled(line: str, known: dict[str, tuple[str, ...]]) -> str:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    if not line.startswith("|") or len(cells) != _TERM_CELLS or cells[0] == "Term" or set(cells[0]) == {"-"}:
        return line
    said = known.get(cells[3], ()) if cells[3] else ("",) * len(_SPOKEN)
    if not said or (cells[3] and not all(said)):
        raise ValueError(f"{cells[0]}: {cells[3]!r} is not said in every language")
    return "|" + "|".join(f" {cell} " if cell else " " for cell in (*cells[:4], *said)) + "|"


def pages() -> dict[Path, str]:
    """Every page that holds something made, as it should be now."""
    failures = with_part(FAILURES.read_text("utf-8"), "matrix", matrix())
    scripts = with_part(with_part(SCRIPTS.read_text("utf-8"), "exits", exits()), "verbs", verbs())
    return {
        SETTINGS: settings_page(),
        FAILURES: failures,
        GLOSSARY: with_words(GLOSSARY.read_text("utf-8")),
        state_diagram.PAGE: state_diagram.page(),
        messages.PAGE: messages.page(),
        SCRIPTS: scripts,
    }
