"""The look over a journal where it is disturbed: stopped, locked out, at the edge of what can be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.attempt import State
from pos_app.journal import Journal, JournalDamaged, JournalTrouble, Trouble
from pos_app.journal.findings import MOST, Finding, text_of
from pos_app.journal.inspection import Inspection
from pos_app.journal.opening import connect, damage_in
from pos_app.journal.schema import schema_findings
from pos_app.journal.verify import TAIL, Text, Walk, read_on
from tests.support.builders import KEYS, attempt, ended, intent


def _fill(journal: Journal, payments: int = 5) -> None:
    for number in range(1, payments + 1):
        journal.append([intent(number), ended(attempt(number), State.PAID, number * 1000 + 500)])


def test_a_stop_breaks_off_what_sqlite_is_doing(path: Path, journal: Journal) -> None:
    """Nothing is raised, nothing more is told."""
    _fill(journal)
    look = Inspection(path, KEYS, steps=1)
    pieces = look.pieces()
    next(pieces)
    look.stop()
    assert list(pieces) == []


def test_a_file_that_somebody_keeps_locked_is_no_damage(path: Path, opened: Callable[[], Journal]) -> None:
    """It is the environment's failure, said as such."""
    journal = opened()
    _fill(journal)
    look = journal.inspection()
    journal.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(JournalTrouble) as caught:
        look.findings()
    assert caught.value.trouble is Trouble.LOCKED
    other.close()


def test_many_findings_are_counted_to_a_bound(path: Path, journal: Journal) -> None:
    """A file that is worse is worse in every part."""
    _fill(journal, MOST)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("DROP TRIGGER event_is_never_changed")
    other.execute("UPDATE event SET actor = 'x'")
    other.close()
    report = journal.verify()
    assert report.checked == 2 * MOST
    assert len(report.broken) == MOST
    assert text_of(report.broken).endswith(f"and {MOST - 5} more")
    assert text_of([Finding("event 1", "is missing")]) == "event 1 is missing"


def test_a_row_of_other_types_is_changed_and_the_next_one_is_judged_by_itself() -> None:
    """No MAC can be made of it."""
    walk = Walk(KEYS, 0, KEYS.genesis)
    texts = [Text(b"")] * 6
    assert not walk.meet((1, "not a number", *texts, None, b"m" * 32))
    assert not walk.meet((2, 0, *texts, None, b"m" * 32))
    assert [each.seq for each in walk.broken] == [1, 2]


def test_our_own_mistakes_are_no_damage() -> None:
    """A connection that is closed is a bug; nothing is moved aside for it."""
    closed = sqlite3.connect(":memory:")
    closed.close()
    with pytest.raises(sqlite3.ProgrammingError):
        schema_findings(closed)
    with pytest.raises(sqlite3.ProgrammingError):
        list(read_on(closed, Walk(KEYS, 0, KEYS.genesis)))
    with pytest.raises(sqlite3.ProgrammingError):
        damage_in(sqlite3.ProgrammingError("bug"))


def test_where_there_can_be_no_log_nothing_is_opened() -> None:
    """Without it a commit would not be durable as it is meant to be."""
    with pytest.raises(JournalTrouble, match="write-ahead log"):
        connect(Path(":memory:"))


@pytest.mark.parametrize("content", ["'no json'", "replace(content, '\"INTENT\"', '\"INTENX\"')"])
def test_an_old_event_of_what_is_open_that_cannot_be_read_is_found_at_the_start(
    path: Path, opened: Callable[[], Journal], content: str
) -> None:
    """Older than what a start looks at; but the attempt is open, and so its events are looked at."""
    journal = opened()
    journal.append([intent(1000)])
    _fill(journal, TAIL)
    journal.close()
    other = sqlite3.connect(path, isolation_level=None)
    sql = other.execute("SELECT sql FROM sqlite_schema WHERE name = 'event_is_never_changed'").fetchone()[0]
    other.execute("DROP TRIGGER event_is_never_changed")
    other.execute(f"UPDATE event SET content = {content} WHERE seq = 1")
    other.execute(sql)
    other.close()
    with pytest.raises(JournalDamaged, match="event 1 is not as it was written"):
        opened()


def test_a_name_in_the_schema_that_has_become_a_blob_is_found(
    path: Path, opened: Callable[[], Journal]
) -> None:
    """The same bytes of another type: one bit of a row's header."""
    journal = opened()
    _fill(journal)
    journal.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA writable_schema = ON")
    other.execute("UPDATE sqlite_schema SET tbl_name = CAST(tbl_name AS BLOB) WHERE name = 'sale_overpaid'")
    other.close()
    with pytest.raises(JournalDamaged, match="schema sale_overpaid is not as it was written"):
        opened()
