"""Reading the service's list until it is proven whole, or saying which part of it is not. Pure; asks nobody.

The service states no page size (docs/services/merchant-payment.md). An answer may therefore be the whole list or
its first twenty rows, and nothing in it says which: taken as whole, it would lose payments without a word. What can be
known follows from one assumption alone, that a service which cuts its answers cuts each at the same number of
rows, whatever that number is and in whatever order the rows come:

* An answer of `most` rows shows that the service gives at least so many. So an answer with *fewer* rows than the
  largest one seen was not cut: it is whole. So is an empty one.
* An answer as large as the largest seen may be cut at exactly that number. Its window is parted, and the parts
  are asked for, down to one second. That two parts add up to their whole proves nothing where one of them is
  empty: the other is then cut at the same place. (Where both are smaller than their whole, they are whole by the
  first rule, and so is it.)
* Where a window is parted proves nothing, and costs or spares asks. An answer that is cut by nothing is parted among
  its rows: both parts are then smaller than it, and each is whole with its first answer, however few hours of the
  window the shop was open. An answer that seems to be cut shows one end of its window, and that end is parted off.
* A first, wider ask, which nobody needs for its rows, shows how much the service gives; in a quiet shop one more
  ask is then enough. What of it lies within the span has to come up there again: whoever shows rows, and then says that
  there are none, contradicts himself.

Where that assumption does not hold, there are signs of it, and each ends in "incomplete", never in silence: a row
that an answer showed and that later comes up in no part of its window; rows where nothing can be (dates without
effect); an answer whose rows are spread wider than what was asked for, or lie elsewhere than those before, or two
halves that show the same rows (dates that mean whole days). What no list can show by itself, rows cut off before
the dates are looked at, is for the caller: payments that the service is known to have, and that its list does not
hold.

Windows are whole seconds, both ends included, and each is asked for with a second more at both ends: whether the
service counts the ends in is not stated, and no row may fall between two windows. The rules above need no
windows that are disjoint.

In one second that is still full, pages are tried. Whether `pageStart` counts pages or rows, from 0 or from 1, need
not be known: pages one by one, none sharing a row with another, until two empty ones, and page nought, which is empty,
refused or new, that hold all that the answer without pages held and more than any answer ever held, are the list
(assumed: a page is not itself cut, as a service that cuts at its page size does not). The order may be another for
each ask: so many pages have rows as there are pages of rows. Pages that overlap, repeat or cannot be had are no use.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise

import msgspec

from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, QueryReply, Refused, Why

NOTHING = timedelta()
SECOND = timedelta(seconds=1)
FORM = "%Y-%m-%d %H:%M:%S"
"""How the service's samples write a time."""

WIDER = timedelta(days=35)
"""The first ask reaches so much further back, to see how many rows the service gives at once."""

LONG_AGO = datetime(2001, 1, 1)
FAR_OFF = datetime(2099, 12, 31)
"""Seconds in which nobody sold anything: rows there show that a date has no effect."""

CLOSE = timedelta(minutes=2, seconds=3)
"""So near to where two windows meet, both may show the same rows: a service may know no seconds, and each is asked for
with a second more."""

OTHER_ZONE = timedelta(hours=14)
"""So far the times in a list may be from those that it is asked by, at the most."""

ROUGHLY = timedelta(hours=1)
"""So far a clock may be wrong by itself, beyond the zone that all share."""

TRIES = 3
"""An ask that is so often answered too late, unreadably or with an error is put otherwise."""

IN_VAIN = 20
"""So many windows one after the other of which nothing could be read, or the same rows: smaller ones will not help."""

MOST_PAGES = 500
"""So many pages of one second are turned at the most."""

Rows = tuple[ListedTransaction, ...]


