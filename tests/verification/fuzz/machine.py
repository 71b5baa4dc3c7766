"""A random cashier, random customers, faults, clocks and restarts over the real engine, as hypothesis drives them."""

from __future__ import annotations

from typing import ClassVar

from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.verification.fuzz.shop import SALES, Shop
from tests.verification.simulation import faults, gateway

places = some.integers(0, SALES - 1)
tills = some.integers(0, 1)
kinds = some.sampled_from(faults.KINDS)
values = some.integers(0, 40_000)
rarely = some.sampled_from((False, False, False, True))
STATUSES = (
    *(gateway.SCANNED, gateway.SCAN_FAILED, gateway.APPROVED, gateway.SUCCESS),
    *(gateway.SUCCESS, gateway.FAILED, gateway.REJECTED),
)
DEEDS = (
    *("cancel", "close", "park", "continue", "check", "leave", "lose_patience"),
    *("complete", "refund", "paid", "not_paid"),
)
WAITS = (200, 1_000, 3_000, 10_000, 30_000, 60_000, 150_000, 330_000, 3_600_000)


class ShopMachine(RuleBasedStateMachine):
    """Each rule is something one person, one wire, one clock or one disk does next."""

    steps: ClassVar[int] = 0
    paid: ClassVar[int] = 0
    shops: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).shops += 1
        self.shop = Shop()

    @rule(place=places, then=some.sampled_from((0, 600, 600, 2_500)))
    def tap_charge(self, place: int, then: int) -> None:
        self.shop.tap(place, again=False, qr=False)
        self.shop.wait(then)

    @rule(place=places, qr=some.booleans())
    def try_again(self, place: int, qr: bool) -> None:
        self.shop.tap(place, again=True, qr=qr)

    @rule(
        place=places, again=some.booleans(), kind=kinds, value=values, then=some.sampled_from((600, 16_000))
    )
    def a_tap_meets_a_fault(self, place: int, again: bool, kind: str, value: int, then: int) -> None:
        line = self.shop.lines[self.shop.till_of(place).index]
        line.ahead.clear()
        line.ahead.append((kind, value))
        self.shop.tap(place, again=again, qr=False)
        self.shop.wait(then)

    @rule(place=places, deed=some.sampled_from(DEEDS))
    def cashier(self, place: int, deed: str) -> None:
        self.shop.act(deed, place)

    @precondition(lambda self: self.shop.undecided())
    @rule(which=some.integers(0, 30), status=some.sampled_from(STATUSES))
    def customer(self, which: int, status: str) -> None:
        known = self.shop.undecided()
        if self.shop.customer(known[-1 - which % len(known)], status) and status == gateway.SUCCESS:
            type(self).paid += 1

    @precondition(lambda self: self.shop.undecided())
    @rule(ms=some.sampled_from((0, 1_500, 20_000)))
    def newest_customer_pays(self, ms: int) -> None:
        self.shop.wait(ms)
        left = self.shop.undecided()
        if left and self.shop.customer(left[-1], gateway.SUCCESS):
            type(self).paid += 1

    @rule(ms=some.sampled_from(WAITS))
    def time_passes(self, ms: int) -> None:
        self.shop.wait(ms)

    @rule(
        till=tills,
        kind=kinds,
        value=values,
        calls=some.integers(1, 4),
    )
    def fault(self, till: int, kind: str, value: int, calls: int) -> None:
        self.shop.lines[till].ahead.extend([(kind, value)] * calls)

    @rule(till=tills, after=some.integers(0, 3))
    def fault_later(self, till: int, after: int) -> None:
        self.shop.lines[till].ahead.extend([("", 0)] * after)

    @rule(till=tills, off=some.sampled_from((2_000, 30_000, 600_000)))
    def power_cut(self, till: int, off: int) -> None:
        self.shop.stage.tills[till].die(off)

    @rule(till=tills, commits=some.integers(1, 6), after=some.booleans())
    def crash_at_a_commit(self, till: int, commits: int, after: bool) -> None:
        self.shop.dooms[till].lay(commits, after=after)

    @rule(till=tills, full=rarely, unreadable=rarely)
    def disk(self, till: int, full: bool, unreadable: bool) -> None:
        journal = self.shop.stage.tills[till].journal
        journal.full, journal.unreadable = full, unreadable

    @rule(place=places, ms=some.sampled_from((-(10**9), -3_600_000, 3_600_000, 10**9)))
    def push_clock(self, place: int, ms: int) -> None:
        self.shop.act("push_clock", place, ms)

    @rule(place=places, verb=some.sampled_from(("enrol", "send_code")), value=some.integers(0, 1))
    def sign_in(self, place: int, verb: str, value: int) -> None:
        self.shop.act(verb, place, value)

    @invariant()
    def nothing_contradicts_the_ledger(self) -> None:
        type(self).steps += 1
        self.shop.look()
        wrong = self.shop.wrong_now()
        assert not wrong, wrong

    def teardown(self) -> None:
        wrong = self.shop.wrong_in_the_end()
        assert not wrong, wrong
