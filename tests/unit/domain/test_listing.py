"""The reader of the service's list: whatever the service cuts, a payment is found or its time is named."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from itertools import islice
from typing import get_args

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from pos_app.domain.list_reader import SECOND, Ask, Incomplete, Reading, Span, Window, merged
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, QueryReply, Refused, Why
from tests.unit.domain.listing_service import DAY, SPAN, Dates, Order, Pages, Read, Service, row

orders = st.sampled_from(get_args(Order))
dates = st.sampled_from(get_args(Dates))
pages = st.sampled_from(get_args(Pages))
cuts = st.one_of(st.integers(1, 30), st.integers(1, 1_000))


def a_shop(count: int, seed: int, *, seconds: int = 3 * 24 * 3600) -> list[ListedTransaction]:
    """So many payments somewhere in so many seconds."""
    dice = random.Random(seed)
    return [row(number, DAY + timedelta(seconds=dice.randrange(seconds))) for number in range(count)]


@pytest.mark.parametrize("order", get_args(Order))
@pytest.mark.parametrize(("cut", "most_calls"), [(20, 1_700), (100, 300), (0, 10)])
def test_of_ten_thousand_payments_none_is_missed(order: Order, cut: int, most_calls: int) -> None:
    """Issue 10, 1.4: behind a cap of 20 or of 100, in any order; all are found, and nothing need be named."""
    service = Service(rows=a_shop(10_000, cut), cut=cut, order=order)
    read = Read(service)
    assert len(read.found) == 10_000
    assert read.incomplete == []
    # That a few hours about noon are all that is ever shown tells nothing of where to part.
    assert service.calls <= (most_calls * 11 // 10 if order == "middle" else most_calls)


@pytest.mark.parametrize(
    ("payments", "most_calls"),
    [(0, 2), (1, 11), (2, 6), (3, 6), (10, 6), (100, 6), (300, 6), (1_000, 6), (3_900, 6)],
)
@pytest.mark.parametrize("hours", [0.05, 10, 14])
def test_a_first_closing_is_a_few_calls(payments: int, most_calls: int, hours: float) -> None:
    """Nothing is older than the day: each answer is as large as the largest, and only its parts prove it. They are
    parted among the rows, so it does not matter how few hours of the window the shop was open."""
    dice = random.Random(payments)
    opens = DAY + timedelta(days=1, hours=9)
    at = sorted(dice.sample(range(int(hours * 3_600)), min(payments, 120 if hours < 1 else payments)))
    rows = [row(number, opens + timedelta(seconds=at[number % len(at)])) for number in range(payments)]
    service = Service(rows=rows, too_large=4_000, pages="number")
    read = Read(service)
    assert (len(read.found), read.incomplete) == (payments, [])
    assert service.calls <= most_calls


@pytest.mark.parametrize("order", get_args(Order))
def test_a_first_closing_behind_a_cut_is_no_more_than_its_parts(order: Order) -> None:
    """Three hundred payments, twenty or a hundred an answer: two asks for each answer that is full, and little more."""
    for cut, most_calls in ((20, 56), (100, 14)):
        service = Service(rows=a_shop(300, cut), cut=cut, order=order)
        read = Read(service)
        assert (len(read.found), read.incomplete) == (300, [])
        assert service.calls <= most_calls


def test_what_the_service_gives_at_once_is_known_to_the_next_reading() -> None:
    """One ask for the few minutes that are looked at again; what is as large as the largest answer is proven still."""
    service = Service(rows=a_shop(300, 4), cut=20)
    most = Read(service).most
    assert most == 20
    for seconds, calls in ((600, 1), (24 * 3_600, 5)):
        service.calls = 0
        span = Span(DAY, DAY + timedelta(seconds=seconds))
        read = Read(service, span=span, make=lambda span: Reading(span, most))
        assert (
            read.missed([each for each in service.rows if each.transaction_date_time <= str(span.last)]) == []
        )
        assert service.calls >= calls
        assert calls > 1 or service.calls == 1


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    count=st.integers(0, 120),
    seed=st.integers(0, 10_000),
    seconds=st.sampled_from([1, 5, 60, 3_600, 3 * 24 * 3_600]),
    cut=cuts,
    order=orders,
    dated=dates,
    paged=pages,
    page=st.integers(1, 50),
    twice=st.booleans(),
    too_large=st.sampled_from([5, 40, 1_000_000]),
    shift_h=st.sampled_from([0, 0, -14, 6]),
)
@example(  # Page nought showed the row of page one by chance: two payments of one second were taken for one.
    count=11,
    seed=8,
    seconds=60,
    cut=1,
    order="shuffled",
    dated="inclusive",
    paged="from_zero",
    page=1,
    twice=False,
    too_large=5,
    shift_h=0,
)
def test_a_payment_is_found_or_its_time_is_named(
    count: int,
    seed: int,
    seconds: int,
    cut: int,
    order: Order,
    dated: Dates,
    paged: Pages,
    page: int,
    twice: bool,
    too_large: int,
    shift_h: int,
) -> None:
    """The promise, over every service that can be drawn: each cut, order, kind of dates and of pages."""
    # A crowd within seconds, other ones of it for each ask, and dates that mean whole days: some 14,000 asks.
    assume(not (dated == "days" and order == "shuffled" and seconds <= 60))
    service = Service(
        rows=a_shop(count, seed, seconds=seconds),
        cut=cut,
        order=order,
        dates=dated,
        pages=paged,
        page=page,
        twice=twice,
        too_large=too_large,
        shift_h=shift_h,
        seed=seed,
    )
    wide = Span(SPAN.first - timedelta(days=1), SPAN.last + timedelta(days=1))
    assert Read(service, span=wide).missed(service.rows) == []


@settings(max_examples=30, deadline=None)
@given(count=st.integers(0, 100), cut=st.integers(5, 100), order=orders, seed=st.integers(0, 10_000))
def test_rows_that_come_meanwhile_hide_none_that_were_there(
    count: int, cut: int, order: Order, seed: int
) -> None:
    """Each second call another payment comes, somewhere in the window."""
    there = a_shop(count, seed)
    late = iter(a_shop(200, seed + 1)[100:])
    service = Service(rows=list(there), cut=cut, order=order, pages="number", seed=seed)

    def comes(calls: int) -> None:
        for each in islice(late, calls % 2):
            service.add(each)

    read = Read(service, between=comes)
    assert read.missed(there) == []


class FirstPage(Reading):
    """Wrong: the answer is the list (what the rebuild believed)."""

    def _is_whole(self, answer: object) -> bool:
        return isinstance(answer, tuple)


class AsLarge(Reading):
    """Wrong: an answer as large as the largest is whole too; so is each one cut at that number."""

    def _is_whole(self, answer: object) -> bool:
        return isinstance(answer, tuple) and len(answer) <= self.most


class EmptyHalf(Reading):
    """Wrong: halves whose rows are together those of their whole prove it, though one of them is empty."""

    def _read(self, span: Span):  # type: ignore[no-untyped-def]
        to_read = [span]
        while to_read:
            each = to_read.pop()
            answer = yield Ask(each)
            older, newer = each.halves() if each.length > SECOND else (each, each)
            first, last = (yield Ask(older)), (yield Ask(newer))
            if {*first, *last} == {*answer} or each.length <= SECOND:
                self._finish(Window(each, len(answer)), frozenset())
            else:
                to_read += [older, newer]


@pytest.mark.parametrize("wrong", [FirstPage, AsLarge, EmptyHalf])
@pytest.mark.parametrize("order", ["newest", "oldest"])
def test_a_reader_that_believes_too_soon_is_caught(wrong: Callable[[Span], Reading], order: Order) -> None:
    """Planted; and the right one finds them all."""
    rows = a_shop(500, 7, seconds=3_600)
    judged = Read(Service(rows=list(rows), cut=20, order=order), make=wrong)
    assert len(judged.missed(rows)) > 100
    assert Read(Service(rows=list(rows), cut=20, order=order)).missed(rows) == []


def test_a_quiet_shop_costs_two_asks() -> None:
    """The wider one shows how much the service gives."""
    before = [row(1_000 + number, DAY - timedelta(days=3, minutes=number)) for number in range(30)]
    service = Service(rows=[*a_shop(12, 1), *before], cut=20)
    read = Read(service)
    assert service.calls == 2
    assert [window.span for window in read.windows] == [SPAN]


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_few_calls_and_little_memory() -> None:
    """Each answer holds what a reply may hold at the most, and little more than one of them is kept in mind."""
    service = Service(rows=a_shop(100_000, 3), too_large=4_000)
    read = Read(service)
    assert len(read.found) == 100_000
    assert service.calls <= 150
    assert read.largest_debt <= 3 * 4_000


@pytest.mark.parametrize("dated", ["inclusive", "exclusive", "minutes"])
def test_no_row_falls_between_two_windows(dated: Dates) -> None:
    """One in each second, where the service counts the ends in and where it does not."""
    rows = [row(number, DAY + timedelta(seconds=number)) for number in range(3_600)]
    read = Read(Service(rows=rows, cut=200, dates=dated))
    assert (len(read.found), read.incomplete) == (3_600, [])


@pytest.mark.parametrize(
    ("dated", "paged"), [("days", "number"), ("ignored", "number"), ("ignored", "from_zero")]
)
def test_dates_without_effect_are_noticed_and_pages_read(dated: Dates, paged: Pages) -> None:
    """Halving would show the same rows for ever."""
    service = Service(rows=a_shop(400, 5), cut=20, dates=dated, pages=paged)
    read = Read(service)
    assert (len(read.found), read.incomplete) == (400, [])
    assert service.calls < 700


def test_dates_without_effect_and_no_pages_are_named() -> None:
    """At once: not second by second."""
    service = Service(rows=a_shop(400, 5), cut=20, dates="ignored")
    read = Read(service)
    assert read.windows == [Window(SPAN, 20, Incomplete.DATES_WITHOUT_EFFECT)]
    assert service.calls < 20


@pytest.mark.parametrize("paged", ["number", "from_zero", "position"])
def test_a_crowded_second_is_read_by_pages(paged: Pages) -> None:
    """Whether they count rows or pages, from nought or from one."""
    rows = [row(number, DAY) for number in range(70)]
    read = Read(Service(rows=rows, cut=20, pages=paged))
    assert (len(read.found), read.incomplete) == (70, [])


def test_the_page_before_the_first_is_asked_for() -> None:
    """Found by drawing: pages from nought, each but the first small enough to be read, and no answer without them."""
    rows = [row(number, DAY) for number in range(51)]
    service = Service(rows=rows, dates="to_only", pages="from_zero", page=41, too_large=40)
    assert Read(service).missed(rows) == []


@pytest.mark.parametrize("paged", ["ignored", "refused"])
def test_a_crowded_second_without_pages_is_named(paged: Pages) -> None:
    """And nothing beside it."""
    rows = [row(number, DAY + timedelta(hours=1)) for number in range(70)]
    read = Read(Service(rows=rows, cut=20, pages=paged))
    hour = DAY + timedelta(hours=1)
    assert merged(read.incomplete) == [Span(hour - SECOND, hour + SECOND)]
    assert {window.why for window in read.windows if window.why} == {Incomplete.FULL_SECOND}


def test_a_row_that_was_seen_and_comes_up_no_more_is_a_contradiction() -> None:
    """The service cut one answer at another number: nothing that it says of this window is believed."""
    service = Service(rows=a_shop(60, 1), cut=40)
    gone = service.rows[-1].external_id
    reading = Reading(SPAN)
    windows: list[Window] = []
    while reading.wanted is not None:
        reply = service.answer(reading.wanted)
        assert isinstance(reply, Listing)
        shown = service.calls <= 2
        reading.heard(
            Listing(tuple(each for each in reply.transactions if shown or each.external_id != gone))
        )
        windows += reading.done()
    assert [window for window in windows if window.why] == [Window(SPAN, why=Incomplete.CONTRADICTED)]


def test_rows_that_the_wider_ask_showed_and_the_span_does_not_are_a_contradiction() -> None:
    """5014 at times: an empty answer is whole by itself, and not beside what was shown a moment before."""
    service = Service(rows=a_shop(30, 1))
    reading = Reading(SPAN)
    wider = reading.wanted
    assert wider is not None
    reading.heard(service.answer(wider))
    reading.heard(Listing(()))
    assert reading.wanted is None
    assert reading.done() == [Window(SPAN), Window(SPAN, why=Incomplete.CONTRADICTED)]


def test_a_page_that_is_lost_is_no_end_of_the_pages() -> None:
    """The second one is empty and the third is not; the first alone is all that any answer shows."""
    rows = [row(number, DAY) for number in range(70)]

    class Loses(Service):
        def query(self, wanted: QueryFilter) -> QueryReply:
            reply = super().query(wanted)
            return Listing(()) if wanted.page_start == "2" else reply

    read = Read(Loses(rows=rows, cut=20, pages="number"))
    assert read.missed(rows) == []
    assert {window.why for window in read.windows if window.why} == {Incomplete.FULL_SECOND}


def test_what_is_no_answer_is_asked_again() -> None:
    """A line that is down proves nothing, however long; no window is given up for it."""
    reading = Reading(SPAN)
    asked = reading.wanted
    for _ in range(50):
        assert not reading.heard(NoAnswer(Why.CONNECT, sent=False))
        assert not reading.heard(NoAnswer(Why.UNREADABLE, sent=False)), (
            "the token server's place, not these rows"
        )
        assert not reading.heard(NoAnswer(Why.SLOW_DOWN, sent=True, http_status=429))
        assert reading.wanted == asked


def test_a_line_that_gives_rubbish_gives_no_window_up() -> None:
    """A portal in between answers everything with its own page: that is waited for."""
    service = Service(rows=a_shop(50, 2), cut=20)
    reading = Reading(SPAN)
    for _ in range(1_000):
        reading.heard(NoAnswer(Why.UNREADABLE, sent=True))
    found: set[str] = set()
    while reading.wanted is not None:
        reply = service.answer(reading.wanted)
        assert isinstance(reply, Listing)
        found.update(each.external_id for each in reply.transactions)
        reading.heard(reply)
    assert len(found) == 50
    assert all(window.why is None for window in reading.done())


def test_a_row_that_cannot_be_read_costs_its_own_second_alone() -> None:
    """One bad row makes each answer that holds it unreadable; the others are found."""
    service = Service(rows=a_shop(50, 2), cut=20)
    bad = service.rows[25].external_id
    reading = Reading(SPAN)
    found: set[str] = set()
    windows: list[Window] = []
    while reading.wanted is not None:
        reply = service.answer(reading.wanted)
        assert isinstance(reply, Listing)
        ids = {each.external_id for each in reply.transactions}
        reading.heard(NoAnswer(Why.UNREADABLE, sent=True) if bad in ids else reply)
        found |= set() if bad in ids else ids
        windows += reading.done()
    assert len(found) == 49
    named = merged(window.span for window in windows if window.why is Incomplete.NOT_ANSWERED)
    assert sum((span.length for span in named), timedelta()) <= 3 * SECOND


def test_a_service_that_lists_nothing_without_an_id_is_named_at_once() -> None:
    """5015 for whatever is asked: no list, and no end of asking either."""
    reading = Reading(SPAN)
    asks = 0
    while reading.wanted is not None:
        asks += 1
        reading.heard(Refused("5015"))
    assert asks < 10
    assert reading.done() == [Window(SPAN, 0, Incomplete.NOT_ANSWERED)]
