"""A Z is recounted over its own range by the counter’s own rule: equal whatever happened, unequal where it lies."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import FINAL, Attempt, State
from pos_app.domain.day import Entry, entries_of
from pos_app.domain.shipping import Shipped
from pos_app.domain.takings import NOWHERE, Cell, Spot, Tally, moved
from pos_app.store.zs import Recount, Sum, Zed, added, sums_of, z_in
from tests.support.store import attempt

WALL = "2026-11-23T10:00:05+05:30"
_NEXT = {
    "": ("INTENT",),
    "INTENT": ("WAITING", "IN_DOUBT", "NOT_SENT", "REFUSED"),
    "IN_DOUBT": ("WAITING", "PAID"),
    "WAITING": ("PAID", "FAILED", "CANCELLED", "UNRESOLVED"),
    "UNRESOLVED": ("PAID_LATE", "SIGNED_OFF", "DISPUTED"),
    "FAILED": ("PAID_LATE",),
    "CANCELLED": ("PAID_LATE",),
    "NOT_SENT": (),
    "REFUSED": ("WAITING",),
    "PAID": ("DISPUTED",),
    "PAID_LATE": ("DISPUTED",),
    "DISPUTED": ("SIGNED_OFF",),
    "SIGNED_OFF": ("PAID_LATE",),
}
"""Some of the ways of docs/payment-rules.md, States."""


class Till:
    """A journal with its own roll-up, as the till keeps it (domain/takings.py), and the Zs that it closes."""

    def __init__(self) -> None:
        self.events: list[Shipped] = []
        self.zs: list[Zed] = []
        self._states: dict[int, str] = {}
        self._spots: dict[int, Spot] = {}
        self._cells: dict[Cell, Tally] = {}
        self._from = 1

    def step(self, number: int, choice: int) -> None:
        """The payment of this number goes one way on; where there is none, something is told of it all the same."""
        before = self._states.get(number, "")
        ways = _NEXT[before]
        after = ways[choice % len(ways)] if ways and (choice < 20 or not before) else before
        path = f"{before} {after}".strip() if after != before else ""
        facts: dict[str, Any] = {
            "merchant_id": "M", "transaction_date_time": "", "give_up_after_ms": 1,
            "kind": "qr" if number % 3 else "push", "owner": f"p{number % 2}",
        }  # fmt: skip
        if after == "SIGNED_OFF":
            action = "paid" if number % 2 else "not_paid"
            facts["resolution"] = {"action": action, "name": "M", "reason": "r", "at": 1}
        told = attempt(f"A-{number}", after, f"{number + 1}.50", **facts)
        seq = len(self.events) + 1
        self.events.append(
            Shipped(seq=seq, kind="STATUS_ANSWERED", mac=b"", wall=WALL, path=path, content={"attempt": told})
        )
        self._states[number] = after
        whole = msgspec.convert(told, Attempt)
        move = moved(self._spots.get(number, NOWHERE), whole, len(self.zs) + 1, 1, WALL)
        self._spots[number] = move.spot
        for cell, tally in move.changes:
            self._cells[cell] = self._cells.get(cell, Tally()).plus(tally)

    def close(self) -> None:
        """A Z over everything since the one before."""
        number, seq = len(self.zs) + 1, len(self.events) + 1
        cells = {cell: tally for cell, tally in self._cells.items() if cell.period == number}
        z = Zed(
            number=number,
            business_date="2026-11-23",
            from_seq=self._from,
            to_seq=seq,
            ended=WALL,
            currency="LKR",
            digest=f"digest-{number}",
            entries=entries_of(cells),
        )
        self.events.append(
            Shipped(seq=seq, kind="Z_CLOSED", mac=b"", wall=WALL, content={"event": msgspec.to_builtins(z)})
        )
        self.zs.append(z)
        self._from = seq + 1


def recounted(till: Till, z: Zed) -> Recount:
    counted = Recount()
    for event in till.events[z.from_seq - 1 : z.to_seq]:
        counted.add(event)
    return counted


STEPS = st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 6), st.integers(0, 24))), max_size=60)


@given(STEPS)
def test_each_z_is_what_its_own_range_comes_to(steps: list[tuple[int, int] | None]) -> None:
    till = Till()
    for step in steps:
        if step is None:
            till.close()
        else:
            till.step(*step)
    till.close()
    for z in till.zs:
        assert recounted(till, z).unequal(z) == ""


@given(STEPS, st.integers(1, 1_000))
def test_a_z_with_one_cent_too_much_is_found(steps: list[tuple[int, int] | None], cents: int) -> None:
    till = Till()
    for step in steps:
        if step is not None:
            till.step(*step)
    till.close()
    z = till.zs[0]
    lie = Entry("PAID", "push", "p0", "LKR", 0, cents)
    said = recounted(till, z).unequal(msgspec.structs.replace(z, entries=(*z.entries, lie)))
    honest = [each for each in z.entries if (each.column, each.kind, each.owner) == ("PAID", "push", "p0")]
    # Of two entries of one field the later one counts: it is another amount than the events'.
    if not honest or (honest[0].payments, honest[0].amount) != (0, cents):
        assert "the Z says" in said


def test_the_ways_of_this_test_are_states() -> None:
    assert {State(each) for each in _NEXT if each} == set(State)
    assert {each for ways in _NEXT.values() for each in ways} <= {state.value for state in State}
    assert FINAL


def test_sums_are_money_alone_and_say_what_was_late() -> None:
    entries = (
        Entry("PAID", "qr", "p1", "LKR", 2, 300),
        Entry("PAID_LATE", "push", "p1", "LKR", 1, 100),
        Entry("PAID", "qr", "p1", "USD", 1, 5),
        Entry("FAILED", "qr", "p1", "LKR", 9, 900),
    )
    z = Zed(
        number=1, business_date="2026-11-23", from_seq=1, to_seq=2, ended=WALL, currency="LKR",
        digest="digest-1", entries=entries,
    )  # fmt: skip
    assert sums_of(z) == {"LKR": Sum(3, 400, 1, 100), "USD": Sum(1, 5)}
    assert added([sums_of(z), sums_of(z)])["LKR"] == Sum(6, 800, 2, 200)


def test_a_z_that_closes_another_range_is_none() -> None:
    z = {
        "number": 1, "business_date": "2026-11-23", "from_seq": 1, "to_seq": 5, "ended": WALL,
        "currency": "LKR", "digest": "digest-1",
    }  # fmt: skip
    with pytest.raises(ValueError, match="range"):
        z_in(Shipped(seq=4, kind="Z_CLOSED", mac=b"", content={"event": z}))
    with pytest.raises(msgspec.ValidationError):
        z_in(Shipped(seq=5, kind="Z_CLOSED", mac=b"", content={"event": {"number": "one"}}))
