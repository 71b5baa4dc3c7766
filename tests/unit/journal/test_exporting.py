"""What an export reads: each payment once, with the Z that counts it, as of one moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, time
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.export import Entry, Span, is_money
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT, RECOVERED
from pos_app.domain.reconcile import (
    DIFFERENCE_DECIDED,
    DIFFERENCE_FOUND,
    DIFFERENCES_GONE,
    RECON,
    Difference,
    DifferenceKind,
)
from pos_app.domain.record import Record
from pos_app.domain.search import Meant, Only
from pos_app.domain.takings import MONEY_COLUMNS
from pos_app.engine.core.rebuild import records_of
from pos_app.journal import Exporting, Journal, JournalTrouble, Keys, Numbers, open_journal
from pos_app.journal.salvage import salvage
from tests.support.builders import INSTALLATION, KEY, WALL, attempt, intent, record, sale
from tests.support.day_records import z_record

CUTOFF = time(4)


def journal_at(path: Path) -> Journal:
    return open_journal(path, KEY, Environment.SANDBOX)


def at(of: Attempt, state: State, when: int, wall: str = "2026-03-02T10:15:30.000+05:30") -> Record:
    """What becomes of it; a receipt with the first money."""
    facts: dict[str, object] = {"state": state}
    if state.value in MONEY_COLUMNS:
        facts |= {"receipt": of.number + int(of.sale_id), "receipt_of": INSTALLATION, "ended_at": when}
    elif state in (State.FAILED, State.SIGNED_OFF, State.CANCELLED):
        facts["ended_at"] = when
    end = msgspec.structs.replace(of, **facts)
    made = record(end, "STATUS_SEEN", when, path=(of.state, state))
    return msgspec.structs.replace(made, wall=wall)


def read(path: Path, span: Span | None = None, *, ledger: bool = False) -> list[Entry]:
    with Exporting(path, CUTOFF) as reading:
        pages = (reading.ledger_pages if ledger else reading.pages)(span or Span())
        return [entry for page in pages for entry in page]


def told(entries: list[Entry]) -> list[tuple[str, int, str, str]]:
    return [
        (each.payment.sale_id, each.place.z, each.place.business_date, each.payment.state) for each in entries
    ]


def total(entries: list[Entry]) -> Decimal:
    return sum((each.sign * Decimal(each.payment.amount) for each in entries), Decimal(0))


def two_days(tmp_path: Path) -> tuple[Path, Journal]:
    """Sale 1 paid and sale 2 failed in Z 1; sale 3 was begun before it and paid behind it; sale 4 is open."""
    path = tmp_path / "journal.sqlite"
    journal = journal_at(path)
    first, second, third, fourth = (attempt(number) for number in (1, 2, 3, 4))
    journal.append(
        [intent(1), intent(2), intent(3), at(first, State.PAID, 5000), at(second, State.FAILED, 5001)]
    )
    journal.append([z_record(journal, 6000)])
    journal.append([at(third, State.PAID, 6000, "2026-03-03T03:59:00.000+05:30"), intent(4)])
    assert fourth.sale_id == "0004"
    return path, journal


def test_each_payment_is_where_a_z_counts_it(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)
    assert told(read(path)) == [
        ("0001", 1, "2026-03-02", "PAID"),
        ("0002", 1, "2026-03-02", "FAILED"),
        # Of the same millisecond as the Z, and behind it. Before the cut-off it is the evening's.
        ("0003", 0, "2026-03-02", "PAID"),
        ("0004", 0, "2026-03-02", "INTENT"),
    ]
    assert told(read(path, Span(z=1))) == told(read(path))[:2]
    assert told(read(path, Span(first="2026-03-03"))) == []
    journal.append([z_record(journal, 7000, business_date="2026-03-03")])
    assert [each.place.z for each in read(path)] == [1, 1, 2, 0]
    assert told(read(path, Span(first="2026-03-03"))) == [("0003", 2, "2026-03-03", "PAID")]
    assert [each.place.paid_at for each in read(path)] == [
        "2026-03-02T10:15:30.000+05:30",
        "",
        "2026-03-03T03:59:00.000+05:30",
        "",
    ]
    journal.close()


def test_what_is_sold_meanwhile_is_not_in_a_file_that_was_begun(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)
    with Exporting(path, CUTOFF) as reading:
        head = reading.head_seq
        journal.append([intent(5), at(attempt(4), State.PAID, 9000)])
        assert [each.payment.state for page in reading.pages(Span()) for each in page][-1] == "INTENT"
        assert head == journal.head()[0] - 2
    assert [each.payment.state for each in read(path)][-2:] == ["PAID", "INTENT"]
    journal.close()


def dispute(tmp_path: Path) -> tuple[Path, Journal, Callable[[State, int], None]]:
    path, journal = two_days(tmp_path)
    journal.append([z_record(journal, 7000)])

    def become(state: State, when: int) -> None:
        before = journal.attempt(attempt(1).attempt_id)
        assert before is not None
        journal.append([at(before, state, when)])

    return path, journal, become


def test_money_that_is_disputed_later_stays_with_its_z_and_a_ledger_takes_it_back(tmp_path: Path) -> None:
    path, journal, become = dispute(tmp_path)
    z1, z2 = journal.z(1), journal.z(2)
    assert z1 is not None
    assert z2 is not None
    before = read(path, Span(z=1), ledger=True)
    become(State.DISPUTED, 8000)
    journal.append([z_record(journal, 9000)])
    assert ("0001", 1, "2026-03-02", "DISPUTED") in told(read(path, Span(z=1)))
    assert total([each for each in read(path, Span(z=1)) if is_money(each.payment)]) == 0
    # The books of a Z are what they were, and the third takes back.
    of_1, of_3 = (read(path, Span(z=number), ledger=True) for number in (1, 3))
    assert total(of_1) == total(before) == Decimal("12.50")
    assert (total(of_3), of_3[0].place.z) == (Decimal("-12.50"), 3)
    assert total(read(path, ledger=True)) == Decimal("12.50")
    become(State.SIGNED_OFF, 10_000)
    journal.append([z_record(journal, 11_000)])
    assert total(read(path, Span(z=1), ledger=True)) == Decimal("12.50")
    assert [total(read(path, Span(z=number), ledger=True)) for number in (2, 3, 4)] == [
        Decimal("12.50"),
        Decimal("-12.50"),
        Decimal(0),
    ]
    journal.close()


def test_progress_is_told_by_what_may_be_in_a_span(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)
    with Exporting(path, CUTOFF) as reading:
        assert reading.most(Span()) == 4
        assert reading.most(Span(z=1)) >= len(read(path, Span(z=1)))
        assert reading.has_z(1)
        assert not reading.has_z(2)
    journal.append([at(attempt(5), State.PAID, 9000, "2026-03-03T10:00:00.000+05:30")])
    with Exporting(path, CUTOFF) as reading:
        # Sale 4 is not over: whichever day is meant, it is looked at.
        assert [reading.most(span) for span in (Span(), Span(z=1), Span(first="2026-03-03"))] == [5, 4, 3]
    journal.close()


def test_what_an_older_journal_counted_is_read_by_its_own_date(tmp_path: Path) -> None:
    """It ended long before the first Z of the journal that was begun beside it, which does not bound it."""
    path = tmp_path / "journal.sqlite"
    journal = journal_at(path)
    rebuilt = Record(kind=REBUILT, subject=JOURNAL, actor="terminal", at=5000, wall=WALL)
    old = msgspec.structs.replace(
        attempt(1), state=State.PAID, receipt=1, receipt_of="T11111111", ended_at=500
    )
    found = record(old, RECOVERED, 5001, sale=sale(1), content={"proven": True, "z": 7})
    journal.append([rebuilt, found])
    journal.append([z_record(journal, 6000, business_date="2026-03-05")])
    journal.append([z_record(journal, 7000, business_date="2026-03-06")])
    assert told(read(path, Span(first="2026-03-02", last="2026-03-02"))) == told(read(path))
    assert [each.payment.sale_id for each in read(path, Span(last="2026-03-02"))] == ["0001"]
    assert told(read(path, Span(first="2026-03-06"))) == []
    journal.close()


def test_a_journal_whose_tables_cannot_be_read_is_let_go(tmp_path: Path) -> None:
    """It says so at once, and holds no file open."""
    path, journal = two_days(tmp_path)
    journal.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE remark")
    with pytest.raises((JournalTrouble, sqlite3.Error)), Exporting(path, CUTOFF):
        raise AssertionError("it was opened")


def test_only_what_is_meant_is_read_whether_it_is_over_or_not(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)

    def found(meant: Meant, span: Span | None = None) -> list[str]:
        with Exporting(path, CUTOFF) as reading:
            return [entry.payment.sale_id for page in reading.pages(span or Span(), meant) for entry in page]

    assert found(Meant(only=Only.PAID)) == ["0001", "0003"]
    assert found(Meant(only=Only.ALL)) == ["0001", "0002", "0003", "0004"]
    assert found(Meant(only=Only.ALL), Span(z=1)) == ["0001", "0002"]
    assert found(Meant(only=Only.ALL), Span(z=9)) == []
    journal.close()


def test_money_of_one_z_that_a_later_one_counts_again_stands_with_each(tmp_path: Path) -> None:
    """Disputed behind its Z and paid after all: the ledger has it with the first, takes it back, and has it again."""
    path, journal, become = dispute(tmp_path)
    become(State.DISPUTED, 8000)
    back = [each.place.z for each in read(path, ledger=True) if each.sign < 0]
    assert back == [0], "of the day that is still open"
    journal.append([z_record(journal, 8500)])
    become(State.PAID, 9000)
    entries = [each for each in read(path, ledger=True) if each.payment.sale_id == "0001"]
    assert sum(each.sign for each in entries) == 1
    assert {each.place.z for each in entries if each.sign > 0} >= {1}
    assert {each.cashier for each in entries} == {""}, "of somebody whom the list of people has no more"
    journal.close()


def test_money_that_is_counted_twice_is_told_with_the_time_of_each(tmp_path: Path) -> None:
    """Paid, disputed behind its Z, paid again, disputed again: each line has the day of its Z."""
    path, journal, become = dispute(tmp_path)
    become(State.DISPUTED, 8000)
    journal.append([z_record(journal, 8500, business_date="2026-03-05")])
    before = journal.attempt(attempt(1).attempt_id)
    assert before is not None
    again = "2026-03-06T12:00:00.000+05:30"
    journal.append([at(before, State.PAID, 9000, again)])
    [now] = [each for each in read(path) if each.payment.sale_id == "0001"]
    assert (now.place.z, now.place.business_date, now.place.paid_at) == (0, "2026-03-06", again)
    journal.append([z_record(journal, 9500, business_date="2026-03-06")])
    become(State.DISPUTED, 9600)
    [now] = [each for each in read(path) if each.payment.sale_id == "0001"]
    assert (now.place.z, now.place.paid_at) == (4, again)
    lines = [each for each in read(path, ledger=True) if each.payment.sale_id == "0001"]
    assert [(each.place.z, each.place.business_date, each.sign) for each in lines] == [
        (4, "2026-03-06", 1),
        (1, "2026-03-02", 1),
        (3, "2026-03-05", -1),
        # Taken back on a day that is not closed yet: by its own clock it were before the last Z's.
        (0, "2026-03-06", -1),
    ]
    # When it was paid stands on the line that has the money, and on none that takes it back.
    assert [bool(each.place.paid_at) for each in lines] == [each.sign > 0 for each in lines]
    journal.close()


def test_the_money_of_a_damaged_journals_open_day_is_in_the_books_of_the_z_that_counts_it(
    tmp_path: Path,
) -> None:
    """It was paid at the time that its paper says, and an earlier Z's money is not booked again."""
    path, journal = two_days(tmp_path)
    paid_at = [journal.paid_wall(attempt(number).attempt_id) for number in (1, 3)]
    journal.close()
    had = salvage(path, KEY, Environment.SANDBOX)
    path = path.with_name("anew.sqlite")
    anew = journal_at(path)
    anew.append(records_of(had, "damaged", 8000, datetime.fromisoformat("2026-03-03T12:00:00.000+05:30")))
    assert [anew.paid_wall(attempt(number).attempt_id) for number in (1, 3)] == paid_at
    assert told(read(path, ledger=True)) == [("0003", 0, "2026-03-02", "PAID")]
    anew.append([z_record(anew, 9000, business_date="2026-03-03")])
    assert told(read(path, Span(z=1), ledger=True)) == [("0003", 1, "2026-03-03", "PAID")]
    # Of the older journal's Z: it is taken back here, where it was disputed.
    first = anew.attempt(attempt(1).attempt_id)
    assert first is not None
    anew.append([at(first, State.DISPUTED, 9500)])
    lines = [each for each in read(path, ledger=True) if each.payment.sale_id == "0001"]
    assert [(each.sign, each.place.z) for each in lines] == [(-1, 0)]
    # And damaged once more: what the first said of it is still known.
    anew.close()
    assert salvage(path, KEY, Environment.SANDBOX).paid_walls[attempt(3).attempt_id] == paid_at[1]


