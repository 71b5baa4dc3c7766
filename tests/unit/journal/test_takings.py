"""Receipt numbers and takings in the money's own transaction, counted again before they are believed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import Attempt, Environment, Kind, Resolution, State
from pos_app.domain.day import Grand, grown, totals
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.receipt import shown_number
from pos_app.domain.record import Record
from pos_app.domain.takings import Cell, Tally
from pos_app.journal import Journal, open_journal
from tests.support.books import Books
from tests.support.builders import INSTALLATION, KEY, attempt, ended, intent, record, sale
from tests.support.day_records import z_record
from tests.support.in_memory import in_memory
from tests.unit.engine.rig import Rig
from tests.unit.journal.tampering import tamper
from tests.unit.journal.test_kinds import WRITTEN

HOUR = "2026-03-02T10+05:30"


def cell(column: str = "PAID", **facts: str) -> Cell:
    """Of the first period, the first cashier, by QR."""
    return Cell(1, column, *({"kind": "qr", "owner": "p1", "currency": "LKR", "hour": HOUR} | facts).values())


def test_money_is_rolled_up_with_the_event_that_made_it(journal: Journal) -> None:
    """By state, method, person and hour, in the currency's smallest units; what is open is counted nowhere."""
    journal.append([intent(1), ended(attempt(1), State.PAID, 2_000)])
    journal.append([intent(2, kind=Kind.PUSH, owner="p2", amount=Decimal("0.05"))])
    assert journal.takings(1) == {cell(): Tally(1, 1250)}
    push = attempt(2, kind=Kind.PUSH, owner="p2", amount=Decimal("0.05"))
    journal.append([ended(push, State.PAID_LATE, 3_000)])
    journal.append([intent(3), ended(attempt(3), State.FAILED, 4_000)])
    assert journal.takings(1) == {
        cell(): Tally(1, 1250),
        cell("PAID_LATE", kind="push", owner="p2"): Tally(1, 5),
        cell("FAILED"): Tally(1, 1250),
    }
    assert journal.takings_agree()
    assert journal.recounting().agrees()


def test_a_payment_moves_while_its_period_is_open(journal: Journal) -> None:
    """It stands in one field at a time: what is in dispute is taken back from the sum, and is in none."""
    journal.append([intent(1), ended(attempt(1), State.FAILED, 2_000)])
    journal.append([ended(attempt(1), State.PAID_LATE, 3_000)])
    assert journal.takings(1) == {cell("PAID_LATE"): Tally(1, 1250)}
    journal.append([ended(attempt(1), State.DISPUTED, 3_000)])
    assert journal.takings(1) == {}
    signed = attempt(1, state=State.SIGNED_OFF, ended_at=4_000, resolution=Resolution("paid", "N", "r", 1))
    journal.append([record(signed, "ANSWER", 4_000)])
    assert journal.takings(1) == {cell("SIGNED_OFF(paid)"): Tally(1, 1250)}
    assert journal.inspection().findings() == []


def test_money_of_what_another_journal_began_is_named_as_such(journal: Journal) -> None:
    """What the service's list has handed on may stand in a Z that nobody can read any more."""
    found = attempt(1, recovered=True)
    journal.append([record(found, RECOVERED, 1_000, sale=sale(1), content={"proven": False, "listed": True})])
    journal.append([ended(found, State.PAID_LATE, 2_000)])
    proven = attempt(2, state=State.PAID, ended_at=1_000, receipt=7, receipt_of="23456789")
    journal.append([record(proven, RECOVERED, 1_000, sale=sale(2), content={"proven": True})])
    (late,) = journal.period().late_from
    assert (late.z, late.attempt_id) == (0, found.attempt_id)
    assert journal.inspection().findings() == []
    journal.rebuild_projections()
    assert journal.period().late_from == (late,)


def test_an_amount_that_the_currency_cannot_write_is_counted_and_not_rounded(journal: Journal) -> None:
    """Nor does one beyond every till keep its payment from being written."""
    for number, amount in enumerate((Decimal("12.505"), Decimal("9" * 25)), 1):
        journal.append([intent(number, amount=amount)])
        journal.append([ended(attempt(number, amount=amount), State.PAID, 5_000)])
    assert journal.takings(1) == {cell("PAID?"): Tally(2, 0)}
    assert journal.takings_agree()


def test_a_wrong_sum_does_not_agree_and_is_made_anew(path: Path, journal: Journal) -> None:
    """Whoever changes the table changes no payment."""
    journal.append([intent(1), ended(attempt(1), State.PAID, 2_000)])
    tamper(path, "UPDATE takings SET amount = 9999")
    assert not journal.takings_agree()
    assert not journal.recounting().agrees()
    journal.rebuild_projections()
    assert journal.takings(1) == {cell(): Tally(1, 1250)}


