"""Zs in the journal: one after the other, read again as they were, named where they were changed, salvaged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, State
from pos_app.domain.day import CLOCK_MOVED, DAY, OlderZ, Shift, digested, totals
from pos_app.domain.installation import TAKEN
from pos_app.domain.record import Record
from pos_app.domain.takings import Tally
from pos_app.engine.core.rebuild import records_of
from pos_app.journal import Journal, open_journal, read_only
from pos_app.journal.salvage import Salvage, salvage, salvage_all
from tests.support.builders import INSTALLATION, KEY, WALL, attempt, ended, intent, person, record
from tests.support.day_records import z_record
from tests.unit.journal.tampering import tamper

DIFFERS = "is not what the events say"


def paid(number: int, receipt: int, at: int, state: State = State.PAID) -> list[Record]:
    """A sale from its intent to its money."""
    numbered = attempt(number, receipt=receipt, receipt_of=INSTALLATION)
    return [intent(number), ended(numbered, state, at)]


def note(kind: str, subject: str, at: int, **facts: object) -> Record:
    """Something of people or of the till."""
    return Record(kind=kind, subject=subject, actor=subject, at=at, wall=WALL, **facts)  # type: ignore[arg-type]


@pytest.fixture
def two_days(journal: Journal) -> Journal:
    """A Z of one payment; then a late one of the first day, a correction of its Z, a second Z, and one more payment."""
    content = {"before": INSTALLATION, "installation_id": INSTALLATION, "why": "", "machine": ""}
    journal.append([note(TAKEN, "installation", 1, content=content), *paid(1, 1, 10), intent(2)])
    journal.append([note("PERSON_ENROLLED", "p1", 11, person=person(1))])
    journal.append([note("SIGNED_IN", "p1", 11)])
    journal.append([z_record(journal, 20)])
    journal.append([ended(attempt(2, receipt=2, receipt_of=INSTALLATION), State.PAID, 30)])
    journal.append([ended(attempt(1, receipt=1, receipt_of=INSTALLATION), State.DISPUTED, 10)])
    journal.append([note("SIGNED_IN", "p1", 31), note("SWITCHED", "p1", 32), note(CLOCK_MOVED, DAY, 33)])
    journal.append([z_record(journal, 40)])
    journal.append(paid(3, 3, 50))
    return journal


def test_each_z_says_its_own_range(two_days: Journal) -> None:
    """And the open period what has come since."""
    first, second = two_days.z(1), two_days.z(2)
    assert first is not None
    assert second is not None
    assert (totals(first.entries, "LKR").taken, totals(second.entries, "LKR").taken) == (
        Tally(1, 1250),
        Tally(1, 1250),
    )
    assert [(each.z, each.attempt_id) for each in second.late_from] == [(1, attempt(2).attempt_id)]
    assert [(each.z, each.attempt_id) for each in second.corrections] == [(1, attempt(1).attempt_id)]
    assert second.corrections[0].receipt == f"SBX-T{INSTALLATION}-R000001"
    assert (first.clock_moved, second.clock_moved) == (False, True)
    assert first.shifts == (Shift("p1", 6, WALL),)
    assert [each.from_seq for each in second.shifts] == [10]
    assert [(each.first, each.last) for each in second.receipts] == [(2, 2)]
    assert two_days.period().last_money == WALL
    opened = two_days.opened()
    assert (opened.number, opened.first, opened.newest) == (3, "2026-03-02T10:15+05:30", WALL)
    assert (opened.began_at, opened.began) == (40, WALL)
    assert two_days.attempt_of_receipt(INSTALLATION, 3) == two_days.attempt(attempt(3).attempt_id)
    assert two_days.attempt_of_receipt(INSTALLATION, 9) is None
    assert two_days.inspection().findings() == []


def test_a_z_is_found_by_number_request_date_and_as_the_newest(two_days: Journal) -> None:
    """Each time as it was committed, and beside the till too."""
    newest = two_days.last_z()
    assert newest is not None
    assert two_days.z_of_request(newest.request_id) == two_days.z(2) == newest
    assert two_days.zs_of_date(newest.business_date) == [two_days.z(1), newest]
    assert two_days.zs_of_date("2020-01-01") == []
    assert two_days.z(9) is two_days.z_of_request("x") is None
    assert newest.digest == two_days.z_digest(digested(newest))
    queries = read_only(two_days.path)
    assert queries.last_z() == newest
    queries.close()


@pytest.mark.parametrize("facts", [{"number": 2}, {"from_seq": 2}, {"to_seq": 9}])
def test_a_z_that_does_not_follow_is_not_written(journal: Journal, facts: dict[str, int]) -> None:
    """Nothing of its transaction is: our bug, and no Z."""
    journal.append(paid(1, 1, 10))
    with pytest.raises(ValueError, match="is not the one that follows"):
        journal.append([z_record(journal, 20, **facts)])
    assert journal.last_z() is None
    journal.append([z_record(journal, 20)])
    assert journal.last_z() is not None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DELETE FROM z_report WHERE number = 2", "z_report 13 does not show event 13"),
        ("UPDATE z_report SET request = 'x' WHERE number = 1", f"z_report 1 {DIFFERS}"),
        ("UPDATE z_report SET seq = 8 WHERE number = 1", f"z_report 1 {DIFFERS}"),
        ("UPDATE z_report SET seq = 99 WHERE number = 2", f"z_report 2 {DIFFERS}"),
        ("UPDATE takings SET amount = 1 WHERE period = 1", f"takings of period 1 {DIFFERS}"),
        ("UPDATE takings SET hour = '' WHERE period = 2", f"takings of period 2 {DIFFERS}"),
        ("DELETE FROM takings WHERE period = 3", f"takings of period 3 {DIFFERS}"),
        ("DELETE FROM remark", f"attempt {attempt(1).attempt_id} {DIFFERS}"),
        ("UPDATE remark SET of_period = 0", f"attempt {attempt(2).attempt_id} {DIFFERS}"),
        ("UPDATE remark SET kind = 'late'", f"attempt {attempt(1).attempt_id} {DIFFERS}"),
        ("UPDATE attempt SET period = 2 WHERE place = 30001", f"attempt {attempt(3).attempt_id} {DIFFERS}"),
    ],
)
def test_changed_tables_of_days_are_told_and_made_anew(
    path: Path, two_days: Journal, change: str, told: str
) -> None:
    """From the events, in which the Zs are."""
    before = two_days.period()
    tamper(path, change)
    found = two_days.inspection().findings()
    assert told in map(str, found)
    assert all(each.tables_only for each in found)
    two_days.rebuild_projections()
    assert two_days.inspection().findings() == []
    assert two_days.period() == before


def test_a_late_payment_that_is_disputed_before_its_z_is_named_by_none(journal: Journal) -> None:
    """It was late money for a while, in no Z."""
    journal.append([intent(1)])
    journal.append([z_record(journal, 20)])
    journal.append([ended(attempt(1), State.PAID_LATE, 30)])
    assert len(journal.period().late_from) == 1
    journal.append([ended(attempt(1), State.DISPUTED, 30)])
    assert journal.period().late_from == journal.period().corrections == ()
    assert journal.inspection().findings() == []


def _anew(found: Salvage, path: Path, opened: Callable[[], Journal]) -> Journal:
    """A journal that is begun beside the damaged one."""
    path.rename(path.with_name("damaged.sqlite"))
    for end in ("-wal", "-shm", ".anchor"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    journal = opened()
    journal.append(records_of(found, "damaged", 60, datetime(2026, 3, 3, tzinfo=UTC)))
    return journal


def test_a_rebuilt_journal_counts_nothing_twice(
    path: Path, two_days: Journal, opened: Callable[[], Journal]
) -> None:
    """What a Z of the old one counts is not in the first of the new one, which names the old one's last."""
    last = two_days.last_z()
    assert last is not None
    two_days.close()
    found = salvage(path, KEY, Environment.SANDBOX)
    assert found.last_z == OlderZ(2, INSTALLATION, last.digest, proven=True)
    assert found.counted.in_z == {attempt(2).attempt_id: 2}
    journal = _anew(found, path, opened)
    assert totals(journal.period().entries, "LKR").taken == Tally(1, 1250)
    assert journal.period().older == found.last_z
    assert journal.last_receipt(journal.installation_id) == 0
    kept = journal.attempt(attempt(3).attempt_id)
    assert kept is not None
    assert kept.receipt == 3
    assert journal.inspection().findings() == []
    disputed = ended(attempt(2, receipt=2, receipt_of=INSTALLATION), State.DISPUTED, 30)
    journal.append([disputed])
    assert [each.z for each in journal.period().corrections] == [0]
    journal.append([z_record(journal, 70)])
    first = journal.z(1)
    assert first is not None
    assert first.previous == last.digest
    # And once more: both are there together.
    journal.close()
    again = salvage_all([path, path.with_name("damaged.sqlite")], KEY, Environment.SANDBOX)
    assert again.last_z is not None
    assert (again.last_z.number, again.last_z.installation_id) == (1, INSTALLATION)
    assert again.counted.in_z[attempt(3).attempt_id] == 1


