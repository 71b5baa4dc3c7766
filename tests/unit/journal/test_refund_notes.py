"""Refund notes in the journal: one after the other, ended once, never forgotten, made anew, named where changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime, time
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.day import content_of as z_content
from pos_app.domain.day import digested, z_in
from pos_app.domain.export import Span
from pos_app.domain.rebuilt_journal import JOURNAL
from pos_app.domain.record import Record
from pos_app.domain.refund import (
    REFUND_GIVEN,
    REFUND_NOTED,
    REFUND_RECOVERED,
    REFUND_WITHDRAWN,
    Note,
    NoteReason,
    NoteState,
    NoteSums,
    NoteWay,
    Signed,
    Wish,
    as_promised,
    content_of,
    given,
    note_of,
    subject_of,
    withdrawn,
)
from pos_app.domain.takings import Tally
from pos_app.engine.core.rebuild import records_of
from pos_app.journal import Journal, JournalDamaged, set_aside
from pos_app.journal.acts import OF_VERSION_7, condition
from pos_app.journal.exporting import Exporting
from pos_app.journal.history import History
from pos_app.journal.salvage import salvage, salvage_all
from tests.support.builders import KEY, WALL, attempt, ended, intent
from tests.support.day_records import z_record
from tests.unit.journal.dump import tables
from tests.unit.journal.tampering import tamper

DIFFERS = "is not what the events say"
SIGNED = Signed(by="p2", wall=WALL, name="Kamala")
ONE, TWO = attempt(1), attempt(2)


def note(number: int, of: Attempt = ONE, amount: str = "5.00", **facts: object) -> Note:
    """A promise about a payment."""
    paid = msgspec.structs.replace(of, state=State.PAID)
    wish = Wish(amount=Decimal(amount), reason=NoteReason.RETURNED, way=NoteWay.CASH)
    return msgspec.structs.replace(note_of(number, wish, paid, SIGNED), **facts)


def record(note: Note, kind: str = REFUND_NOTED) -> Record:
    """What the engine writes of it."""
    subject = subject_of(note.number)
    return Record(kind=kind, subject=subject, actor="p2", at=9_000, wall=WALL, content=content_of(note))


def gave(note: Note) -> Record:
    """The slip is signed."""
    return record(given(note, SIGNED), REFUND_GIVEN)


def took_back(note: Note) -> Record:
    """It was promised by mistake."""
    return record(withdrawn(note, SIGNED, "by mistake"), REFUND_WITHDRAWN)


@pytest.fixture
def noted(journal: Journal) -> Journal:
    """Two payments: of the first one note is given and one open, of the second one withdrawn."""
    for of in (ONE, TWO):
        journal.append([intent(int(of.sale_id))])
        journal.append([ended(of, State.PAID, int(of.sale_id) * 1000 + 500)])
    journal.append([record(note(1)), record(note(2, TWO, "12.50")), record(note(3, amount="2.50"))])
    journal.append([gave(note(1))])
    journal.append([took_back(note(2, TWO, "12.50"))])
    return journal


def test_they_are_found_by_number_by_payment_and_where_they_are_open(noted: Journal) -> None:
    assert noted.last_note() == 3
    assert [each.number for each in noted.open_notes()] == [3]
    assert [(each.number, each.state) for each in noted.notes_of(ONE.attempt_id)] == [
        (1, NoteState.GIVEN),
        (3, NoteState.PROMISED),
    ]
    assert noted.note(2) == withdrawn(note(2, TWO, "12.50"), SIGNED, "by mistake")
    assert noted.note(4) is None
    assert [each.number for each in noted.newest_notes(2)] == [3, 2]
    assert [each.number for each in noted.newest_notes(9, before=3)] == [2, 1]
    assert noted.notes_of("SBX-no-such") == []


def test_what_stands_of_payments_is_told_together(noted: Journal, path: Path) -> None:
    ids = [ONE.attempt_id, TWO.attempt_id, "SBX-no-such"]
    assert noted.noted_of(ids) == {ONE.attempt_id: Decimal("7.50")}
    assert History(path).noted([ONE, TWO]) == {ONE.attempt_id: Decimal("7.50")}
    assert noted.noted_between(0, 99_999) == 1
    assert noted.noted_between(0, 500) == 0
    noted.append([record(note(4, TWO, "1.25"))])
    assert noted.noted_of(ids) == {ONE.attempt_id: Decimal("7.50"), TWO.attempt_id: Decimal("1.25")}


def test_an_empty_journal_has_none(journal: Journal) -> None:
    assert (journal.last_note(), journal.open_notes(), journal.noted_of([])) == (0, [], {})


@pytest.mark.parametrize("number", [0, 1, 3, 5])
def test_no_number_is_given_twice_or_left_out(noted: Journal, number: int) -> None:
    with pytest.raises(ValueError, match="is not the one that follows"):
        noted.append([record(note(number))])
    assert noted.last_note() == 3
    assert noted.inspection().findings() == []
    noted.append([record(note(4))])


@pytest.mark.parametrize("number", [1, 2, 7])
def test_a_note_ends_once(noted: Journal, number: int) -> None:
    of = TWO if number == 2 else ONE
    with pytest.raises(ValueError, match="is not open"):
        noted.append([gave(note(number, of))])
    assert noted.inspection().findings() == []


def test_a_note_is_of_one_payment_for_ever(noted: Journal) -> None:
    with pytest.raises(ValueError, match="is not open"):
        noted.append([gave(note(3, TWO))])


def test_a_period_has_what_happened_in_it_by_the_events(noted: Journal) -> None:
    period = noted.period()
    assert period.noted == {
        "LKR": NoteSums(
            made=Tally(3, 2_000), given=Tally(1, 500), withdrawn=Tally(1, 1_250), open=Tally(1, 250)
        )
    }
    assert [(each.number, each.state) for each in period.notes] == [
        (1, NoteState.GIVEN),
        (2, NoteState.WITHDRAWN),
        (3, NoteState.PROMISED),
    ]
    noted.append([z_record(noted, 20_000)])
    later = noted.period()
    assert later.noted == {"LKR": NoteSums(open=Tally(1, 250))}
    assert [each.number for each in later.notes] == [3]


def test_a_z_keeps_its_notes_and_an_old_one_its_digest(noted: Journal) -> None:
    noted.append([z_record(noted, 20_000)])
    z = noted.z(1)
    assert z is not None
    assert z_in(z_content(z)) == z
    bare = msgspec.structs.replace(z, notes=(), noted={})
    assert "note" not in digested(msgspec.structs.replace(bare, grand={}, acts={}))


def test_the_table_is_made_anew_from_the_events(path: Path, noted: Journal) -> None:
    before = tables(path)
    assert len(before["refund_note"]) == 3
    noted.rebuild_projections()
    assert tables(path) == before
    assert noted.inspection().findings() == []


def test_who_noted_and_gave_is_an_act(noted: Journal) -> None:
    kinds = [each.kind for each in noted.newest_acts(9)]
    assert kinds == [REFUND_WITHDRAWN, REFUND_GIVEN, REFUND_NOTED, REFUND_NOTED, REFUND_NOTED]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE refund_note SET state = 'GIVEN' WHERE number = 3", [f"refund note 3 {DIFFERS}"]),
        ("UPDATE refund_note SET open = 1 WHERE number = 2", [f"refund note 2 {DIFFERS}"]),
        ("UPDATE refund_note SET place = 20001 WHERE number = 3", [f"refund note 3 {DIFFERS}"]),
        (
            "UPDATE refund_note SET snapshot = replace(snapshot, '5.00', '0.01') WHERE number = 1",
            [f"refund note 1 {DIFFERS}"],
        ),
        (
            "UPDATE refund_note SET seq = 5 WHERE number = 1",
            [f"refund note 1 {DIFFERS}", "refund note 1 does not show event 8"],
        ),
        (
            "UPDATE refund_note SET seq = 1 WHERE number = 3",
            [f"refund note 3 {DIFFERS}", "refund note 3 does not show event 7"],
        ),
        ("DELETE FROM refund_note WHERE number = 3", ["refund note 3 does not show event 7"]),
        (
            "INSERT INTO refund_note SELECT 9, seq, place, state, open, snapshot FROM refund_note WHERE number = 3",
            [f"refund note 9 {DIFFERS}"],
        ),
    ],
)
def test_a_changed_table_is_named(noted: Journal, path: Path, change: str, told: list[str]) -> None:
    """By whoever looks, and before a Z believes it."""
    tamper(path, change)
    assert sorted(map(str, noted.inspection().findings())) == sorted(told)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE refund_note SET state = 'GIVEN', open = 0 WHERE number = 3",
        "DELETE FROM refund_note WHERE number = 1",
    ],
)
def test_a_closing_does_not_believe_a_changed_note(noted: Journal, path: Path, change: str) -> None:
    assert noted.takings_agree()
    tamper(path, change)
    assert not noted.takings_agree()
    noted.rebuild_projections()
    assert noted.takings_agree()


def test_a_note_that_cannot_be_read_agrees_with_nothing(noted: Journal, path: Path) -> None:
    tamper(path, "UPDATE event SET content = '{\"event\":{}}' WHERE kind = 'REFUND_GIVEN'")
    assert not noted.takings_agree()


def test_a_journal_of_the_version_before_opens_and_goes_on(
    path: Path, noted: Journal, opened: Callable[[], Journal]
) -> None:
    """It had no notes; what was sold in it stays to the letter."""
    noted.close()
    path.unlink()
    path.with_name(f"{path.name}.anchor").unlink()
    old = opened()
    old.append([intent(1)])
    old.append([ended(ONE, State.PAID, 1_500)])
    head = old.head()
    old.close()
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in (
        "DROP TABLE refund_note",
        "DROP INDEX event_of_people",
        f"CREATE INDEX event_of_people ON event (seq) WHERE {condition(OF_VERSION_7)}",
        "PRAGMA user_version = 7",
    ):
        connection.execute(statement)
    connection.close()
    journal = opened()
    assert journal.head() == head
    assert journal.last_note() == 0
    journal.append([record(note(1))])
    assert [each.kind for each in journal.newest_acts(9)] == [REFUND_NOTED]
    assert journal.inspection().findings() == []


def test_a_damaged_journals_notes_are_taken_over_under_their_numbers(
    path: Path, noted: Journal, opened: Callable[[], Journal]
) -> None:
    """Else a payment could be noted once more; the next number is behind those that lie on paper."""
    noted.close()
    found = salvage(path, KEY, Environment.SANDBOX)
    assert [(number, each.state) for number, each in sorted(found.notes.items())] == [
        (1, NoteState.GIVEN),
        (2, NoteState.WITHDRAWN),
        (3, NoteState.PROMISED),
    ]
    assert salvage_all([path, path], KEY, Environment.SANDBOX).notes == found.notes
    tamper(path, "UPDATE event SET wall = 'x' WHERE seq = 1")
    with pytest.raises(JournalDamaged):
        opened()
    fresh = opened()
    fresh.append(records_of(found, "damaged", 10_000, datetime.fromisoformat(WALL)))
    assert [each.number for each in fresh.notes_of(ONE.attempt_id)] == [1, 3]
    assert [each.number for each in fresh.open_notes()] == [3]
    assert fresh.takings_agree()
    fresh.append([record(note(4))])
    fresh.append([gave(note(3, amount="2.50"))])
    assert fresh.inspection().findings() == []
    assert {each.subject for each in fresh.events_of(JOURNAL)} == {JOURNAL}


def _begun_anew(path: Path, journal: Journal, opened: Callable[[], Journal], *sql: str) -> Journal:
    """What follows when the journal is damaged: what can be read of it is in another one."""
    journal.close()
    tamper(path, *sql)
    found = salvage_all([path], KEY, Environment.SANDBOX)
    tamper(path, "UPDATE event SET wall = 'x' WHERE seq = 1")
    with pytest.raises(JournalDamaged):
        opened()
    fresh = opened()
    fresh.append(records_of(found, "damaged", 10_000, datetime.fromisoformat(WALL)))
    return fresh


def test_what_no_z_of_a_damaged_journal_says_of_its_notes_is_said_by_the_next_one(
    path: Path, noted: Journal, opened: Callable[[], Journal]
) -> None:
    """As its payments are: a refund of this very day was on no Z at all. Also of a journal that is damaged twice."""
    fresh = _begun_anew(path, noted, opened)
    fresh = _begun_anew(path, fresh, opened)
    sums = NoteSums(made=Tally(3, 2_000), given=Tally(1, 500), withdrawn=Tally(1, 1_250), open=Tally(1, 250))
    assert fresh.period().noted == {"LKR": sums}
    assert [(each.number, each.state) for each in fresh.period().notes] == [
        (1, NoteState.GIVEN),
        (2, NoteState.WITHDRAWN),
        (3, NoteState.PROMISED),
    ]
    fresh.append([gave(note(3, amount="2.50"))])
    fresh.append([z_record(fresh, 20_000)])
    z = fresh.z(1)
    assert z is not None
    assert z.grand["LKR"].noted == 2_000
    assert z.noted["LKR"].given == Tally(2, 750)
    assert fresh.period().noted == {}
    assert [each for each in _ledger(path, Span(z=1)) if each[0]] == [
        ("N-0001", "5.00", -1, 1),
        ("N-0002", "12.50", -1, 1),
        ("N-0002", "12.50", 1, 1),
        ("N-0003", "2.50", -1, 1),
    ]
    fresh = _begun_anew(path, fresh, opened)
    assert fresh.period().noted == {}, "that Z has said it"


def test_what_a_z_of_a_damaged_journal_says_of_its_notes_is_not_said_again(
    path: Path, noted: Journal, opened: Callable[[], Journal]
) -> None:
    noted.append([z_record(noted, 9_500)])
    noted.append([gave(note(3, amount="2.50"))])
    fresh = _begun_anew(path, noted, opened)
    assert fresh.period().noted == {"LKR": NoteSums(given=Tally(1, 250))}
    assert [each.number for each in fresh.period().notes] == [3]
    assert [each for each in _ledger(path, Span()) if each[0]] == []


def test_a_note_is_made_once_though_its_taking_over_is_spoilt_in_a_second_damage(
    path: Path, noted: Journal, opened: Callable[[], Journal]
) -> None:
    """It was handed out in the second journal, which can be read; that it was made stands in the first alone."""
    fresh = _begun_anew(path, noted, opened)
    fresh.append([gave(note(3, amount="2.50"))])
    sums = fresh.period().noted
    assert sums["LKR"].made == Tally(3, 2_000)
    fresh.close()
    taken_over = f"kind = '{REFUND_RECOVERED}' AND subject = 'note:3'"
    tamper(path, f"UPDATE event SET content = 'x' WHERE {taken_over}")
    with pytest.raises(JournalDamaged):
        opened()
    fresh = opened()
    found = salvage_all(set_aside(path), KEY, Environment.SANDBOX)
    fresh.append(records_of(found, "damaged", 10_000, datetime.fromisoformat(WALL)))
    assert fresh.period().noted == sums


@pytest.mark.parametrize(
    ("noted_at", "made"),
    [
        ("2026-03-02T10:20:00+05:30", 2),
        ("2026-03-01T10:20:00+05:30", 0),
        ("2026-03-02T10:20:00", 2),
        ("0001-01-01T00:00:00+05:30", 0),
    ],
)
def test_of_a_note_whose_beginning_is_lost_its_own_time_tells_whether_a_z_has_it(
    path: Path, noted: Journal, opened: Callable[[], Journal], noted_at: str, made: int
) -> None:
    """One is in its table alone, of another one only the handing over can be read."""
    late = [note(number, amount="1.00", noted=noted_at) for number in (4, 5)]
    noted.append([z_record(noted, 9_500)])
    noted.append([record(each) for each in late])
    noted.append([gave(late[1])])
    lost = "UPDATE event SET content = 'x' WHERE kind = 'REFUND_NOTED' AND subject IN ('note:4', 'note:5')"
    fresh = _begun_anew(path, noted, opened, lost)
    sums = fresh.period().noted["LKR"]
    assert sums.made == Tally(made, 100 * made)
    assert sums.given == Tally(1, 100)
    assert (sums.open.count, sums.open.amount) == (2, 350)


def test_a_note_that_a_spoilt_event_shows_is_promised_until_somebody_has_looked(
    path: Path, noted: Journal, opened: Callable[[], Journal]
) -> None:
    """Its payment could be noted once more else; what is proven of a note is not doubted because of another event."""
    noted.close()
    tamper(path, "UPDATE event SET actor = 'p9' WHERE kind IN ('REFUND_NOTED', 'REFUND_WITHDRAWN')")
    found = salvage(path, KEY, Environment.SANDBOX)
    with pytest.raises(JournalDamaged):
        opened()
    fresh = opened()
    fresh.append(records_of(found, "damaged", 10_000, datetime.fromisoformat(WALL)))
    states = {number: at.state for number in (1, 2, 3) if (at := fresh.note(number)) is not None}
    assert states == {1: NoteState.GIVEN, 2: NoteState.PROMISED, 3: NoteState.PROMISED}
    assert fresh.noted_of([ONE.attempt_id, TWO.attempt_id]) == {
        ONE.attempt_id: Decimal("7.50"),
        TWO.attempt_id: Decimal("12.50"),
    }
    assert fresh.last_note() == 3
    assert fresh.inspection().findings() == []


def test_a_note_whose_event_cannot_be_read_is_had_from_its_table(path: Path, noted: Journal) -> None:
    """As promised, whatever became of it; without it, its number was given again and its money noted once more."""
    noted.close()
    tamper(
        path,
        "UPDATE event SET content = 'x' WHERE subject LIKE 'note:%'",
        "UPDATE refund_note SET snapshot = 'x' WHERE number = 2",
    )
    found = salvage(path, KEY, Environment.SANDBOX)
    assert {number: each.state for number, each in found.all_notes().items()} == {
        1: NoteState.PROMISED,
        3: NoteState.PROMISED,
    }


def test_a_note_that_a_spoilt_event_makes_impossible_is_taken_over_by_nobody(
    path: Path, noted: Journal
) -> None:
    """More than its payment: no till has noted that."""
    noted.close()
    tamper(path, 'UPDATE event SET content = replace(content, \'"amount":"12.50"\', \'"amount":"99.50"\')')
    found = salvage(path, KEY, Environment.SANDBOX)
    assert [number for number, read in found.doubtful_notes.items() if read.amount > TWO.amount]
    assert all(each.amount <= TWO.amount for each in found.all_notes().values())


@pytest.mark.parametrize(
    "said",
    [
        {"number": 0},
        {"number": 1_000_000},
        {"amount": Decimal("12.51")},
        {"amount": Decimal(0)},
        {"amount": Decimal("0.001")},
        {"currency": "JPY"},
        {"noted": "yesterday"},
        {"attempt_id": TWO.attempt_id},
    ],
)
def test_what_no_till_can_have_noted_is_no_note(said: dict[str, object]) -> None:
    spoilt = msgspec.structs.replace(given(note(7), SIGNED), **said)
    assert as_promised(given(note(7), SIGNED), ONE) == note(7)
    assert as_promised(spoilt, ONE) is None
    assert as_promised(note(7), ONE, [note(8, amount="7.51")]) is None, "it was withdrawn before that one"


def test_a_note_is_taken_over_once(noted: Journal) -> None:
    with pytest.raises(ValueError, match="REFUND_RECOVERED"):
        noted.append([record(note(3), REFUND_RECOVERED)])
    noted.append([record(note(9), REFUND_RECOVERED)])
    assert noted.last_note() == 9


def _ledger(path: Path, span: Span) -> list[tuple[str, str, int, int]]:
    with Exporting(path, time(4)) as reading:
        return [
            (each.note, each.payment.amount, each.sign, each.place.z)
            for page in reading.ledger_pages(span)
            for each in page
        ]


def test_a_ledger_has_the_note_of_a_payment_that_a_damaged_journal_took_with_it(
    journal: Journal, path: Path
) -> None:
    """Taken over without its payment, and withdrawn here: a line of the books, as the note itself says it."""
    lost = note(4, TWO, "7.50", payer="94 77 *** 4567")
    journal.append([record(lost, REFUND_RECOVERED)])
    journal.append([took_back(lost)])
    with Exporting(path, time(4)) as reading:
        [line] = [each for page in reading.ledger_pages(Span()) for each in page]
    assert (line.note, line.payment.amount, line.sign, line.place.z) == ("N-0004", "7.50", 1, 0)
    assert (line.payment.kind, line.payment.wallet_mask) == (Kind.PUSH, "94 77 *** 4567")
    assert line.cashier == "", "who took it went with the payment"


@pytest.mark.usefixtures("noted")
def test_a_file_tells_each_payments_notes(path: Path) -> None:
    """What was withdrawn is none of them."""
    with Exporting(path, time(4)) as reading:
        [first, second] = [each.beside for page in reading.pages(Span()) for each in page]
    assert (first.refund_note, first.refunded) == ("N-0001 N-0003", "7.50")
    assert (second.refund_note, second.refunded) == ("", "")


def test_a_ledger_has_a_line_for_each_note_and_one_for_its_withdrawal(noted: Journal, path: Path) -> None:
    """On the day on which it was made, or taken back; the takings stay gross."""
    noted.append([z_record(noted, 20_000)])
    noted.append([took_back(note(3, amount="2.50"))])
    lines = [each for each in _ledger(path, Span()) if each[0]]
    assert lines == [
        ("N-0001", "5.00", -1, 1),
        ("N-0002", "12.50", -1, 1),
        ("N-0003", "2.50", -1, 1),
        ("N-0002", "12.50", 1, 1),
        ("N-0003", "2.50", 1, 0),
    ]
    assert [each for each in _ledger(path, Span(z=1)) if each[0]] == lines[:4]
