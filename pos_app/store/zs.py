"""What the store makes of a counter's Zs: their sums, and each recounted over its own range of events. Pure.

A Z's digest is keyed by its counter and is only kept here; what it counts is in the events that its journal shipped,
so that it can be counted once more. What differs is a finding: nothing is ever mended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import FINAL
from pos_app.domain.day import Entry, OlderZ, text_of
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.shipping import Shipped
from pos_app.domain.takings import MONEY_COLUMNS, NOT_SUMMED
from pos_app.store.telling import Attempt, column_of, minor

_FINAL = frozenset(state.value for state in FINAL)
_LATE = "PAID_LATE"


class Finding(StrEnum):
    """What is wrong with a Z."""

    NONE = ""
    SUMS = "sums"
    """Its own range of events comes to something else."""
    CHAIN = "chain"
    """It does not follow the Z that it names as the one before."""


class Zed(msgspec.Struct, frozen=True, kw_only=True):
    """A Z as a counter of any version ships it, as far as the store needs it."""

    number: int
    business_date: str
    from_seq: int
    to_seq: int
    ended: str
    currency: str
    digest: str
    previous: str = ""
    installation_id: str = ""
    entries: tuple[Entry, ...] = ()
    older: OlderZ | None = None


class Sum(msgspec.Struct, frozen=True):
    """So many payments and smallest units, and how much of both came late."""

    payments: int = 0
    units: int = 0
    late: int = 0
    late_units: int = 0

    def plus(self, other: Sum) -> Sum:
        """Both together."""
        return Sum(
            self.payments + other.payments,
            self.units + other.units,
            self.late + other.late,
            self.late_units + other.late_units,
        )


Sums = Mapping[str, Sum]
"""By currency."""


def z_in(event: Shipped) -> Zed:
    """The Z of an event. Raises msgspec.ValidationError, ValueError for one that fits no day."""
    z = msgspec.convert(event.content.get("event"), Zed)
    if z.to_seq != event.seq or not 1 <= z.from_seq <= z.to_seq or z.number < 1:
        raise ValueError("its range is not the one that it closes")
    return z


def sums_of(z: Zed) -> dict[str, Sum]:
    """The money that it counts, by currency."""
    found: dict[str, Sum] = {}
    for each in z.entries:
        if each.column in MONEY_COLUMNS:
            is_late = each.column == _LATE
            more = Sum(
                each.payments,
                each.amount,
                each.payments if is_late else 0,
                each.amount if is_late else 0,
            )
            found[each.currency] = found.get(each.currency, Sum()).plus(more)
    return found


def added(sums: Iterable[Sums]) -> dict[str, Sum]:
    """All of them together."""
    found: dict[str, Sum] = {}
    for each in sums:
        for currency, one in each.items():
            found[currency] = found.get(currency, Sum()).plus(one)
    return found


def is_of_an_older_z(event: Shipped) -> bool:
    """Whether it takes over a payment that a Z of the journal before this one counts: no Z of this one does."""
    said = event.content.get("event")
    return event.kind == RECOVERED and isinstance(said, Mapping) and "z" in said


_Key = tuple[str, str, str, str]
"""column, kind, owner, currency"""


class Recount:
    """What a range of events comes to, by the rule of the counter's own roll-up (domain/takings.py).

    `add` the events in their order. Where a payment stood before the range began is told by the states that its
    first event there has passed: what was counted in an earlier period stays there.
    """

    def __init__(self) -> None:
        self._columns: dict[str, tuple[str, bool]] = {}
        self._found: dict[_Key, tuple[int, int]] = {}

    def add(self, event: Shipped) -> None:
        """Raises msgspec.ValidationError for a payment that is none."""
        content = event.content.get("attempt")
        if content is None:
            return
        attempt = msgspec.convert(content, Attempt, strict=False)
        units = minor(attempt.amount, attempt.currency)
        column = column_of(attempt, units)
        if attempt.attempt_id in self._columns:
            before, is_here = self._columns[attempt.attempt_id]
        else:
            before, is_here = _before(event.path, column, units), False
        if is_of_an_older_z(event):
            # It is counted, and not here.
            self._columns[attempt.attempt_id] = (column, False)
            return
        if column == before:
            self._columns[attempt.attempt_id] = (before, is_here)
            return
        if _is_money(before) and not is_here and _is_money(column):
            self._columns[attempt.attempt_id] = (before, is_here)
            return
        if before and is_here:
            self._move((before, attempt.kind, attempt.owner, attempt.currency), -1, units)
        if column:
            self._move((column, attempt.kind, attempt.owner, attempt.currency), 1, units)
        self._columns[attempt.attempt_id] = (column, bool(column))

    @property
    def attempts(self) -> list[str]:
        """The payments that stand in these sums."""
        return [attempt_id for attempt_id, (_, is_here) in self._columns.items() if is_here]

    def _move(self, key: _Key, n: int, units: int | None) -> None:
        payments, amount = self._found.get(key, (0, 0))
        self._found[key] = (payments + n, amount + n * (units or 0))

    def unequal(self, z: Zed) -> str:
        """The first thing in which the Z says something else, in words for people; "" for none."""
        told = {
            (each.column, each.kind, each.owner, each.currency): (each.payments, each.amount)
            for each in z.entries
            if each.payments or each.amount
        }
        counted = {key: each for key, each in self._found.items() if each != (0, 0)}
        for key in sorted(told.keys() | counted.keys()):
            says, is_so = told.get(key, (0, 0)), counted.get(key, (0, 0))
            if says != is_so:
                column, kind, owner, currency = key
                return (
                    f"{column} {kind} {owner}: the Z says {says[0]} payments, {currency} "
                    f"{text_of(says[1], currency)}; its events say {is_so[0]}, {text_of(is_so[1], currency)}"
                )
        return ""


def _before(path: str, column: str, units: int | None) -> str:
    """The column before an event, by the states that it has passed; its own where it has passed none."""
    states = path.split()
    if not states:
        return column
    if len(states) == 1 or states[0] not in _FINAL:
        return ""
    return states[0] if units is not None else states[0] + NOT_SUMMED


def _is_money(column: str) -> bool:
    return column.removesuffix(NOT_SUMMED) in MONEY_COLUMNS