def test_what_was_taken_over_and_closed_by_no_z_is_remembered(
    path: Path, two_days: Journal, opened: Callable[[], Journal]
) -> None:
    """A second damage before the first Z of the new one."""
    two_days.close()
    journal = _anew(salvage(path, KEY, Environment.SANDBOX), path, opened)
    journal.close()
    again = salvage(path, KEY, Environment.SANDBOX)
    assert again.counted.in_z == {attempt(2).attempt_id: 2}
    assert again.last_z is not None
    assert again.last_z.number == 2


@pytest.fixture
def open_day(journal: Journal) -> Journal:
    """Three payments of a day that is closed, and on the next one: the first is disputed, the second paid, late, the
    third disputed and paid after all; and a fourth, begun and paid then.
    """
    journal.append([*paid(1, 1, 10), intent(2), *paid(3, 2, 10)])
    journal.append([z_record(journal, 20)])
    journal.append([ended(attempt(1, receipt=1, receipt_of=INSTALLATION), State.DISPUTED, 10)])
    journal.append([ended(attempt(2, receipt=3, receipt_of=INSTALLATION), State.PAID_LATE, 30)])
    third = attempt(3, receipt=2, receipt_of=INSTALLATION)
    journal.append([ended(third, State.DISPUTED, 10), ended(third, State.PAID, 10)])
    journal.append(paid(4, 4, 40))
    return journal