def test_money_that_no_event_calls_paid_has_no_time(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)
    facts = {"state": State.PAID, "receipt": 9, "receipt_of": INSTALLATION, "ended_at": 9000}
    journal.append([record(msgspec.structs.replace(attempt(5), **facts), "TAKEN_OVER", 9000, sale=sale(5))])
    [found] = [each for each in read(path) if each.payment.sale_id == "0005"]
    assert (found.place.paid_at, found.place.business_date) == ("", "2026-03-02")
    journal.close()


def test_a_wall_that_nobody_can_read_has_no_date(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)
    strange = msgspec.structs.replace(attempt(5), tapped_wall="yesterday")
    journal.append([record(strange, "INTENT", 9000)])
    found = [each for each in read(path) if each.payment.sale_id == "0005"]
    assert [each.place.business_date for each in found] in ([""], ["2026-03-02"])
    journal.close()


def test_whole_numbers_are_read_from_what_was_sent(tmp_path: Path) -> None:
    """A code has none, and what was never sealed has none either."""
    path, journal = two_days(tmp_path)
    sent = msgspec.structs.replace(attempt(5), kind=Kind.PUSH)
    sealed = msgspec.structs.replace(record(sent, "INTENT", 9000), sealed=b"+94771234567")
    unsealed = record(msgspec.structs.replace(attempt(6), kind=Kind.PUSH), "INTENT", 9001)
    journal.append([sealed, unsealed])
    numbers = Numbers(Keys(KEY, Environment.SANDBOX), bytes.decode)
    with Exporting(path, CUTOFF, numbers) as reading:
        told_of = {each.payment.sale_id: each.number for page in reading.pages(Span()) for each in page}
    assert told_of == {"0001": "", "0002": "", "0003": "", "0004": "", "0005": "+94771234567", "0006": ""}
    assert {each.number for each in read(path)} == {""}
    journal.close()


