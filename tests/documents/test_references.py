"""Every page, heading, path and number that a page, a comment or a docstring cites is there; each check is proved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pos_app.cli.main import VERBS
from pos_app.domain.kinds import OF_ATTEMPTS
from pos_app.domain.passcode import ENDS_A_ROW
from pos_app.journal.acts import ACTS
from tests.documents import references
from tests.documents.references import DOCS, ROOT, files, lost


def test_every_reference_leads_somewhere() -> None:
    """A maintainer has only the repository."""
    found = [
        line for path in files() for line in lost(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("pos_app/x.py", '"""By design-notes.md."""\n', "there is no page design-notes.md"),
        ("pos_app/x.py", "# payment-rules.md, rule 4\n", "there is no page payment-rules.md"),
        ("pos_app/x.py", "# docs/payment-rules.md, Grammar\n", "has no heading Grammar"),
        ("pos_app/x.py", '"""docs/failure-model.md, "The cube"."""\n', "has no heading The cube"),
        ("pos_app/x.py", '"""As failure-model says."""\n', "failure-model is cited without its page"),
        ("pos_app/x.py", 'LIMIT = 3\n"""Rule 21."""\n', "there is no rule 21"),
        ("pos_app/x.py", "# rule 3d\n", "there is no rule 3d"),
        ("pos_app/x.py", '"""Rules 2, 4 and 40."""\n', "there is no rule 40"),
        ("pos_app/x.py", '"""Rule 12 / 3d."""\n', "there is no rule 3d"),
        ("pos_app/x.py", '"""I29 holds."""\n', "there is no invariant I29"),
        ("pos_app/x.py", '"""Taken for granted: E4."""\n', "there is no invariant E4"),
        ("pos_app/x.py", '"""Threat 39."""\n', "there is no threat 39"),
        ("pos_app/x.py", '"""Threats 3 to 93."""\n', "there is no threat 93"),
        ("pos_app/x.py", '"""Fault 56."""\n', "there is no fault 56"),
        ("pos_app/x.py", '"""Row 56 of the failure model."""\n', "there is no fault 56"),
        ("tests/verification/matrix/x.py", '"""Rows 4 to 56: the disk."""\n', "there is no fault 56"),
        ("pos_app/x.py", '"""Behaviour J."""\n', "there is no behaviour J"),
        ("pos_app/x.py", '"""docs/failure-model.md, bad input, group J."""\n', "bad input, group J"),
        ("tests/x.toml", "# rule 99\n", "there is no rule 99"),
        ("docs/x.md", "[it](nowhere.md)", "the link nowhere.md leads nowhere"),
        ("docs/x.md", "[it](states.md#nothing)", "the link states.md#nothing leads to no heading"),
        ("docs/x.md", "`pos_app/nothing.py`", "there is no pos_app/nothing.py"),
        ("docs/x.md", "`make coffee`", "there is no make coffee"),
        ("docs/x.md", "`python -m tests.coffee`", "there is no module tests.coffee"),
        ("docs/x.md", "| a | b |\n|---|---|\n| c | `d|e` |", "a row has 3 cells and its head 2"),
        ("docs/x.md", "| a | b |\n|---|---|\n| c |", "a row has 1 cells and its head 2"),
        ("docs/x.md", "| a | b |\n|---|---|\n| c | `d\\|e` |", "a | in code"),
    ],
)
def test_what_leads_nowhere_is_found(path: str, text: str, says: str) -> None:
    """Each kind of reference."""
    assert any(says in line for line in lost(path, text)), lost(path, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pos_app/x.py", '"""docs/payment-rules.md, rule 4; then rule 3a, Rules 8 and 10, I3b, E3."""\n'),
        (
            "pos_app/x.py",
            '"""docs/payment-rules.md, OTP, "Asking: how often"; docs/failure-model.md, "The matrix"."""\n',
        ),
        ("pos_app/x.py", 'PAGE = "nowhere.md"\nNAME = "rule 99, I99"\n'),
        ("pos_app/x.py", '"""docs/failure-model.md: threats 1 to 38, faults 1 to 55, behaviour Z0."""\n'),
        ("pos_app/x.py", '"""docs/failure-model.md, bad input, group E."""\n'),
        (
            "docs/x.md",
            "[it](payment-rules.md#rule-4-a-refusal), `make docs`, `python -m tests.verification.simulation`",
        ),
        ("docs/x.md", "[it](failure-model.md#threat-9), `pos_app/domain/`, <https://example.org/a.b>"),
        ("docs/x.md", "| a | b |\n|---|---|\n| c | d \\| e |\n\n```\n| f |\n```\n\n| g |\n|---|\n| h |"),
        ("packaging/bundle/x.sh", "# see kiosk/README.md"),
        ("tests/x.toml", 'name = "rule 99"\n'),
    ],
)
def test_what_leads_somewhere_is_let_be(path: str, text: str) -> None:
    assert lost(path, text) == []


def test_every_page_is_reached_from_the_readme() -> None:
    """A page that no link leads to is found by nobody."""
    seen: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in seen or page.suffix != ".md":
            continue
        seen.add(page)
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
            if "://" not in target:
                ahead.append((page.parent / target).resolve())
    assert {page.resolve() for page in DOCS.rglob("*.md")} <= seen


def test_rules_and_invariants_are_all_there() -> None:
    """By number, so that a heading that is lost is noticed."""
    numbered = {*map(str, range(1, 21)), "3a", "3b", "3c"}
    assert references.numbers_of_rules() == numbered
    named = {
        *(f"I{number}" for number in range(1, 25)),
        "I1a",
        "I1b",
        "I1c",
        "I3b",
        "E1",
        "E2",
        "E3",
    }
    assert references.invariants_known() == named


_NAMED = re.compile(r'^[A-Z_]+(?:, [A-Z_]+)* = "[A-Z].*$', re.M)
"""Where the code names kinds: constants of a module, one or some on a line."""


def test_every_kind_of_event_is_in_the_journals_format() -> None:
    """What a till may write, by the acts, the events of attempts and each kind that is named; each has its row."""
    page = (DOCS / "journal-format.md").read_text("utf-8")
    listed = page.partition("\n## Kinds\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in listed.splitlines() if line.startswith("| ")]
    told = {kind for cell in rows for kind in re.findall(r"\b[A-Z][A-Z_]{3,}\b", cell)}
    code = "\n".join(path.read_text("utf-8") for path in files() if {"engine", "domain"} & {*path.parts})
    named = {kind for line in _NAMED.findall(code) for kind in re.findall(r'"([A-Z][A-Z_]{3,})"', line)}
    written = {*OF_ATTEMPTS.values(), *ACTS, *ENDS_A_ROW, *named}
    assert {"LIST_READ", "SERVICE_NAMED", "PASSCODE_DEAD"} <= named
    assert written <= told, sorted(written - told)
    invented = {kind for kind in told - written if f'"{kind}"' not in code}
    assert not invented, sorted(invented)


def test_every_name_in_the_glossary_is_in_the_code() -> None:
    """A class that is called otherwise now takes its term along."""
    rows = [line.split("|") for line in (DOCS / "glossary.md").read_text("utf-8").splitlines()]
    cells = [row[3] for row in rows if len(row) == 9]
    named = {part for cell in cells for name in re.findall(r"`([\w.]+)`", cell) for part in name.split(".")}
    code = {
        word
        for path in (ROOT / "pos_app").rglob("*.py")
        for word in re.findall(r"\w+", path.read_text("utf-8"))
    }
    assert "TillClock" in named
    assert not named - code, sorted(named - code)


def test_every_verb_is_on_the_command_lines_page() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = {verb for cell in cells for verb in re.findall(r"`([a-z-]+)`", cell)}
    assert set(VERBS) <= told, sorted(set(VERBS) - told)