def _named_in(journal: Journal) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    period = journal.period()
    corrections = [(each.z, each.attempt_id) for each in period.corrections]
    return [(each.z, each.attempt_id) for each in period.late_from], corrections


def test_what_no_z_of_a_damaged_journal_says_of_money_is_said_by_the_next_one(
    path: Path, open_day: Journal, opened: Callable[[], Journal]
) -> None:
    """That money is none any more which its Z counts, and that other money came behind that Z. Once."""
    open_day.close()
    journal = _anew(salvage(path, KEY, Environment.SANDBOX), path, opened)
    said = [(0, attempt(2).attempt_id)], [(0, attempt(1).attempt_id)]
    assert _named_in(journal) == said
    assert totals(journal.period().entries, "LKR").taken == Tally(2, 2500)
    assert journal.takings_agree()
    assert journal.inspection().findings() == []
    # A second damage before its first Z.
    journal.close()
    found = salvage_all([path, path.with_name("damaged.sqlite")], KEY, Environment.SANDBOX)
    path.with_name("damaged.sqlite").unlink()
    journal = _anew(found, path, opened)
    assert _named_in(journal) == said
    journal.append([z_record(journal, 70)])
    z = journal.z(1)
    assert z is not None
    assert (z.grand["LKR"].taken, z.grand["LKR"].corrected) == (2500, 1250)
    # And a third one, behind it.
    journal.close()
    found = salvage(path, KEY, Environment.SANDBOX)
    assert (found.counted.corrected, found.counted.late) == ({}, set())
    assert found.counted.in_z == {attempt(number).attempt_id: 1 for number in (2, 3, 4)}
    path.with_name("damaged.sqlite").unlink()
    journal = _anew(found, path, opened)
    assert _named_in(journal) == ([], [])


def test_of_what_was_taken_over_and_cannot_be_read_the_older_journal_knows_it_still(
    path: Path, open_day: Journal, opened: Callable[[], Journal]
) -> None:
    """A second damage that took what the first one had left."""
    open_day.close()
    older = salvage(path, KEY, Environment.SANDBOX)
    journal = _anew(older, path, opened)
    journal.close()
    tamper(path, "UPDATE event SET content = 'x' WHERE kind = 'RECOVERED'")
    found = salvage_all([path, path.with_name("damaged.sqlite")], KEY, Environment.SANDBOX)
    assert (found.counted.corrected, found.counted.late) == (older.counted.corrected, older.counted.late)
    assert found.counted.corrected == {attempt(1).attempt_id: (1, "PAID")}
    assert found.counted.late == {attempt(2).attempt_id}


