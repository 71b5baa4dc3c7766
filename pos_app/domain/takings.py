"""What a till took, as a roll-up that each event moves: where a payment is counted, and what of that changes. Pure.

A payment is counted in the period whose event brought it to its end, by that event's number and never by a clock.
While the period is open it moves with the payment; once the period is closed, what was counted in it stays, and
what becomes of the payment later is counted in the later period: late money there, a correction of money there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from pos_app.domain.attempt import FINAL, MONEY, Attempt, State
from pos_app.domain.money import AmountError, currency

NOT_SUMMED = "?"
"""Behind a column whose amounts the currency cannot write, so that no sum rounds them: they are counted alone."""

SIGNED_PAID = f"{State.SIGNED_OFF.value}(paid)"
"""A manager's word that it was paid: neither in the sums nor among what was not."""

SIGNED_NOT_PAID = f"{State.SIGNED_OFF.value}(not_paid)"

MONEY_COLUMNS = frozenset(state.value for state in MONEY)


class Cell(msgspec.Struct, frozen=True, order=True):
    """One field of the roll-up. `column`: how the payment ended; `hour`: "2026-03-01T21+05:30", for people alone."""

    period: int
    column: str
    kind: str
    owner: str
    currency: str
    hour: str


class Tally(msgspec.Struct, frozen=True):
    """So many payments, and their amounts in the currency's smallest units."""

    count: int = 0
    amount: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(self.count + other.count, self.amount + other.amount)


Takings = Mapping[Cell, Tally]


def is_money(column: str) -> bool:
    """Whether what is counted under this heading was taken."""
    return column.removesuffix(NOT_SUMMED) in MONEY_COLUMNS


class Spot(msgspec.Struct, frozen=True):
    """Where a payment is counted. `column` is empty while it is nowhere; period 0 is a Z of a journal before this."""

    period: int = 0
    column: str = ""
    hour: str = ""

    @property
    def is_money(self) -> bool:
        """Whether it is counted as taken."""
        return is_money(self.column)


NOWHERE = Spot()


class RemarkKind(StrEnum):
    """What a Z names one by one beside its sums."""

    LATE = "late"
    """Money of a payment that was begun before an earlier Z."""
    CORRECTION = "correction"
    """Money that an earlier Z counts, and that is disputed since."""


class Remark(msgspec.Struct, frozen=True):
    """`of_period`: the Z that it is about; 0: of a journal before this one."""

    kind: RemarkKind
    of_period: int


class Move(msgspec.Struct, frozen=True):
    """What one event does to the roll-up. `withdraws`: it takes back the late money that this period named."""

    spot: Spot
    changes: tuple[tuple[Cell, Tally], ...] = ()
    remark: Remark | None = None
    withdraws: bool = False


def column_of(attempt: Attempt) -> str:
    """Under which heading an attempt is counted as it now stands; "" while it is open or needs attention."""
    if attempt.state not in FINAL:
        return ""
    named = attempt.state.value
    if attempt.state is State.SIGNED_OFF and attempt.resolution is not None:
        named = f"{named}({attempt.resolution.action})"
    return named if minor(attempt) is not None else named + NOT_SUMMED


def minor(attempt: Attempt) -> int | None:
    """The amount in the currency's smallest units; None for one that has more digits, or a currency nobody knows."""
    try:
        money = currency(attempt.currency)
        return int(money.exact(attempt.amount).scaleb(money.digits))
    except (AmountError, KeyError):
        return None


def hour_of(wall: str) -> str:
    """The hour of a wall time, with its offset: on the night the clocks go back there are two of one name."""
    return _cut(wall, "hours")


def began_at(hour: str) -> float:
    """When such an hour began, so that those of one name follow one another; before all others for no hour."""
    try:
        return datetime.fromisoformat(hour).timestamp()
    except (ValueError, OverflowError):
        return -math.inf


def minute_of(wall: str) -> str:
    """The same to the minute: which side of a cut-off it is on, an hour does not always say. "" for no wall time."""
    return _cut(wall, "minutes")


def _cut(wall: str, to: str) -> str:
    try:
        return datetime.fromisoformat(wall).isoformat(timespec=to)
    except ValueError:
        return ""


def moved(before: Spot, attempt: Attempt, period: int, born: int, wall: str) -> Move:
    """What an event makes of the roll-up. `attempt`: after it; `period`: the open one; `born`: in which it began."""
    column = column_of(attempt)
    if column == before.column:
        return Move(before)
    spot = Spot(period, column, hour_of(wall)) if column else NOWHERE
    changes: list[tuple[Cell, Tally]] = []
    amount = minor(attempt) or 0
    is_open = bool(before.column) and before.period == period
    if before.is_money and not is_open and spot.is_money:
        return Move(before)  # no rule goes there; and money that a Z counts is counted once
    if is_open:
        changes.append((cell_of(before, attempt), Tally(-1, -amount)))
    if column:
        changes.append((cell_of(spot, attempt), Tally(1, amount)))
    remark = None
    if before.is_money and not spot.is_money and not is_open:
        remark = Remark(RemarkKind.CORRECTION, before.period)
    elif spot.is_money and not before.is_money and born < period:
        remark = Remark(RemarkKind.LATE, born)
    return Move(spot, tuple(changes), remark, withdraws=before.is_money and is_open and not spot.is_money)


def entered(
    attempt: Attempt, said: Mapping[str, Any], before: Spot, period: int, born: int, wall: str
) -> Move:
    """What taking a payment over from a damaged journal makes of the roll-up. `said`: what its event holds.

    What a Z of that journal counts is counted (`z`), and not here. What no Z of it has is this one's to say: that
    money is none any more which a Z counts (`corrects`: its heading there), or came behind one (`late`).
    """
    column = column_of(attempt)
    if "z" in said:
        return Move(Spot(0, column, hour_of(wall)) if column else NOWHERE)
    if "corrects" in said:
        before = Spot(0, str(said["corrects"]))
    return moved(before, attempt, period, 0 if said.get("late") else born, wall)


def cell_of(spot: Spot, attempt: Attempt) -> Cell:
    """The field in which a payment is counted at this spot."""
    return Cell(spot.period, spot.column, attempt.kind.value, attempt.owner, attempt.currency, spot.hour)


def recount(counted: Iterable[tuple[Spot, Attempt]]) -> dict[Cell, Tally]:
    """The roll-up of the payments themselves, where they are now counted; periods before this journal left out."""
    found: dict[tuple[int, str, str, str, str, str], list[int]] = {}
    for spot, attempt in counted:
        if spot.column and spot.period:
            # A cell and a tally are made for each field, not for each of 10,000 payments.
            kind = attempt.kind.value
            key = (spot.period, spot.column, kind, attempt.owner, attempt.currency, spot.hour)
            sums = found.setdefault(key, [0, 0])
            sums[0] += 1
            sums[1] += minor(attempt) or 0
    return {Cell(*key): Tally(*sums) for key, sums in found.items()}