class Span(msgspec.Struct, frozen=True):
    """Whole seconds, both ends included; without a zone, as the service's dates are."""

    first: datetime
    last: datetime

    @property
    def length(self) -> timedelta:
        """Of one second: one second."""
        return self.last - self.first + SECOND

    def halves(self) -> tuple[Span, Span]:
        """The older and the newer one; of two seconds at least."""
        return self.parted(self.first + timedelta(seconds=self.length // SECOND // 2))

    def parted(self, at: datetime) -> tuple[Span, Span]:
        """What is older, and what begins at that second; neither is empty where it lies behind `first`."""
        return Span(self.first, at - SECOND), Span(at, self.last)

    def holds(self, other: Span) -> bool:
        """Whether the other lies in it."""
        return self.first <= other.first and other.last <= self.last


class Incomplete(StrEnum):
    """Why a window could not be proven whole."""

    FULL_SECOND = "one_second_is_full"
    DATES_WITHOUT_EFFECT = "dates_without_effect"
    NOT_ANSWERED = "not_answered"
    CONTRADICTED = "a_row_seen_before_is_missing"


class Window(msgspec.Struct, frozen=True):
    """A part of the list that is done with: whole where `why` is None. `rows` counts what its last answer held."""

    span: Span
    rows: int = 0
    why: Incomplete | None = None


class Ask(msgspec.Struct, frozen=True):
    """One question. `page` is -1 for none. Without an answer to an `optional` one the reading goes on."""

    span: Span
    page: int = -1
    optional: bool = False

    def wanted(self, counter_id: str = "") -> QueryFilter:
        """For the service: a second more at both ends, whether or not it counts them in."""
        page = "" if self.page < 0 else str(self.page)
        return QueryFilter(
            from_date=(self.span.first - SECOND).strftime(FORM),
            to_date=(self.span.last + SECOND).strftime(FORM),
            counter_id=counter_id,
            page_start=page,
            page_end=page,
        )


class _Nothing(StrEnum):
    """What came instead of rows. UNFIT: nothing that can be read, however often it was asked for."""

    TOO_MUCH = "too_much"
    UNFIT = "unfit"
    REFUSED = "refused"


_UNFIT = frozenset({Why.UNREADABLE, Why.TIME_OUT, Why.HTTP, Why.BROKEN})
"""What may be the fault of the very rows asked for. A line that is down, or a slow service, is waited for."""

_ANOTHER_WAY = frozenset({"5001", "5015"})
"""Refusals of how it was asked, as of too many days at once. Any other (a right that is missing) may be lifted."""


Heard = Rows | _Nothing
Asking = Generator[Ask, Heard, None]


class _Part:
    """A window that is still to be read. `newer` is the part beside it, asked for before it.

    `crowd`: of the seconds around one that alone held all rows of an answer. Each smaller ask would show that second
    again, and as many rows of it.
    """

    def __init__(self, span: Span, *, crowd: bool = False) -> None:
        self.span = span
        self.crowd = crowd
        self.newer: _Part | None = None
        self.first_seen: frozenset[int] = frozenset()

    @property
    def is_smallest(self) -> bool:
        """Whether parting it would show no less."""
        return self.crowd or self.span.length <= SECOND

    def repeats(self, answer: Heard) -> bool:
        """Whether it shows mostly what the newer half had shown: then the dates do not tell the two apart."""
        if self.newer is None or isinstance(answer, _Nothing):
            return False
        twice = [row for row in answer if _mark(row) in self.newer.first_seen]
        # Both were asked for the seconds between them.
        edge = self.newer.span.first
        apart = [row for row in twice if abs((time_of(row) or LONG_AGO) - edge) > CLOSE]
        return 2 * len(apart) >= len(answer) > 0


class Reading:
    """One reading of one span, newest windows first.

    `wanted` is the ask to put, None when all is read; `heard` takes its reply. The rows of *every* reply are the
    caller's to look at, whole or not. `most` is what is known so far of how many rows the service gives at once; given
    by whoever read another span of the same list just before, and then not asked for.
    """

    def __init__(self, span: Span, most: int = 0) -> None:
        self.most = most
        self.wanted: Ask | None = None
        self._done: list[Window] = []
        self._owed: dict[int, Span] = {}
        """Rows of answers that are not proven whole, by hash: each has to come up again in a part of its window."""
        self._all_seen: frozenset[int] | None = None if most else frozenset()
        """All rows of all answers, as long as one answer held them all."""
        self._latest: frozenset[int] = frozenset()
        """The rows of the answer that was heard last."""
        self._tries = 0
        self._pages_in_vain = 0
        self._seconds_in_vain = 0
        self._paged_before: frozenset[int] = frozenset()
        self._dates_work: bool | None = None
        self._cut_at = 0
        """So many rows more than one answer held: a service that cuts at that number gives such answers."""
        self._largest: frozenset[int] = frozenset()
        self._parted_in_vain = 0
        self._clock = (timedelta.min / 2, timedelta.max / 2)
        """By so much, at least and at most, rows are dated later than they were asked for."""
        self._walk = self._read(span)
        self._go_on(None)

    def heard(self, reply: QueryReply) -> bool:
        """Takes the reply to `wanted`. False: it is no answer, and the same is to be asked again, later.

        Raises ValueError when nothing was asked.
        """
        if self.wanted is None:
            raise ValueError("all has been read: nothing was asked")
        answer = self._meaning(self.wanted, reply)
        if answer is None:
            self._tries += 1
            return False
        self._tries = 0
        self._latest = frozenset()
        if not isinstance(answer, _Nothing):
            marks = self._latest = _marks(answer)
            if len(marks) > self.most:
                self.most, self._largest = len(marks), marks
            elif len(marks) == self.most and marks != self._largest:
                self._cut_at = self.most
            self._all_seen = None if self._all_seen is None else self._all_seen | marks
            if self._all_seen is not None and len(self._all_seen) > self.most:
                self._all_seen = None
        self._go_on(answer)
        return True

    @property
    def owed(self) -> int:
        """So many rows are kept in mind until they come up again."""
        return len(self._owed)

    def done(self) -> list[Window]:
        """The windows that have been finished since this was last asked, the newest first."""
        done, self._done = self._done, []
        return done

    def _go_on(self, answer: Heard | None) -> None:
        try:
            self.wanted = next(self._walk) if answer is None else self._walk.send(answer)
        except StopIteration:
            self.wanted = None

    def _meaning(self, asked: Ask, reply: QueryReply) -> Heard | None:
        match reply:
            case Listing(transactions=rows):
                return rows
            case NoAnswer(why=Why.TOO_LARGE):
                return _Nothing.TOO_MUCH
            case NoAnswer(why=why, sent=True) if why in _UNFIT and self._tries + 1 >= TRIES:
                return _Nothing.UNFIT
            case Refused(code=code) if asked.optional or code in _ANOTHER_WAY:
                return _Nothing.REFUSED
            case _:
                return None

    def _read(self, span: Span) -> Asking:
        if not self.most:
            wider = yield Ask(Span(span.first - WIDER, span.last), optional=True)
            self._expect(wider, span)
        to_read = [_Part(span)]
        while to_read:
            part = to_read.pop()
            answer = yield Ask(part.span)
            part.first_seen = self._latest
            if self._is_whole(answer):
                if answer:
                    self._seconds_in_vain = self._parted_in_vain = 0
                self._finish(Window(part.span, len(answer)), part.first_seen)
            elif (yield from self._can_be_halved(part, answer)):
                self._owed.update(dict.fromkeys(part.first_seen, part.span))
                to_read += self._parts(part.span, answer)
            else:
                yield from self._paged(part, answer)
        self._settle()

    def _expect(self, wider: Heard, span: Span) -> None:
        """What the wider answer showed, well within the span, has to come up in it."""
        inside = Span(span.first + OTHER_ZONE, span.last - OTHER_ZONE)
        for row in () if isinstance(wider, _Nothing) else wider:
            at = time_of(row)
            if at is not None and inside.first <= at <= inside.last:
                self._owed[_mark(row)] = span

    def _is_whole(self, answer: Heard) -> bool:
        """Rows that come twice count twice here and once in `most`: whatever a cut counts, no cut one is fewer."""
        return not isinstance(answer, _Nothing) and (not answer or len(answer) < self.most)

    def _parts(self, span: Span, answer: Heard) -> list[_Part]:
        """What together is the span, the oldest first: each is taken from behind. Any parting is right; a good one
        gives parts that are whole with their first answer."""
        self._parted_in_vain += 1
        # Rows that are dated otherwise than they are asked for lead astray: then by turns in the middle of the time.
        led_astray = self._parted_in_vain > TRIES and self._parted_in_vain % 2 == 0
        times = [] if led_astray else _times_within(span, answer)
        if not times:
            parts = [_Part(each) for each in span.halves()]
        elif times[0] != times[-1]:
            at = _pause(times, self._end_shown(span, times))
            parts = [_Part(each) for each in span.parted(max(span.first + SECOND, min(at, span.last)))]
        else:
            crowd = Span(max(span.first, times[0] - SECOND), min(span.last, times[0] + SECOND))
            beside = Span(span.first, crowd.first - SECOND), Span(crowd.last + SECOND, span.last)
            parts = [_Part(crowd, crowd=True)]
            parts = [_Part(beside[0]), *parts] if beside[0].length > NOTHING else parts
            parts = [*parts, _Part(beside[1])] if beside[1].length > NOTHING else parts
        for older, newer in pairwise(parts):
            older.newer = newer
        return parts

    def _end_shown(self, span: Span, times: Sequence[datetime]) -> int:
        """Which end of the span a cut answer shows alone: 1 the newest rows, -1 the oldest, 0 neither."""
        if self._cut_at < self.most:
            return 0
        older, newer, wide = times[0] - span.first, span.last - times[-1], times[-1] - times[0]
        if max(older, newer) <= wide:
            return 0
        return 1 if older >= newer else -1

    def _can_be_halved(self, part: _Part, answer: Heard) -> Generator[Ask, Heard, bool]:
        if part.is_smallest:
            if answer is _Nothing.UNFIT:
                yield from self._without_rows()
            return False
        if self._dates_work is None:
            past = yield from self._without_rows()
            future = yield Ask(Span(FAR_OFF, FAR_OFF), optional=True)
            self._dates_work = not (
                _shows_rows(past) or _shows_rows(future) or past is answer is _Nothing.REFUSED
            )
        elif answer is _Nothing.UNFIT:
            yield from self._without_rows()
        in_vain = self._seconds_in_vain >= IN_VAIN
        if not self._dates_work or in_vain or part.repeats(answer):
            return False
        return self._fits(part.span, answer)

    def _fits(self, span: Span, answer: Heard) -> bool:
        """Whether the rows lie where they were asked for, as close together as that. Where the service's dates mean
        whole days, smaller windows show the same rows again.

        Its clock may be another, by the same difference for all windows; a few rows may be dated by a till whose
        clock was wrong.
        """
        rows = () if isinstance(answer, _Nothing) else answer
        dated = sorted(at for at in map(time_of, rows) if at is not None)
        if not dated:
            return True
        middle, reach = dated[len(dated) // 2], span.length + 2 * SECOND
        least = max(self._clock[0], middle - span.last - ROUGHLY)
        most = min(self._clock[1], middle - span.first + ROUGHLY)
        if 2 * sum(abs(at - middle) > reach for at in dated) >= len(dated) or least > most:
            return False
        self._clock = (least, most)
        return True

    def _without_rows(self) -> Generator[Ask, Heard, Heard]:
        """The answer for a second without rows. Until one comes, it is the line that fails and not the window."""
        answer: Heard = _Nothing.UNFIT
        while answer is _Nothing.UNFIT:
            answer = yield Ask(Span(LONG_AGO, LONG_AGO), optional=True)
        return answer

    def _paged(self, part: _Part, answer: Heard) -> Asking:
        span, seen = part.span, part.first_seen
        # Rows that come meanwhile move the pages; a second walk meets them at rest.
        walks = 2 if self._pages_in_vain < TRIES else 0
        for _ in range(walks):
            rows = yield from self._pages(span, seen)
            if rows:
                self._pages_in_vain = 0
                marks = _marks(rows)
                self._seconds_in_vain += marks == self._paged_before
                self._paged_before = marks
                self._finish(Window(span, len(rows)), self._paged_before)
                return
        self._pages_in_vain += 1
        self._seconds_in_vain += isinstance(answer, _Nothing)
        why = Incomplete.FULL_SECOND if part.is_smallest else Incomplete.DATES_WITHOUT_EFFECT
        if answer in (_Nothing.UNFIT, _Nothing.REFUSED):
            why = Incomplete.NOT_ANSWERED
        self._finish(Window(span, len(seen), why), seen)

    def _pages(self, span: Span, seen: frozenset[int]) -> Generator[Ask, Heard, Rows]:
        """All rows of the span; none where the pages do not prove it."""
        rows: list[ListedTransaction] = []
        marks: set[int] = set()
        turned = 0
        for page in range(1, MOST_PAGES):
            answer = yield Ask(span, page, optional=True)
            if isinstance(answer, _Nothing) or not _adjoin(marks, answer):
                return ()
            if not answer:
                # A page that is lost is empty too, and what is on the next one tells.
                behind = yield Ask(span, page + 1, optional=True)
                if _shows_rows(behind):
                    return ()
                break
            rows += answer
            turned += 1
        else:
            return ()
        answer = yield Ask(span, 0, optional=True)
        if isinstance(answer, tuple) and not _marks(answer) <= marks:
            # They count from nought, and this is the first of them.
            if not _adjoin(marks, answer):
                return ()
            rows += answer
            turned += 1
        elif answer is _Nothing.UNFIT or _shows_rows(answer):
            # Rows that are known may be page one once more; or another page, of a service that gives each ask another
            # order: then one row more than there are pages is nowhere.
            return ()
        # As many as the largest answer held may be all that a service pages through at all; unless nothing else
        # ever came up, anywhere. One row alone on a page of its own, with nothing behind it, is one payment.
        proven = len(marks) > self.most or frozenset(marks) == self._all_seen or (turned == len(marks) == 1)
        return tuple(rows) if proven and seen <= marks else ()

    def _finish(self, window: Window, marks: frozenset[int]) -> None:
        for mark in self._owed.keys() & marks if self._owed else ():
            del self._owed[mark]
        self._done.append(window)
        if window.why is not None:
            # What may be missing there is said already.
            owed = self._owed.items()
            self._owed = {mark: span for mark, span in owed if not span.holds(window.span)}

    def _settle(self) -> None:
        """What came up once and never again: some answer that looked whole was not."""
        for span in dict.fromkeys(self._owed.values()):
            self._done.append(Window(span, why=Incomplete.CONTRADICTED))
        self._owed.clear()


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same seconds in as few spans as can be, the oldest first."""
    found: list[Span] = []
    for each in sorted(spans, key=lambda span: span.first):
        if found and each.first <= found[-1].last + SECOND:
            found[-1] = Span(found[-1].first, max(found[-1].last, each.last))
        else:
            found.append(each)
    return found


def _times_within(span: Span, answer: Heard) -> list[datetime]:
    """When the rows were that lie where they were asked for, the oldest first."""
    if isinstance(answer, _Nothing):
        return []
    times = (time_of(row) for row in answer)
    first, last = span.first - SECOND, span.last + SECOND
    return sorted(at for at in times if at is not None and first <= at <= last)


def _pause(times: Sequence[datetime], end: int) -> datetime:
    """The middle of the longest pause among rows of more than one second: between half of them and half, or, where
    they are one end of many more, near that side of them which lies towards the others.

    In a pause: whatever a service makes of seconds, few rows then come up on both sides.
    """
    count = len(times)
    low, high = (count * 2 + 4) // 5, count * 3 // 5
    if end:
        low, high = (1, count // 5) if end > 0 else (count - count // 5, count - 1)
    low = min(max(low, 1), count - 1)
    at = max(range(low, max(low, high) + 1), key=lambda n: times[n] - times[n - 1])
    if times[at] == times[at - 1]:
        # One second holds all of them: beside it, where others are.
        at = next(n for n in (*range(at, count), *range(at, 0, -1)) if times[n] != times[n - 1])
    return times[at] - timedelta(seconds=(times[at] - times[at - 1]) // SECOND // 2)


def _shows_rows(answer: Heard) -> bool:
    return answer is _Nothing.TOO_MUCH or (isinstance(answer, tuple) and bool(answer))


def _adjoin(marks: set[int], page: Rows) -> bool:
    """Adds a page's rows; False where one of them was there before."""
    before = len(marks)
    marks.update(map(_mark, page))
    return len(marks) == before + len(page)


def _marks(answer: Heard) -> frozenset[int]:
    if isinstance(answer, _Nothing):
        return frozenset()
    marks = frozenset([hash((row.external_id, row.wallet_transaction_id)) for row in answer])
    # A row that has neither is told apart by what else it says.
    return marks if _NO_ID not in marks else frozenset(map(_mark, answer))


_NO_ID = hash(("", ""))


def _mark(row: ListedTransaction) -> int:
    """What makes two rows the same; its status may have changed meanwhile."""
    if row.external_id or row.wallet_transaction_id:
        return hash((row.external_id, row.wallet_transaction_id))
    return hash((row.transaction_date_time, row.amount, row.wallet_account_number))


def time_of(row: ListedTransaction) -> datetime | None:
    """A row's own time; None where it is not written as the service's samples are."""
    try:
        return datetime.fromisoformat(row.transaction_date_time[:19]).replace(tzinfo=None)
    except ValueError:
        return None