def _spoil(path: Path, kind: str, attempt_id: str, last: int = 0) -> None:
    """The `last`-newest event of this kind about a payment is not as it was written."""
    tamper(
        path,
        f"""UPDATE event SET actor = 'x' WHERE seq = (SELECT seq FROM event WHERE kind = '{kind}'
        AND subject = '{attempt_id}' ORDER BY seq DESC LIMIT 1 OFFSET {last})""",
    )


def _again(
    path: Path, journal: Journal, opened: Callable[[], Journal], place: int
) -> tuple[Salvage, Journal]:
    """The journal is damaged once more, beside all that lie there; what is had of them, and the next one."""
    journal.close()
    older = [path.with_name(f"damaged{each}.sqlite") for each in range(place, 0, -1)]
    found = salvage_all([path, *older], KEY, Environment.SANDBOX)
    journal = _anew(found, path, opened)
    path.with_name("damaged.sqlite").rename(path.with_name(f"damaged{place + 1}.sqlite"))
    return found, journal


def test_what_the_next_journals_z_counts_is_not_counted_again_where_its_taking_over_cannot_be_read(
    path: Path, open_day: Journal, opened: Callable[[], Journal]
) -> None:
    """One event was enough to have a payment in two Zs."""
    _, journal = _again(path, open_day, opened, 0)
    journal.append([z_record(journal, 70)])
    for number in (1, 2, 4):
        _spoil(path, "RECOVERED", attempt(number).attempt_id)
    found, journal = _again(path, journal, opened, 1)
    assert found.counted.in_z.keys() == {attempt(number).attempt_id for number in (2, 3, 4)}
    assert totals(journal.period().entries, "LKR").taken == Tally()
    assert _named_in(journal) == ([], [])


def test_what_becomes_of_a_payment_whose_taking_over_cannot_be_read_is_said(
    path: Path, open_day: Journal, opened: Callable[[], Journal]
) -> None:
    """A later event of it can: it was counted once more, or corrected by nobody."""
    _, journal = _again(path, open_day, opened, 0)
    third = attempt(3, receipt=2, receipt_of=INSTALLATION)
    journal.append([ended(third, State.DISPUTED, 10)])
    journal.append([ended(attempt(1, receipt=1, receipt_of=INSTALLATION), State.PAID, 10)])
    for number in (1, 3):
        _spoil(path, "RECOVERED", attempt(number).attempt_id)
    found, journal = _again(path, journal, opened, 1)
    assert found.counted.corrected == {third.attempt_id: (1, "PAID")}
    assert found.counted.in_z == {attempt(1).attempt_id: 1}
    assert totals(journal.period().entries, "LKR").taken == Tally(2, 2500)


def test_a_correction_that_a_z_names_is_not_named_again_where_its_event_cannot_be_read(
    path: Path, journal: Journal, opened: Callable[[], Journal]
) -> None:
    one = attempt(1, receipt=1, receipt_of=INSTALLATION)
    journal.append(paid(1, 1, 10))
    journal.append([z_record(journal, 20)])
    journal.append([record(replace(one, state=State.DISPUTED, ended_at=10), "STATUS_ANSWERED", 30)])
    journal.append([z_record(journal, 40)])
    journal.append([ended(one, State.SIGNED_OFF, 10)])
    _spoil(path, "STATUS_ANSWERED", one.attempt_id)
    found, journal = _again(path, journal, opened, 0)
    assert (found.counted.in_z, found.counted.corrected) == ({}, {})
    assert _named_in(journal) == ([], [])


@pytest.mark.parametrize("then", [State.PAID, State.DISPUTED])
@pytest.mark.parametrize("closed", [True, False])
def test_money_whose_own_event_cannot_be_read_is_of_the_z_that_its_time_says(
    path: Path, journal: Journal, opened: Callable[[], Journal], closed: bool, then: State
) -> None:
    """What became of it since can: it was counted once more, and called late."""
    one = replace(attempt(1, receipt=1, receipt_of=INSTALLATION), ended_at=10)
    journal.append([intent(1), record(replace(one, state=State.PAID), "STATUS_ANSWERED", 10)])
    if closed:
        journal.append([z_record(journal, 20)])
    path_ = () if then is State.PAID else (State.PAID, then)
    journal.append([record(replace(one, state=then), "CLOSE", 30, path=path_)])
    journal.close()
    _spoil(path, "STATUS_ANSWERED", one.attempt_id)
    _, journal = _again(path, journal, opened, 0)
    is_money = then is State.PAID
    assert totals(journal.period().entries, "LKR").taken.count == int(is_money and not closed)
    assert _named_in(journal) == ([], [(0, one.attempt_id)] if closed and not is_money else [])


