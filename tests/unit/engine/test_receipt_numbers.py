"""Each payment has the next receipt number from the moment it is money, whatever happens around it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import Cancel
from pos_app.domain.installation import TAKEN
from pos_app.domain.record import Record
from tests.support.builders import WALL
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.rig import Rig


def numbers(rig: Rig) -> list[tuple[str, int]]:
    """Of all payments that have one, oldest first."""
    found: list[Attempt] = [each for each in rig.journal.recent(50) if each.receipt]
    return [(each.receipt_of, each.receipt) for each in reversed(found)]


def pay(rig: Rig) -> str:
    """Another customer's payment, from tap to PAID."""
    opened = rig.charge(another_customer=True)
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success", opened)
    return opened


def test_a_number_comes_with_the_money_and_in_its_transaction(rig: Rig) -> None:
    """Not with the tap, and not with anything that is printed."""
    opened = rig.charge()
    assert rig.attempt(opened).receipt == 0
    rig.initiated()
    rig.wait(3)
    rig.asked("Payment Success")
    assert rig.attempt(opened).receipt == 1
    written = rig.journal.attempt(opened)
    assert written is not None
    assert (written.state, written.receipt, written.receipt_of) == (State.PAID, 1, "23456789")
    rig.pay()
    assert numbers(rig) == [("23456789", 1), ("23456789", 2)]


def test_late_money_has_the_next_number_and_keeps_it(rig: Rig) -> None:
    """It is counted when it comes."""
    cancelled = rig.charge()
    rig.initiated()
    rig.tell(Cancel(cancelled, "person-1"))
    rig.wait(3)
    rig.asked("Merchant Cancel", cancelled)
    pay(rig)
    rig.wait(10)
    while rig.state(cancelled) is State.CANCELLED:
        rig.asked("Payment Success", cancelled)
    assert rig.state(cancelled) is State.PAID_LATE
    assert sorted(numbers(rig)) == [("23456789", 1), ("23456789", 2)]
    assert rig.attempt(cancelled).receipt == 2


def test_a_restart_goes_on_behind_the_last_number(rig: Rig) -> None:
    """By the journal's word."""
    rig.pay()
    rig.restart()
    pay(rig)
    assert numbers(rig) == [("23456789", 1), ("23456789", 2)]


def test_while_nothing_can_be_written_no_number_is_given_twice(memory: MemoryJournal) -> None:
    """What is not written counts as given; a till that dies then has given nobody anything."""
    rig = Rig(memory).start()
    first, second = rig.charge(), rig.charge(another_customer=True)
    rig.initiated()
    rig.initiated()
    memory.full = True
    rig.wait(3)
    rig.asked("Payment Success", first)
    rig.asked("Payment Success", second)
    assert {rig.attempt(first).receipt, rig.attempt(second).receipt} == {1, 2}
    memory.full = False
    rig.wait(2)
    assert sorted(numbers(rig)) == [("23456789", 1), ("23456789", 2)]


def test_a_new_installation_begins_its_own_numbers(memory: MemoryJournal) -> None:
    """A copy of this folder may go on with the old ones."""
    rig = Rig(memory).start()
    rig.pay()
    content = {"before": "23456789", "installation_id": "ABCDEFGH", "why": "used_twice", "machine": ""}
    memory.append(
        [Record(kind=TAKEN, subject="installation", actor="terminal", at=1, wall=WALL, content=content)]
    )
    pay(rig)
    assert numbers(rig) == [("23456789", 1), ("ABCDEFGH", 1)]


@pytest.mark.parametrize("stands", [True, False])
def test_a_bug_while_money_is_written_gives_no_number_twice(
    memory: MemoryJournal, monkeypatch: pytest.MonkeyPatch, *, stands: bool
) -> None:
    """Whether or not the commit stands."""
    rig, right = Rig(memory).start(), memory.append

    def broken(records: list[Record]) -> int:
        if stands:
            right(records)
        raise RuntimeError("a bug")

    paid = rig.charge()
    other = rig.charge(another_customer=True)
    rig.initiated()
    rig.initiated()
    rig.wait(3)
    monkeypatch.setattr(memory, "append", broken)
    with pytest.raises(RuntimeError):
        rig.asked("Payment Success", paid)
    monkeypatch.setattr(memory, "append", right)
    rig.engine.stop_selling()
    rig.asked("Payment Success", other)
    assert rig.attempt(other).receipt == (2 if stands else 1)
    assert replace(rig.attempt(other), receipt=0).receipt_of == "23456789"
