"""The month as it will go, from one number: who comes when, what breaks, who cheats. Times are true ms."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from decimal import Decimal
from random import Random

import msgspec

from pos_app.domain.attempt import Kind
from tests.verification.simulation.gateway import APPROVED, FAILED, REJECTED, SCAN_FAILED, SCANNED, SUCCESS
from tests.verification.simulation.roll import CASHIER, OTHER
from tests.verification.simulation.story import CrashAt, Customer, FaultAt, Window

SECOND = 1_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

FIRST_DAY = datetime(2026, 10, 1, tzinfo=timezone(timedelta(hours=2)))
"""A month in whose night of the 25th the clocks go back."""

SUMMER_ENDS = 24 * DAY + 3 * HOUR
ON, OPEN, SHUT, CLOSES, OFF = 7 * HOUR + 30 * MINUTE, 8 * HOUR, 21 * HOUR, 21 * HOUR + 30 * MINUTE, 22 * HOUR
HANDOVER = 14 * HOUR + 30 * MINUTE
DISHONEST = OTHER
"""The cashier of the afternoons."""

HONEST = CASHIER
NUMBERS = ("+94771234567", "+94777654321", "+94712223334", "+94755554443", "+94701112223")
REFUSED = ("5003", "5004", "5010", "5013")
MILD = (
    "lost",
    "reply_lost",
    "reset",
    "late",
    "twice",
    "http",
    "slow_down",
    "slow",
    "no_connection",
    "stale",
    "code",
)
ODD = ("other_amount", "unknown_status", "no_amount", "other_id", "no_qr", "unreadable", "hollow_success")
OUTAGES = ("no_connection", "lost", "http", "reply_lost", "sign_in", "slow_down")
DELAYS = (500, 2_000, 6_000, 20_000, 45_000)


class Sale(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody wants to pay. `cancels_after`: so long the cashier waits; `pocketed`: the money goes elsewhere then."""

    at: int
    kind: Kind
    amount: Decimal
    customers: tuple[Customer, ...]
    number: str = ""
    cancels_after: int = 100 * SECOND
    retries: int = 0
    pocketed: bool = False


class Deed(msgspec.Struct, frozen=True):
    """What else happens: `power_cut` (off for `value` ms), `push_clock` (by `value` ms), `lose`, `private`."""

    at: int
    verb: str
    value: int = 0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """`unclosed`: days (from 0) whose evening nobody closes; `unreached`: on whose evening no service answers."""

    days: int
    seed: int
    sales: tuple[Sale, ...]
    deeds: tuple[Deed, ...]
    faults: tuple[FaultAt, ...]
    windows: tuple[Window, ...]
    crashes: tuple[CrashAt, ...]
    latencies: tuple[int, ...]
    unclosed: frozenset[int] = frozenset()
    unreached: frozenset[int] = frozenset()
    lost_on: int = -1

    @property
    def end(self) -> int:
        """The midnight behind its last day."""
        return self.days * DAY


