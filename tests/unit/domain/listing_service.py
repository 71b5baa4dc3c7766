"""A model of a service's list: it cuts, orders, delays and dates as it likes. Answers at once, from memory."""

from __future__ import annotations

import hashlib
import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from pos_app.domain.list_reader import FORM, SECOND, Ask, Reading, Span, Window, time_of
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, QueryReply, Why

DAY = datetime(2026, 3, 1)
SPAN = Span(DAY, DAY + timedelta(days=3) - SECOND)

Dates = Literal["inclusive", "exclusive", "from_only", "to_only", "minutes", "days", "ignored"]
Pages = Literal["number", "from_zero", "position", "ignored", "refused"]
Order = Literal["newest", "oldest", "shuffled", "by_id", "ends", "middle", "by_turns"]
"""Which rows a cut leaves: `shuffled` others for each ask, `by_id` always the same few, `ends` the oldest and the
newest, `by_turns` now the newest and now the oldest."""


@dataclass(kw_only=True)
class Service:
    """`cut` 0: none. `page` rows on a page. `too_large`: more rows than these are too large to be read."""

    rows: list[ListedTransaction]
    cut: int = 0
    order: Order = "newest"
    dates: Dates = "inclusive"
    pages: Pages = "ignored"
    page: int = 20
    twice: bool = False
    too_large: int = 1_000_000
    shift_h: int = 0
    calls: int = 0
    given: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        self.rows.sort(key=lambda row: row.transaction_date_time)
        self._times = [row.transaction_date_time for row in self.rows]
        self._random = random.Random(self.seed)

    def add(self, row: ListedTransaction) -> None:
        """A payment that came meanwhile."""
        at = bisect_right(self._times, row.transaction_date_time)
        self._times.insert(at, row.transaction_date_time)
        self.rows.insert(at, row)

    def answer(self, asked: Ask) -> QueryReply:
        """As the network gives it to the reader."""
        return self.query(asked.wanted())

    def query(self, wanted: QueryFilter) -> QueryReply:
        """The same, of what is sent."""
        self.calls += 1
        found = list(self._dated(wanted.from_date, wanted.to_date))
        found = self._ordered(found)
        if self.twice:
            found = [row for row in found for _ in range(2)]
        if wanted.page_start and self.pages == "refused":
            return NoAnswer(Why.HTTP, sent=True, http_status=500)
        if wanted.page_start and self.pages != "ignored":
            size = 1 if self.pages == "position" else min(self.page, self.cut or self.page)
            at = int(wanted.page_start) - (self.pages != "from_zero")
            found = found[at * size : (at + 1) * size] if at >= 0 else []
        if self.cut:
            found = found[: self.cut]
        if len(found) > self.too_large:
            return NoAnswer(Why.TOO_LARGE, sent=True)
        self.given += len(found)
        return Listing(tuple(found))

    def _ordered(self, found: list[ListedTransaction]) -> list[ListedTransaction]:
        by_turns: Order = "newest" if self.calls % 2 else "oldest"
        match by_turns if self.order == "by_turns" else self.order:
            case "newest":
                found.reverse()
            case "shuffled":
                self._random.shuffle(found)
            case "by_id":
                found.sort(key=lambda row: hashlib.sha256(row.external_id.encode()).digest())
            case "ends":
                found = [found[n // 2 if n % 2 else -1 - n // 2] for n in range(len(found))]
            case "middle":
                order = sorted(range(len(found)), key=lambda n: abs(2 * n - len(found)))
                found = [found[n] for n in order]
        return found

    def _dated(self, first: str, last: str) -> Sequence[ListedTransaction]:
        shift = timedelta(hours=self.shift_h)
        first, last = ((datetime.fromisoformat(each) + shift).strftime(FORM) for each in (first, last))
        if self.dates in ("minutes", "days"):
            keep = 16 if self.dates == "minutes" else 10
            first, last = first[:keep], last[:keep] + "~"
        low, high = bisect_left(self._times, first), bisect_right(self._times, last)
        if self.dates == "exclusive":
            low, high = bisect_right(self._times, first), bisect_left(self._times, last)
        low = 0 if self.dates in ("to_only", "ignored") else low
        high = len(self.rows) if self.dates in ("from_only", "ignored") else high
        return self.rows[low:high]


def row(number: int, at: datetime) -> ListedTransaction:
    """The n-th payment."""
    return ListedTransaction(
        f"W{number}", f"SBX-TAAAAAAAA-{number:04d}-1", at.strftime(FORM), status="Payment Success"
    )


class Read:
    """What a reading came to."""

    def __init__(
        self,
        service: Service,
        *,
        span: Span = SPAN,
        most_calls: int = 40_000,
        make: Callable[[Span], Reading] = Reading,
        between: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.found: set[str] = set()
        self.windows: list[Window] = []
        self.largest_debt = 0
        self.shift_h = service.shift_h
        reading = make(span)
        while reading.wanted is not None:
            assert service.calls < most_calls, f"it asks for ever: {service!r:.200}"
            reply = service.answer(reading.wanted)
            if isinstance(reply, Listing):
                self.found.update(each.external_id for each in reply.transactions)
            reading.heard(reply)
            self.largest_debt = max(self.largest_debt, reading.owed)
            self.windows += reading.done()
            between(service.calls)
        self.most = reading.most

    @property
    def incomplete(self) -> list[Span]:
        """What is named."""
        return [window.span for window in self.windows if window.why is not None]

    def missed(self, rows: Sequence[ListedTransaction]) -> list[ListedTransaction]:
        """Payments that were neither found nor lie in a window that is named: lost without a word."""
        named = self.incomplete
        shift = timedelta(hours=self.shift_h)
        return [
            each
            for each in rows
            if each.external_id not in self.found
            and not any(span.first <= _at(each) - shift <= span.last for span in named)
        ]


def _at(row: ListedTransaction) -> datetime:
    at = time_of(row)
    assert at is not None
    return at