@pytest.mark.parametrize("snapshot", ["'x'", "x'e3ff'", "replace(snapshot, '\"12.50\"', '\"many\"')"])
def test_a_payment_that_cannot_be_read_in_its_table_is_read_in_its_event(
    path: Path, journal: Journal, snapshot: str
) -> None:
    """The table is made anew; the journal is not given up for it, nor the day."""
    journal.append([intent(1), ended(attempt(1), State.PAID, 2_000)])
    tamper(path, f"UPDATE attempt SET snapshot = CAST({snapshot} AS TEXT)")
    found = journal.inspection().findings()
    assert found
    assert all(each.tables_only for each in found)
    assert not journal.takings_agree()
    assert not journal.recounting().agrees()
    journal.rebuild_projections()
    assert journal.takings_agree()


STATES = [State.PAID, State.PAID_LATE, State.FAILED, State.CANCELLED, State.DISPUTED, State.WAITING]
MOVES = st.one_of(st.tuples(st.integers(1, 4), st.sampled_from(STATES)), st.just(None))


@pytest.mark.slow
@given(st.lists(MOVES, max_size=25))
def test_the_roll_up_is_the_payments_themselves_whatever_happens(
    moves: list[tuple[int, State] | None],
) -> None:
    """Also where no flow goes; over Zs in between. The journal of other tests says what the real one says."""
    seen: dict[int, Attempt] = {}
    records: list[Record] = []
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder:
        path = Path(folder) / "journal.sqlite"
        with closing(open_journal(path, KEY, Environment.SANDBOX, installation_id=INSTALLATION)) as journal:
            books = Books(lambda: list(enumerate(records, 1)), lambda: INSTALLATION)
            for at, move in enumerate(moves, 1):
                before = len(records)
                if move is None:
                    records.append(z_record(books, at))
                else:
                    number, state = move
                    if number not in seen:
                        records.append(intent(number))
                        seen[number] = attempt(number)
                    open_ = state in (State.DISPUTED, State.WAITING)
                    facts = {"state": state} | ({} if open_ else {"ended_at": at})
                    seen[number] = msgspec.structs.replace(seen[number], **facts)
                    records.append(record(seen[number], at=at))
                journal.append(records[before:])
            assert journal.takings_agree()
            assert books.takings_agree()
            assert journal.period() == books.period()
            assert [journal.z(z.number) for z in books.zs()] == books.zs()
            for number in range(1, books.period().number + 1):
                span = (number, 0, 10**15)
                assert journal.takings(number) == books.takings(number)
                assert sorted(journal.waits(*span)) == sorted(books.waits(*span))
                unpaid = [sorted(each.attempt_id for each in has.unpaid(*span)) for has in (journal, books)]
                assert unpaid[0] == unpaid[1]
            assert journal.inspection().findings() == []
            _adds_up(journal, seen)


def _adds_up(journal: Journal, seen: dict[int, Attempt]) -> None:
    """All Zs and the open period: what was ever taken less what was corrected is what is money now."""
    period = journal.period()
    grand = grown(period.previous.grand if period.previous else {}, period).get("LKR", Grand())
    money = [each for each in seen.values() if each.state in (State.PAID, State.PAID_LATE)]
    assert grand.taken - grand.corrected == 1250 * len(money)


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Journal]:
    """The file of an older version, opened by this one."""
    path = tmp_path / "journal.sqlite"
    shutil.copy(WRITTEN, path)
    shutil.copy(WRITTEN.with_name(WRITTEN.name + ".anchor"), path.with_name("journal.sqlite.anchor"))
    with closing(open_journal(path, b"k" * 32, Environment.SANDBOX, machine_id="a machine")) as journal:
        yield journal


def test_an_old_journals_money_is_rolled_up_and_gets_no_invented_number(old: Journal) -> None:
    """Nobody was ever given a receipt of those; the next payment has the first number."""
    assert all((each.receipt, each.receipt_of) == (0, "") for each in old.recent(20))
    assert old.last_receipt(old.installation_id) == 0
    sums = totals(old.period().entries, "LKR")
    assert (sums.paid.count, sums.ended) == (3, {"FAILED": 1, "REFUSED": 1})
    assert old.takings_agree()
    rig = Rig(old).start()
    rig.asked("Payment Success", "SBX-T23456789-0005-1")
    numbered = old.attempt("SBX-T23456789-0005-1")
    assert numbered is not None
    assert shown_number(numbered) == "SBX-T23456789-R000001"
    assert old.inspection().findings() == []
