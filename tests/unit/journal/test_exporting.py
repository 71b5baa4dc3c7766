"""What an export reads: each payment once, with the Z that counts it, as of one moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from decimal import Decimal
from pathlib import Path

import msgspec

from pos_app.domain.attempt import Attempt, Environment, State
from pos_app.domain.export import Entry, Span, is_money
from pos_app.domain.record import Record
from pos_app.domain.takings import MONEY_COLUMNS
from pos_app.journal import Exporting, Journal, open_journal
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