def test_late_money_that_is_disputed_before_it_is_taken_over_is_named_by_none(
    path: Path, open_day: Journal, opened: Callable[[], Journal]
) -> None:
    """No Z counts it."""
    open_day.append([ended(attempt(2, receipt=3, receipt_of=INSTALLATION), State.DISPUTED, 30)])
    open_day.close()
    journal = _anew(salvage(path, KEY, Environment.SANDBOX), path, opened)
    assert _named_in(journal) == ([], [(0, attempt(1).attempt_id)])


def test_an_older_z_that_nothing_proves_hides_no_proven_one(path: Path, two_days: Journal) -> None:
    """Somebody wrote another number into the second."""
    two_days.close()
    tamper(path, """UPDATE event SET content = replace(content, '"number":2', '"number":1') WHERE seq = 13""")
    found = salvage(path, KEY, Environment.SANDBOX)
    assert found.last_z is not None
    assert (found.last_z.number, found.last_z.proven) == (1, True)


def test_a_payment_that_is_looked_at_again_stays_in_its_z(path: Path, journal: Journal) -> None:
    """Only what becomes of it moves it."""
    journal.append(paid(1, 1, 10))
    journal.append([z_record(journal, 20)])
    journal.append(paid(1, 1, 10)[1:])
    journal.close()
    assert salvage(path, KEY, Environment.SANDBOX).counted.in_z == {attempt(1).attempt_id: 1}


def test_what_ended_unpaid_is_found_the_newest_first(journal: Journal) -> None:
    """For a closing to ask about once more: neither money, nor what is open."""
    for number, state in enumerate((State.FAILED, State.PAID, State.CANCELLED, State.FAILED), 1):
        journal.append([intent(number), ended(attempt(number), state, number * 10)])
    journal.append([intent(5)])
    names = [attempt(number).attempt_id for number in (4, 3, 1)]
    assert [each.attempt_id for each in journal.ended_unpaid(0, 9)] == names
    assert [each.attempt_id for each in journal.ended_unpaid(30, 9)] == names[:2]
    assert [each.attempt_id for each in journal.ended_unpaid(0, 1)] == names[:1]


def test_an_unproven_z_is_named_as_one(path: Path, two_days: Journal) -> None:
    """Whoever can write the file may have made it; a proven one is believed for what it counts."""
    two_days.close()
    tamper(path, "UPDATE event SET mac = zeroblob(32) WHERE seq >= 9")
    found = salvage(path, KEY, Environment.SANDBOX)
    assert found.last_z is not None
    assert (found.last_z.number, found.last_z.proven) == (2, False)
    assert found.counted.in_z == {attempt(1).attempt_id: 1}
    tamper(path, "UPDATE event SET mac = zeroblob(32)")
    nothing = salvage(path, KEY, Environment.SANDBOX)
    assert nothing.counted.in_z == {}
    assert nothing.last_z is not None
    assert not nothing.last_z.proven


def test_a_receipt_is_found_by_its_number_and_the_newest_without_one(two_days: Journal) -> None:
    """Of whatever this journal was; one that it never gave is nobody's."""
    assert two_days.newest_receipt() == two_days.attempt(attempt(3).attempt_id)
    assert two_days.receipt_numbered(2) == two_days.attempt(attempt(2).attempt_id)
    assert two_days.receipt_numbered(9) is None
    assert two_days.installations() == frozenset({INSTALLATION})


def test_no_money_no_receipt(journal: Journal) -> None:
    assert journal.newest_receipt() is None
    assert journal.receipt_numbered(1) is None


def test_a_receipts_code_is_this_journals_alone(journal: Journal, tmp_path: Path) -> None:
    """Another key makes another code of the same text, and another text another code."""
    code = journal.receipt_code("T7K3M9QRD-R000001 1250.00")
    assert journal.receipt_code("T7K3M9QRD-R000001 1250.00") == code
    assert journal.receipt_code("T7K3M9QRD-R000001 1250.01") != code
    other = open_journal(tmp_path / "other.sqlite", b"o" * 32, Environment.SANDBOX)
    try:
        assert other.receipt_code("T7K3M9QRD-R000001 1250.00") != code
    finally:
        other.close()
