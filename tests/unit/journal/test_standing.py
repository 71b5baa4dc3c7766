"""Whether the record is whole since a passcode was last right: what a count of wrong ones may rest on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.passcode import ENDS_A_ROW, RIGHT, SET, TRY, subject_of
from pos_app.domain.rebuilt_journal import JOURNAL, MENDED, REBUILT
from pos_app.domain.record import Record
from pos_app.journal import Journal
from tests.support.builders import WALL
from tests.unit.journal.tampering import tamper

OWN, OTHERS = subject_of("p1"), subject_of("p2")


def _said(kind: str, subject: str) -> Record:
    return Record(kind=kind, subject=subject, actor="p1", at=1, wall=WALL)


def _stands(journal: Journal, subject: str = OWN) -> bool:
    return journal.stands_since(subject, ENDS_A_ROW)


@pytest.fixture
def tried(journal: Journal) -> Journal:
    """Events 1 to 8: two of the row before, the passcode right at 4, and two wrong ones among others since."""
    said = [(SET, OWN), (TRY, OWN), (TRY, OTHERS), (RIGHT, OWN), (TRY, OWN), (RIGHT, OTHERS), (TRY, OWN)]
    journal.append([_said(kind, subject) for kind, subject in [*said, ("TILL_STARTED", "till")]])
    return journal


@pytest.mark.parametrize(
    "statements",
    [
        (),
        ("UPDATE event SET actor = 'p9' WHERE seq = 2",),
        ("DELETE FROM event WHERE seq = 2",),
        ("DELETE FROM event WHERE seq < 3",),
    ],
)
def test_what_was_before_the_passcode_was_right_counts_no_more(
    path: Path, tried: Journal, statements: tuple[str, ...]
) -> None:
    """Only what is since, and the row that it begins behind."""
    tamper(path, *statements)
    assert _stands(tried)


DEEDS = {
    "a wrong one changed": ["UPDATE event SET at = 2 WHERE seq = 5"],
    "a wrong one renamed": ["UPDATE event SET kind = 'PASSCODE_RIGHT' WHERE seq = 7"],
    "a wrong one given away": [
        "UPDATE event SET subject = 'passcode:p2' WHERE seq = 5",
        "UPDATE other_event SET subject = 'passcode:p2' WHERE seq = 5",
    ],
    "a wrong one deleted": [
        "DELETE FROM event WHERE seq = 5",
        "DELETE FROM other_event WHERE seq = 5",
    ],
    "somebody else's changed": ["UPDATE event SET actor = 'p9' WHERE seq = 6"],
    "the newest changed": ["UPDATE event SET actor = 'p9' WHERE seq = 8"],
    "the newest deleted": ["DELETE FROM event WHERE seq = 8", "DELETE FROM other_event WHERE seq = 8"],
    "the last ones deleted": ["DELETE FROM event WHERE seq > 6", "DELETE FROM other_event WHERE seq > 6"],
    "all deleted": ["DELETE FROM event", "DELETE FROM other_event"],
    "a wrong one hidden from the table": ["DELETE FROM other_event WHERE seq = 7"],
    "the right one hidden from the table": ["DELETE FROM other_event WHERE seq = 4"],
    "another's counted as theirs": ["UPDATE other_event SET subject = 'passcode:p1' WHERE seq = 6"],
    "the one it begins behind deleted": ["DELETE FROM event WHERE seq = 3"],
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_not_as_it_was_written_since_is_no_record(path: Path, tried: Journal, deed: str) -> None:
    """Event or table, their own or another's in between: nobody knows how many wrong ones there were."""
    assert _stands(tried)
    tamper(path, *DEEDS[deed])
    assert not _stands(tried)


def test_a_passcode_that_was_never_right_stands_on_everything(path: Path, tried: Journal) -> None:
    """Also of somebody of whom there is no event yet; from the journal's first event on."""
    for subject in (subject_of("p3"), "till"):
        assert _stands(tried, subject)
    tamper(path, "UPDATE event SET actor = 'p9' WHERE seq = 1")
    assert _stands(tried)
    for subject in (subject_of("p3"), "till"):
        assert not _stands(tried, subject)


def test_an_empty_journal_is_whole(journal: Journal) -> None:
    """Nobody has tried anything."""
    assert _stands(journal)


def test_more_than_can_be_looked_at_meanwhile_is_not_believed(
    tried: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four events are behind the one that was right; a walk of so many is too long, of one fewer not."""
    monkeypatch.setattr("pos_app.journal.store.MOST_WALKED", 4)
    assert not _stands(tried)
    monkeypatch.setattr("pos_app.journal.store.MOST_WALKED", 5)
    assert _stands(tried)


def test_a_journal_that_was_begun_beside_a_damaged_one_says_so(opened: Callable[[], Journal]) -> None:
    """By an event about the journal itself; that its tables were mended, or the word elsewhere, is none."""
    journal = opened()
    said = []
    for records in ([], [_said(MENDED, JOURNAL), _said(REBUILT, "till")], [_said(REBUILT, JOURNAL)]):
        journal.append(records)
        said.append(journal.was_rebuilt)
    journal.close()
    assert [*said, opened().was_rebuilt] == [False, False, True, True]
