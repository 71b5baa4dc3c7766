"""Writing: all or nothing, durable before it returns, and never half a transaction left behind."""

from __future__ import annotations

import sqlite3
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pos_app.domain.attempt import State
from pos_app.domain.record import Record
from pos_app.journal import Journal, JournalTrouble, Trouble
from pos_app.journal.opening import connect
from tests.support.builders import attempt, ended, intent, person, record


def test_sequence_numbers_have_no_gaps(journal: Journal) -> None:
    """1..n over single and joined appends."""
    assert journal.append([intent(1)]) == 1
    assert journal.append([intent(2), intent(3)]) == 3
    assert journal.append([]) == 3
    assert journal.append([intent(4)]) == 4
    assert journal.verify().checked == 4


def test_a_record_comes_back_as_it_was_handed_over(journal: Journal) -> None:
    """Exact amounts, states and content."""
    first = intent(1, amount=Decimal("0.10"))
    seen = record(attempt(1, amount=Decimal("0.10")), content={"digits": "10.00", "list": [1, None, True]})
    journal.append([first, seen])
    assert journal.events_of(first.subject) == [first, seen]


def test_every_commit_is_on_the_disk_before_it_returns(path: Path, journal: Journal) -> None:
    """The settings that make it so; a copy of the files taken after an append holds it."""
    connection = connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()
    journal.append([intent(1)])
    copy = path.with_name("copy.sqlite")
    for ending in ("", "-wal"):
        copy.with_name(copy.name + ending).write_bytes(path.with_name(path.name + ending).read_bytes())
    taken = sqlite3.connect(copy)
    assert taken.execute("SELECT count(*) FROM event").fetchone() == (1,)
    taken.close()


class _Odd:
    """Nothing JSON knows."""


@pytest.mark.parametrize(
    "wrong",
    [
        record(attempt(2), content={"odd": _Odd()}),
        record(attempt(2), at=2**63),
        record(msgspec.structs.replace(attempt(2), tapped_at=2**63), at=1),
        record(msgspec.structs.replace(attempt(2), attempt_id="SBX-T7K3M9QRD-0003-1-K7Q2M9")),
        record(msgspec.structs.replace(attempt(2), sale_id="two")),
    ],
    ids=["content", "header", "snapshot", "another attempt's number", "no number"],
)
def test_a_record_that_cannot_be_written_leaves_nothing(journal: Journal, wrong: Record) -> None:
    """Neither itself nor its neighbours, nor an open transaction; the next append goes on."""
    journal.append([intent(1)])
    head = journal.head()
    with pytest.raises((TypeError, ValueError, OverflowError, struct.error)):
        journal.append([intent(7), wrong])
    assert journal.head() == head
    assert journal.attempt(intent(7).subject) is None
    assert journal.append([intent(8)]) == 2
    assert not journal.verify().broken_at


def test_another_installations_attempt_is_not_overwritten(journal: Journal) -> None:
    """The same sale and number under another identity is our bug and must not replace what is there."""
    journal.append([intent(1)])
    other = msgspec.structs.replace(attempt(1), attempt_id="SBX-TAAAAAAAA-0001-1-K7Q2M9")
    with pytest.raises(ValueError, match="another installation"):
        journal.append([record(other)])
    assert journal.attempt(attempt(1).attempt_id) == attempt(1)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "nul\0", "\x1b[31m", "\u202eover", "x" * 100_000])
def test_no_text_keeps_a_payment_from_being_recorded(journal: Journal, text: str) -> None:
    """Lone surrogates, NUL and controls, in any field and at any depth (docs/failure-model.md, fault 37)."""
    of = attempt(1, qr_text=text, invoice_number=text, owner=text)
    journal.append([record(of, actor=text, content={"reply": [text, {text: text}]})])
    found = journal.attempt(of.attempt_id)
    assert found is not None
    assert found.amount == of.amount
    assert found.state is of.state
    (event,) = journal.events_of(of.attempt_id)
    assert "\0" not in event.actor
    assert not journal.verify().broken_at


def test_a_clean_text_is_kept_to_the_letter(journal: Journal) -> None:
    """Replacing is for what cannot be stored alone."""
    text = "Café – නව \U0001f642 \\ \" '"
    journal.append([record(attempt(1, qr_text=text), actor=text, content={"t": text})])
    (event,) = journal.events_of(attempt(1).attempt_id)
    assert (event.actor, event.content, event.attempt) == (text, {"t": text}, attempt(1, qr_text=text))


@pytest.mark.parametrize(
    "sql", ["UPDATE event SET at = 0", "DELETE FROM event", "DELETE FROM event WHERE 0=0"]
)
def test_events_are_neither_changed_nor_deleted(path: Path, journal: Journal, sql: str) -> None:
    """The file itself refuses, whoever asks."""
    journal.append([intent(1)])
    other = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="events are never"):
        other.execute(sql)
    other.close()


def test_a_closed_journal_is_folded_into_one_file(path: Path, journal: Journal) -> None:
    """No log is left behind, and closing again does nothing."""
    journal.append([intent(1)])
    journal.close()
    journal.close()
    assert not path.with_name("journal.sqlite-wal").exists()


def test_a_file_moved_away_under_the_till_is_trouble(path: Path, journal: Journal) -> None:
    """SQLite would go on writing into the file that nobody will open again."""
    journal.append([intent(1)])
    path.rename(path.with_name("elsewhere.sqlite"))
    with pytest.raises(JournalTrouble) as caught:
        journal.append([intent(2)])
    assert caught.value.trouble is Trouble.MOVED
    path.with_name("elsewhere.sqlite").rename(path)
    assert journal.append([intent(2)]) == 2


def test_what_an_end_frees_is_found_by_it(journal: Journal) -> None:
    """The indexed columns follow an attempt that is changed in place."""
    journal.append([intent(1), person_record()])
    assert [one.state for one in journal.open_attempts()] == [State.INTENT]
    journal.append([ended(attempt(1), State.FAILED, 9_000)])
    assert journal.open_attempts() == []
    assert [one.ended_at for one in journal.attempts_to_watch(8_999)] == [9_000]


def person_record(**facts: Any) -> Record:
    """A cashier is enrolled."""
    return Record(
        kind="PERSON_ENROLLED", subject="p1", actor="terminal", at=1, wall="", person=person(1, **facts)
    )
