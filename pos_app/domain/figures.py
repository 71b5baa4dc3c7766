"""What the pictures of a day show: money and answers by the hour, methods, how long it took, why not paid. Pure.

The money is the roll-up's, as on the day's own report. Times and reasons are those of the payments themselves, of each
that ended in the period; what was late or is carried over stands in a list of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import Carried, Named, Report, Z
from pos_app.domain.search import is_not_paid
from pos_app.domain.takings import MONEY_COLUMNS, NOT_SUMMED, SIGNED_PAID, Cell, Takings, Tally

WEEK = timedelta(days=7)
LONGEST = timedelta(hours=36)
"""A period that sold for longer is shown by the hour of the day: all its days together."""

QUANTILES = (50, 90, 99)
"""Of a hundred customers so many waited no longer."""


class Waited(msgspec.Struct, frozen=True):
    """How long paid payments took from the tap to the proof. `quantiles`: ms, as many as QUANTILES; () for nobody."""

    payments: int = 0
    quantiles: tuple[int, ...] = ()


class HourFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One hour. `hour`: "21", of the wall; `wall`: which one, "2026-03-01T21+05:30", "" where days are put together.

    `before`: the money of the same hour a week earlier. `not_paid`: so many ended without money.
    """

    hour: str
    wall: str = ""
    taken: Tally = Tally()
    before: Tally = Tally()
    not_paid: int = 0
    waited: Waited = Waited()


class NotPaid(msgspec.Struct, frozen=True):
    """So many ended so: the state, and why as far as the till or the service has said it."""

    state: str
    reason: str
    code: str
    payments: int


class DayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """`number`: the Z's, 0 while the day is open. `compared`: the business date a week earlier, "" where it has no Z.

    Amounts are in the smallest units of `currency`, the counter's. `others`: so many payments in other currencies.
    """

    number: int
    business_date: str
    currency: str
    environment: str
    began: str
    ended: str
    hours: tuple[HourFigures, ...] = ()
    compared: str = ""
    methods: tuple[tuple[str, Tally], ...] = ()
    waited: Waited = Waited()
    not_paid: tuple[NotPaid, ...] = ()
    late: tuple[Named, ...] = ()
    carried: tuple[Carried, ...] = ()
    others: int = 0


def figures_of(
    report: Report,
    business_date: str,
    takings: Takings,
    waits: Sequence[tuple[str, int]],
    unpaid: Iterable[Attempt],
    before: Takings | None,
) -> DayFigures:
    """Of one period. `waits`: hour (takings.hour_of) and ms of each paid payment. `before`: of a week ago, if known."""
    own = {cell: tally for cell, tally in takings.items() if cell.currency == report.currency}
    methods: dict[str, Tally] = {}
    for cell, tally in own.items():
        if cell.column in MONEY_COLUMNS:
            methods[cell.kind] = methods.get(cell.kind, Tally()).plus(tally)
    ended = Counter((each.state.value, each.reason.value, each.code) for each in unpaid if is_not_paid(each))
    return DayFigures(
        number=report.number if isinstance(report, Z) else 0,
        business_date=business_date,
        currency=report.currency,
        environment=report.environment,
        began=report.began,
        ended=report.ended,
        hours=_hours(own, waits, before or {}, report.currency),
        compared=week_before(business_date) if before is not None else "",
        methods=tuple(sorted(methods.items(), key=lambda each: (-each[1].amount, each[0]))),
        waited=waited([ms for _, ms in waits]),
        not_paid=tuple(NotPaid(*key, count) for key, count in _most_first(ended)),
        late=report.late_from,
        carried=report.carried,
        others=sum(tally.count for cell, tally in takings.items() if cell.currency != report.currency),
    )


def week_before(business_date: str) -> str:
    """The same weekday of the week before; "" of a text that is no date."""
    try:
        return (date.fromisoformat(business_date) - WEEK).isoformat()
    except ValueError:
        return ""


def waited(times: Sequence[int]) -> Waited:
    """Of these times in ms; each quantile is a time that somebody did wait."""
    if not times:
        return Waited()
    ordered = sorted(times)
    return Waited(len(ordered), tuple(ordered[math.ceil(len(ordered) * q / 100) - 1] for q in QUANTILES))


def success(hour: HourFigures) -> float | None:
    """Which share of what ended in this hour was paid; None where nothing ended."""
    ended = hour.taken.count + hour.not_paid
    return hour.taken.count / ended if ended else None


def _most_first(ended: Counter[tuple[str, str, str]]) -> list[tuple[tuple[str, str, str], int]]:
    return sorted(ended.items(), key=lambda each: (-each[1], each[0]))


def _hours(
    own: Mapping[Cell, Tally], waits: Sequence[tuple[str, int]], before: Takings, currency: str
) -> tuple[HourFigures, ...]:
    named = sorted({cell.hour for cell in own if _is_hour(cell.hour)}, key=_moment)
    walls = named
    if named and _moment(named[-1]) - _moment(named[0]) > LONGEST:
        walls = []
    elif named:
        walls = _without_gaps(named)
    names = walls or [f"{hour:02d}" for hour in _of_the_day(named)]
    taken: dict[str, Tally] = {}
    not_paid: Counter[str] = Counter()
    for cell, tally in own.items():
        at = cell.hour if walls else of_day(cell.hour)
        if cell.column in MONEY_COLUMNS:
            taken[at] = taken.get(at, Tally()).plus(tally)
        elif cell.column.removesuffix(NOT_SUMMED) not in (*MONEY_COLUMNS, SIGNED_PAID):
            not_paid[at] += tally.count
    times: dict[str, list[int]] = {}
    for hour, ms in waits:
        times.setdefault(hour if walls else of_day(hour), []).append(ms)
    earlier: dict[str, Tally] = {}
    for cell, tally in before.items():
        if cell.column in MONEY_COLUMNS and cell.currency == currency:
            earlier[of_day(cell.hour)] = earlier.get(of_day(cell.hour), Tally()).plus(tally)
    found = []
    for name in names:
        # On the night the clocks go back two hours have one name; the week before is beside the first of them.
        hour = of_day(name) if walls else name
        found.append(
            HourFigures(
                hour=hour,
                wall=name if walls else "",
                taken=taken.get(name, Tally()),
                before=earlier.pop(hour, Tally()),
                not_paid=not_paid[name],
                waited=waited(times.get(name, [])),
            )
        )
    return tuple(found)


def of_day(hour: str) -> str:
    """The hour of the day, of a wall's: "21" of "2026-03-01T21+05:30"."""
    return hour[11:13]


def _of_the_day(named: Sequence[str]) -> range:
    hours = [int(of_day(each)) for each in named]
    return range(min(hours), max(hours) + 1) if hours else range(0)


def _is_hour(hour: str) -> bool:
    """A time that nobody could read has no hour, and a table that was changed may hold anything."""
    try:
        return datetime.fromisoformat(hour).tzinfo is not None and bool(_moment(hour))
    except (ValueError, OverflowError):
        return False


def _moment(hour: str) -> datetime:
    return datetime.fromisoformat(hour).astimezone(UTC)


def _without_gaps(named: Sequence[str]) -> list[str]:
    """Every hour from the first to the last: an hour without money is one, too."""
    found: list[str] = []
    left = list(named)
    while left:
        following = left.pop(0)
        while found:
            at = datetime.fromisoformat(found[-1]) + timedelta(hours=1)
            if at.astimezone(UTC) >= _moment(following):
                break
            found.append(at.isoformat(timespec="hours"))
        found.append(following)
    return found
