"""What an export reads: each payment once, with the Z that counts it, as of one moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import time
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.export import Entry, Span, is_money
from pos_app.domain.record import Record
from pos_app.domain.search import Meant, Only
from pos_app.domain.takings import MONEY_COLUMNS
from pos_app.journal import Exporting, Journal, JournalTrouble, Keys, Numbers, open_journal
from tests.support.builders import INSTALLATION, KEY, attempt, intent, record
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