def plan(days: int, payments: int, seed: int = 1) -> Plan:
    """A month of so many days and so many payments; the last day is a calm one, so that what was late can come."""
    dice = Random(seed)
    lost_on = max(1, days // 4)
    sales = sorted(
        (sale for each in _shares(payments, days) for sale in _day(dice, *each, days)), key=lambda s: s.at
    )
    unclosed = frozenset(day for day in (5, 19) if day < days - 1)
    unreached = frozenset(day for day in (min(1, days - 2), 12, 22) if day < days - 1)
    calls = 18 * payments
    return Plan(
        days=days,
        seed=seed,
        sales=tuple(sales),
        deeds=tuple(sorted(_deeds(dice, days, lost_on), key=lambda deed: deed.at)),
        faults=tuple(_faults(dice, calls)),
        windows=tuple(_outages(dice, days, unreached)),
        crashes=tuple(
            CrashAt(
                dice.randrange(200, 20 * payments),
                dice.random() < 0.5,
                0,
                dice.choice((2, 9, 40, 300)) * SECOND,
            )
            for _ in range(2 * days)
        ),
        latencies=tuple(int(dice.lognormvariate(5.2, 0.6)) + 20 for _ in range(97)),
        unclosed=unclosed,
        unreached=unreached,
        lost_on=lost_on,
    )


def _shares(payments: int, days: int) -> list[tuple[int, int]]:
    """Of a week's days the sixth and the fifth sell most."""
    weights = [(10, 9, 9, 10, 13, 15, 8)[(FIRST_DAY + timedelta(days=day)).weekday()] for day in range(days)]
    found = [(day, payments * weight // sum(weights)) for day, weight in enumerate(weights)]
    day, count = found[-1]
    return [*found[:-1], (day, count + payments - sum(each for _, each in found))]


def _moment(dice: Random) -> int:
    """A shop has two heaps of customers: at noon and after work."""
    while True:
        at = int(dice.gauss(*dice.choice(((12.4, 1.6), (18.0, 1.5), (15.0, 3.5)))) * HOUR)
        if OPEN < at < SHUT and abs(at - HANDOVER) > MINUTE:
            return at


def _day(dice: Random, day: int, count: int, days: int) -> list[Sale]:
    found = []
    for _ in range(count):
        within = _moment(dice)
        cheats = within > HANDOVER and dice.random() < 0.035
        found.append(
            _cheated(dice, day * DAY + within) if cheats else _sale(dice, day * DAY + within, day, days)
        )
    return found


def _amount(dice: Random) -> Decimal:
    rupees = max(20, round(dice.lognormvariate(6.9, 0.9)))
    return Decimal(rupees) if dice.random() < 0.6 else Decimal(rupees) + Decimal(dice.randrange(100)) / 100


def _cheated(dice: Random, at: int) -> Sale:
    """The code is shown, the customer is asked to pay to another one, the sale is cancelled."""
    never = Customer()
    after = dice.randrange(15, 40) * SECOND
    return Sale(
        at=at, kind=Kind.QR, amount=_amount(dice), customers=(never,), cancels_after=after, pocketed=True
    )


def _sale(dice: Random, at: int, day: int, days: int) -> Sale:
    kind = Kind.QR if dice.random() < 0.7 else Kind.PUSH
    first, cancels_after, retries = _pays(dice, kind), 100 * SECOND, 0
    mood = dice.random()
    if mood < 0.03:
        first = Customer(((dice.randrange(5, 40) * SECOND, dice.choice((REJECTED, FAILED))),))
        retries = dice.randrange(2)
    elif mood < 0.04:
        first, retries = Customer(refused=dice.choice(REFUSED)), 1
    elif mood < 0.055:
        first, cancels_after = Customer(), dice.randrange(40, 110) * SECOND
    elif mood < 0.065 and kind is Kind.QR:
        first = Customer(((8_000, SCAN_FAILED), (6_000, SCANNED), (2_000, SUCCESS)))
    elif mood < 0.075:
        # It is paid at the moment in which the cashier gives it up.
        cancels_after = 60 * SECOND
        first = Customer(((cancels_after + dice.randrange(-300, 900), SUCCESS),))
    elif mood < 0.08 and day < days - 2:
        # Approved, and then nothing for a day or two: too late for a cancel, too early for money.
        delay = dice.randrange(2, 24 * min(3, days - 1 - day)) * HOUR
        first = Customer(
            ((dice.randrange(10, 60) * SECOND, APPROVED if kind is Kind.PUSH else SCANNED), (delay, SUCCESS))
        )
    elif mood < 0.082:
        # Nobody ever hears of it again.
        first = Customer(((20_000, APPROVED if kind is Kind.PUSH else SCANNED),))
    number = dice.choice(NUMBERS) if kind is Kind.PUSH else ""
    return Sale(
        at=at,
        kind=kind,
        amount=_amount(dice),
        customers=(first, _pays(dice, kind)),
        number=number,
        cancels_after=cancels_after,
        retries=retries,
    )


def _pays(dice: Random, kind: Kind) -> Customer:
    wait = int(dice.lognormvariate(dice.choice((8.2, 8.7, 9.3)), 0.6))
    seen = SCANNED if kind is Kind.QR else APPROVED
    return Customer(((wait, seen), (dice.randrange(400, 5_000), SUCCESS)))


def _deeds(dice: Random, days: int, lost_on: int) -> list[Deed]:
    found = [Deed(lost_on * DAY + 20 * HOUR + 17 * MINUTE, "lose", 40 * SECOND)]
    for day in range(days):
        for _ in range(dice.choice((0, 1, 1, 2))):
            at = day * DAY + dice.randrange(OPEN, SHUT)
            found.append(Deed(at, "power_cut", dice.choice((3, 20, 90, 600)) * SECOND))
        if day % 7 == 3:
            at, by = day * DAY + dice.randrange(OPEN, 18 * HOUR), dice.choice((-24, -2, 2, 26)) * HOUR
            found += [Deed(at, "push_clock", by), Deed(at + 40 * MINUTE, "push_clock", -by)]
        if day % 4 == 1:
            # Money under this counter that no till asked for.
            found.append(
                Deed(day * DAY + dice.randrange(HANDOVER, SHUT), "private", dice.randrange(50_000, 900_000))
            )
    return found


def _faults(dice: Random, calls: int) -> list[FaultAt]:
    found, call = [], 0
    while (call := call + 1 + int(dice.expovariate(0.008))) < calls:
        kind = dice.choice(MILD) if dice.random() < 0.97 else dice.choice(ODD)
        value = dice.choice(DELAYS) if kind in ("late", "twice", "slow") else dice.randrange(1 << 16)
        found.append(FaultAt(0, call, kind, value))
    return found


def _outages(dice: Random, days: int, unreached: frozenset[int]) -> list[Window]:
    found = []
    for day in range(days - 1):
        if dice.random() < 0.5:
            at = day * DAY + dice.randrange(OPEN, SHUT - HOUR)
            until = at + dice.choice((1, 2, 5, 20)) * MINUTE
            found.append(Window(at, until, dice.choice(OUTAGES), 0, dice.randrange(1 << 16)))
        if day in unreached:
            found.append(Window(day * DAY + CLOSES - 4 * MINUTE, day * DAY + OFF, "no_connection", 0, 0))
    return found