def test_each_payment_says_what_a_reconciliation_found_of_it_and_nobody_has_decided(tmp_path: Path) -> None:
    path, journal = two_days(tmp_path)

    def said(kind: str, **content: object) -> None:
        journal.append(
            [Record(kind=kind, subject=f"{RECON}1", actor="p1", at=6500, wall=WALL, content=content)]
        )

    def of(number: int, kind: DifferenceKind) -> Difference:
        attempt_id = attempt(number).attempt_id
        return Difference(kind=kind, subject=attempt_id, attempt_id=attempt_id)

    open_ = [of(1, DifferenceKind.HERE_PAID), of(1, DifferenceKind.OTHER_ID), of(3, DifferenceKind.AMOUNT)]
    decided, gone = of(2, DifferenceKind.THERE_PAID), of(4, DifferenceKind.THERE_OPEN)
    # Of none of our payments: of another till's, and of one that only looks as if it had this one's place.
    strange = [
        Difference(kind=DifferenceKind.FOREIGN, subject="W-1"),
        Difference(
            kind=DifferenceKind.THERE_UNKNOWN,
            subject="SBX-T99999999-0002-1",
            attempt_id="SBX-T99999999-0002-1",
        ),
    ]
    for each in (*open_, decided, gone, *strange):
        said(DIFFERENCE_FOUND, run=1, difference=msgspec.to_builtins(each))
    said(DIFFERENCE_DECIDED, keys=[decided.key], reason="seen", name="Nimali")
    said(DIFFERENCES_GONE, keys=[gone.key])
    told_of = {each.payment.sale_id: each.beside.difference for each in read(path)}
    assert told_of == {"0001": "here_paid other_id", "0002": "", "0003": "amount", "0004": ""}
    journal.close()


def test_what_is_disputed_before_its_day_is_closed_is_in_a_file_of_its_date(tmp_path: Path) -> None:
    """No Z counts it, so that it stands on its own date, which the Z over it need not have: as all that is not over."""
    path, journal = two_days(tmp_path)
    fifth = attempt(5)
    journal.append([intent(5), at(fifth, State.PAID, 6600, "2026-03-03T10:00:00.000+05:30")])
    paid = journal.attempt(fifth.attempt_id)
    assert paid is not None
    journal.append([at(paid, State.DISPUTED, 6700, "2026-03-03T11:00:00.000+05:30")])
    # Closed a day later, and sold on by then: it is that day's.
    journal.append([z_record(journal, 7000, business_date="2026-03-04")])
    line = ("0005", 0, "2026-03-03", "DISPUTED")
    assert told(read(path, Span(first="2026-03-03", last="2026-03-03"))) == [line]
    assert [each for each in told(read(path)) if each[0] == "0005"] == [line]
    with Exporting(path, CUTOFF) as reading:
        assert reading.most(Span(first="2026-03-03", last="2026-03-03")) >= 1
    journal.close()
