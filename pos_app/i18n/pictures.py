"""The six pictures of a day in words and shares: what a chart draws, a table lists, a paper prints. No Qt.

What they show was decided in pos_app/domain/figures.py. Each number that a bar is as long as is written on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import Reason, State
from pos_app.domain.day import Carried, Named, units_in
from pos_app.domain.figures import QUANTILES, DayFigures, HourFigures, NotPaid, success
from pos_app.domain.money import POINT, AmountFormat, format_amount
from pos_app.domain.paper import Bar, Fill
from pos_app.domain.takings import Tally
from pos_app.i18n.languages import words_in
from pos_app.i18n.words.paper import PaperWords
from pos_app.i18n.words.pictures import PictureWords
from pos_app.i18n.words.till import Words
from pos_app.i18n.words.times import Times

FILLS = (Fill.SOLID, Fill.HATCHED, Fill.CROSSED, Fill.OPEN)
"""What tells the parts of a whole apart, in black and white too."""


MOST_LISTED = 50
"""So many late and carried payments are listed; the report itself names all."""


_WHOLE = 10
"""From so much on an amount stands on a bar without what is behind its point."""


class Form(StrEnum):
    """How a picture is drawn."""

    COLUMNS = "columns"
    """Upright bars, side by side as the hours were."""
    WHOLE = "whole"
    """One bar, in parts."""
    BARS = "bars"
    """Bars below one another, the longest first."""
    LIST = "list"
    """Lines alone."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """One of them. `rows` is its table, under `heads`, a row for each of `bars`; `notes` stand below.

    `legend`: what a pattern means, where there is more than one.
    """

    name: str
    title: str
    form: Form
    heads: tuple[str, ...]
    bars: tuple[Bar, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    legend: tuple[tuple[Fill, str], ...] = ()
    notes: tuple[str, ...] = ()


class Pictures:
    """Makes them in one language. `written`: how amounts are."""

    def __init__(self, language: str, written: AmountFormat = POINT) -> None:
        self.words = words_in(PictureWords, language)
        self._till = words_in(Words, language)
        self._paper = words_in(PaperWords, language)
        self._times = words_in(Times, language)
        self._written = written

    def of(self, figures: DayFigures) -> tuple[Picture, ...]:
        """All six, in the order in which they are looked at."""
        return (
            self._takings(figures),
            self._methods(figures),
            self._success(figures),
            self._waiting(figures),
            self._not_paid(figures),
            self._late(figures),
        )

    def named(self, figures: DayFigures) -> str:
        """Which day it is."""
        of = self.words.CLOSED.format(number=figures.number) if figures.number else self.words.OPEN
        return f"{of} · {self.words.OF_DAY.format(date=self._day(figures.business_date))}"

    def _takings(self, figures: DayFigures) -> Picture:
        words = self.words
        units = [each.taken.amount for each in figures.hours] + [each.before.amount for each in figures.hours]
        share = _shares(units)
        week = figures.compared
        bars, rows = [], []
        for hour in figures.hours:
            marks = [(Fill.BEHIND, share(hour.before.amount))] if week else []
            marks.append((Fill.SOLID, share(hour.taken.amount)))
            said = self._short(hour.taken.amount, figures.currency) if hour.taken.count else ""
            bars.append(Bar(hour.hour, said, tuple(marks)))
            taken, before = (self._money(each, figures.currency) for each in (hour.taken, hour.before))
            rows.append((_clock(hour), taken, str(hour.taken.count), *((before,) if week else ())))
        heads = (words.HOUR, words.TAKEN, words.PAYMENTS, *((words.WEEK_BEFORE,) if week else ()))
        legend: tuple[tuple[Fill, str], ...] = ()
        if week:
            legend = (
                (Fill.SOLID, words.THIS_DAY),
                (Fill.BEHIND, words.THAT_DAY.format(date=self._day(week))),
            )
        notes = [words.OTHERS.of(figures.others)] if figures.others else []
        notes += [words.TOGETHER] if any(not each.wall for each in figures.hours) else []
        return Picture(
            name="takings",
            title=words.TAKINGS,
            form=Form.COLUMNS,
            heads=heads,
            bars=tuple(bars),
            rows=tuple(rows),
            legend=legend,
            notes=tuple(notes),
        )

    def _methods(self, figures: DayFigures) -> Picture:
        words = self.words
        whole = sum(tally.amount for _, tally in figures.methods) or 1
        bars, rows = [], []
        for at, (kind, tally) in enumerate(figures.methods):
            name = self._paper.BY_METHOD.get(kind, kind)
            part = tally.amount / whole
            bars.append(Bar(name, _percent(part), ((FILLS[at % len(FILLS)], part),)))
            money = self._money(tally, figures.currency)
            rows.append((name, money, str(tally.count), _percent(part)))
        return Picture(
            name="methods",
            title=words.METHODS,
            form=Form.WHOLE,
            heads=(words.METHOD, words.TAKEN, words.PAYMENTS, words.SHARE),
            bars=tuple(bars),
            rows=tuple(rows),
        )

    def _success(self, figures: DayFigures) -> Picture:
        words = self.words
        bars, rows = [], []
        for hour in figures.hours:
            share = success(hour)
            said = "" if share is None else _percent(share)
            bars.append(Bar(hour.hour, said, ((Fill.SOLID, share or 0.0),)))
            rows.append((_clock(hour), said, str(hour.taken.count), str(hour.not_paid)))
        return Picture(
            name="success",
            title=words.SUCCESS,
            form=Form.COLUMNS,
            heads=(words.HOUR, words.SHARE, words.PAYMENTS, words.WITHOUT),
            bars=tuple(bars),
            rows=tuple(rows),
        )

    def _waiting(self, figures: DayFigures) -> Picture:
        words = self.words
        share = _shares([ms for hour in figures.hours for ms in hour.waited.quantiles])
        fills = (Fill.SOLID, Fill.HATCHED, Fill.OPEN)
        bars, rows = [], []
        for hour in figures.hours:
            times = hour.waited.quantiles
            # The longest first: what is shorter is drawn over it.
            marks = tuple(reversed([(fill, share(ms)) for fill, ms in zip(fills, times, strict=False)]))
            # The number stands above the bar: it is what the bar is as long as.
            bars.append(Bar(hour.hour, self._seconds(times[-1]) if times else "", marks))
            cells = [self._seconds(ms) for ms in times] or [""] * len(QUANTILES)
            rows.append((_clock(hour), *cells, str(hour.waited.payments)))
        names = (words.HALF, words.NINETY, words.NINETY_NINE)
        return Picture(
            name="waiting",
            title=words.WAITING,
            form=Form.COLUMNS,
            heads=(words.HOUR, *names, words.PAYMENTS),
            bars=tuple(bars),
            rows=tuple(rows),
            legend=tuple(zip(fills, names, strict=True)),
        )

    def _not_paid(self, figures: DayFigures) -> Picture:
        words = self.words
        counts: dict[str, int] = {}
        for each in figures.not_paid:
            counts[self._why(each)] = counts.get(self._why(each), 0) + each.payments
        share = _shares(list(counts.values()))
        ordered = sorted(counts.items(), key=lambda each: -each[1])
        return Picture(
            name="not_paid",
            title=words.NOT_PAID,
            form=Form.BARS,
            heads=(words.WHY, words.PAYMENTS),
            bars=tuple(Bar(why, str(count), ((Fill.SOLID, share(count)),)) for why, count in ordered),
            rows=tuple((why, str(count)) for why, count in ordered),
        )

    def _late(self, figures: DayFigures) -> Picture:
        words = self.words
        found = [*self._late_ones(figures.late), *self._carried_ones(figures.carried)]
        more = len(found) - MOST_LISTED
        found = found[:MOST_LISTED]
        return Picture(
            name="late",
            title=words.LATE,
            form=Form.LIST,
            heads=(words.WHAT, words.AMOUNT),
            bars=tuple(Bar(what, amount) for what, amount in found),
            rows=tuple(found),
            notes=(self._paper.UNPRINTED_MORE.of(more),) if more > 0 else (),
        )

    def _late_ones(self, late: Sequence[Named]) -> Iterator[tuple[str, str]]:
        for each in late:
            said = self._paper.LATE_FROM if each.z else self._paper.LATE_EARLIER
            yield said.format(number=each.z), self._amount(each.amount, each.currency)

    def _carried_ones(self, carried: Sequence[Carried]) -> Iterator[tuple[str, str]]:
        for each in carried:
            state = self._till.state[State(each.state)] if each.state in set(State) else each.state
            said = f"{self._paper.SALE} {each.sale_id} · {state} · {self._times.age(each.age_s)}"
            yield said, self._amount(each.amount, each.currency)

    def _why(self, ended: NotPaid) -> str:
        """The reason, else what the service's code says, else the state alone; without the address of a service."""
        state = self._till.state[State(ended.state)] if ended.state in set(State) else ended.state
        reason = self._till.reason.get(Reason(ended.reason), "") if ended.reason in set(Reason) else ""
        if "{" in reason:
            reason = ""
        code = self._till.code.get(ended.code)
        return reason or (code.said if code is not None else state)

    def _money(self, tally: Tally, currency: str) -> str:
        return self._amount(units_in(tally.amount, currency), currency)

    def _amount(self, amount: Decimal, currency: str) -> str:
        return f"{currency} {format_amount(amount, self._written)}"

    def _short(self, units: int, currency: str) -> str:
        """As much of an amount as stands on a narrow bar; its table has all of it."""
        amount = units_in(units, currency)
        for least, said in (
            (Decimal(1_000_000), self.words.MILLIONS),
            (Decimal(1_000), self.words.THOUSANDS),
        ):
            if amount >= least:
                part = amount / least
                return said.format(number=f"{part:.0f}" if part >= 10 else f"{part:.1f}")
        # What is something is never said to be nothing: half a dinar is money.
        return f"{amount:.0f}" if amount >= _WHOLE or not amount % 1 else format_amount(amount, self._written)

    def _seconds(self, ms: int) -> str:
        seconds = ms / 1000
        if seconds >= 60:
            return self._times.duration(round(seconds))
        return self.words.SECONDS.format(seconds=f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.1f}")

    def _day(self, iso: str) -> str:
        try:
            return self._times.day(date.fromisoformat(iso))
        except ValueError:
            return iso


def _clock(hour: HourFigures) -> str:
    return f"{hour.hour}:00"


def _percent(share: float) -> str:
    """Whole ones; what is not all is never said to be all, and what is something never to be nothing."""
    percent = round(share * 100)
    if percent == 100 and share < 1:
        percent = 99
    return f"{max(percent, 1) if share else 0} %"


def _shares(values: Sequence[int]) -> Callable[[int], float]:
    """Of the largest, which is 1."""
    largest = max([*values, 0]) or 1
    return lambda value: value / largest
