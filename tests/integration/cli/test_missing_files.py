"""Threat 28: files of a counter missing in every combination. Each has one outcome, the one that the docs list."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.shop import open_shop
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from tests.integration.cli.missing_files import (
    FILES,
    Outcome,
    Past,
    combinations,
    judge,
    outcome_of,
    past,
    run,
)
from tests.support.command_line import arguments

LISTED = Path(__file__).parents[3] / "docs" / "journal-files.md"
ALONE = [frozenset({name}) for name in FILES]
SOLD_ON = [
    frozenset(),
    *ALONE,
    frozenset({"lock", "log", "shm"}),
    frozenset({"journal", "wal", "shm"}),
    frozenset({"journal", "wal", "shm", "key"}),
    frozenset({"journal", "wal", "shm", "anchor"}),
    frozenset({"journal", "wal", "shm", "anchor", "lock", "log"}),
    frozenset({"journal", "wal", "shm", "anchor", "lock", "key"}),
    frozenset({"journal", "wal", "shm", "anchor", "lock", "log", "key"}),
]
"""Each outcome, each file by itself; `python -m tests.integration.cli.missing_files` sells on after each of all."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Past:
    """The past of one counter, and of the service."""
    return past(tmp_path_factory.mktemp("past"))


def named(missing: frozenset[str]) -> str:
    """Which are gone."""
    return "+".join(name for name in FILES if name in missing) or "none"


@pytest.mark.parametrize("missing", SOLD_ON, ids=named)
def test_a_till_sells_on_and_nobody_pays_twice(before: Past, tmp_path: Path, missing: frozenset[str]) -> None:
    """Started on what is left, with the real service."""
    with before.come_again(tmp_path, missing) as (folder, sandbox):
        judge(run(folder, sandbox), before, outcome_of(missing), sandbox)


def test_every_combination_has_its_outcome(before: Past, tmp_path: Path) -> None:
    """All 512 are opened: what stops a start changes no file, and no lost journal is taken for a first start."""
    for place, missing in enumerate(combinations()):
        folder = before.copy(tmp_path / str(place), missing)
        data = folder / "data" / "sandbox"
        files = {each: each.read_bytes() for each in data.rglob("*") if each.is_file()}
        outcome, expected = opened(folder), outcome_of(missing)
        assert outcome is expected, named(missing)
        if outcome in (Outcome.NOT_SET_UP, Outcome.NO_SECRETS, Outcome.KEY_GONE):
            now = {each: each.read_bytes() for each in data.rglob("*") if each.is_file()}
            assert now == files, named(missing)
        if outcome in (Outcome.PROVEN, Outcome.UNPROVEN):
            kept = [each.read_bytes() for each in data.rglob("*damaged*") if each.is_file()]
            gone = {name for name in ("journal", "wal", "anchor") if name not in missing}
            assert len(kept) >= len(gone), named(missing)


def opened(folder: Path) -> Outcome:
    """What a start came to."""
    try:
        with closing(open_shop(arguments(folder, folder / "data"))) as shop:
            assert shop.journal is not None
            began = [each for each in shop.journal.events_of(JOURNAL) if each.kind == REBUILT]
            if began:
                return Outcome.PROVEN if began[0].content["installations"] else Outcome.UNPROVEN
            return Outcome.GOES_ON if shop.journal.people() else Outcome.FIRST_START
    except CommandError as refused:
        if refused.exit_code is Exit.CANNOT_CREATE:
            return Outcome.KEY_GONE
        return Outcome.NO_SECRETS if "secrets.toml" in str(refused) else Outcome.NOT_SET_UP


def test_the_docs_list_each_outcome() -> None:
    """By the words of the table here."""
    text = LISTED.read_text("utf-8")
    assert [each.value for each in Outcome if f"**{each.value}**" not in text] == []
