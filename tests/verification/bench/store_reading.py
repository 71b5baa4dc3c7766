"""The owner's page of a chain of 200 shops with a month behind it, and what telling a store costs its counter."""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

import httpx
import psycopg

from pos_app.domain.shipping import FindRequest
from pos_app.engine.shipping import Shipping
from pos_app.store.database import PAGE, Connection, Pool
from pos_app.store.days import days
from pos_app.store.find import find, read
from pos_app.store.pages import figures as reading
from pos_app.store.pages.site import COOKIE
from tests.support.owners import Person, person
from tests.verification.bench.figure import Figure, interleaved, median, timed_ms
from tests.verification.bench.store_rig import joined, running
from tests.verification.campaign.stores.counter import Counter
from tests.verification.campaign.stores.store import Store

SHOPS, COUNTERS, DAYS, A_DAY = 200, 4, 30, 20
"""A counter is paid so often a day: 480,000 payments in all."""
ROUNDS = 12
TURNS, PAYMENTS = 60, 12
_MONTH = """INSERT INTO attempt SELECT 'M' || c.counter || '-' || d || '-' || n, day::date, c.shop, c.counter, n2.life,
n, 1, false, false, 'push', 'PAID', '', '', (100 + n)::numeric, (100 + n) * 100, 'LKR', day, day::date,
to_char(day, 'YYYY-MM-DD"T"HH24'), 'PAID', 1, n::text, 'p1', '+94 •• ••• ' || lpad((n * 37 %% 1000)::text, 3, '0'),
'', '', '', 0, '', '' FROM counter c JOIN counter_now n2 USING (counter),
generate_series(0, %s) d, generate_series(1, %s) n,
LATERAL (SELECT date_trunc('day', now()) - make_interval(days => d) + make_interval(hours => 8 + n %% 12) AS day) at"""
_HOURS = """INSERT INTO takings SELECT shop, counted_on, counter, counted_hour, kind, counted_state, currency, count(*),
sum(minor) FROM attempt GROUP BY 1, 2, 3, 4, 5, 6, 7"""
_DAYS = """INSERT INTO takings_day SELECT shop, business_date, counter, kind, state, currency, sum(n), sum(minor)
FROM takings GROUP BY 1, 2, 3, 4, 5, 6"""
_BARE = "SELECT sum(n), sum(minor) FROM takings WHERE shop = ANY (%s::int[]) AND business_date = current_date"


def measure(*, quick: bool = False) -> list[Figure]:
    """Milliseconds of the page's reads, of its first byte and of its news; processor time of a counter's turn."""
    with running() as store:
        _fill(store, 10 if quick else SHOPS, 3 if quick else DAYS)
        figures = [*_reads(store, 3 if quick else ROUNDS), _size(store)]
        with _signed_in(store) as owner:
            figures += [_first_byte(store, owner, 3 if quick else ROUNDS)]
            with _selling(store) as counter:
                figures += [_turn(store, counter, 10 if quick else TURNS)]
                figures += [_news(owner, counter, 3 if quick else PAYMENTS)]
    return figures


def _fill(store: Store, shops: int, days: int) -> None:
    """A month of each counter, as rows: what is read is what receiving would have written."""
    with psycopg.connect(store.database.dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO shop (name) SELECT 'Shop ' || n FROM generate_series(2, %s) n", (shops,)
        )
        for shop in range(1, shops + 1):
            joined(store, COUNTERS, shop, named=f"S{shop:03d}")
        connection.execute(_MONTH, (days - 1, A_DAY))
        connection.execute(_HOURS)
        connection.execute(_DAYS)
        connection.execute("ANALYZE")


def _reads(store: Store, rounds: int) -> list[Figure]:
    """As the page reads them, row security and all, on one kept connection; the floor is one sum on another."""
    every = [number for (number,) in store.rows("SELECT shop FROM shop ORDER BY 1")]
    middle = [every[len(every) // 2]]
    loop = asyncio.new_event_loop()
    pool = Pool(store.database, PAGE, 1)
    last = date.today()
    first = last - timedelta(days=30)
    sought = read(FindRequest(amount="107.00"), datetime.now().astimezone())

    async def shown(shops: list[int], work: Callable[[Connection], object]) -> None:
        async with pool.for_shops(shops) as connection:
            await work(connection)  # type: ignore[misc]

    def ours(shops: list[int], work: Callable[[Connection], object]) -> float:
        return median([timed_ms(lambda: loop.run_until_complete(shown(shops, work))) for _ in range(5)])

    rows = (
        ("store, Today of one shop", middle, reading.today, 10.0),
        (f"store, Today of {len(every)} shops", every, reading.today, 100.0),
        ("store, a payment by its amount in a month", middle, lambda each: find(each, sought), 10.0),
        ("store, what needs a person in one shop", middle, reading.needs, 10.0),
        (
            "store, a month of days of one shop",
            middle,
            lambda each: days(each, middle[0], first, last),
            300.0,
        ),
    )
    found = []
    try:
        with psycopg.connect(store.database.dsn, autocommit=True) as bare:
            for name, shops, work, goal in rows:
                both = interleaved(
                    lambda shops=shops, work=work: ours(shops, work),  # type: ignore[misc]
                    lambda shops=shops: median(  # type: ignore[misc]
                        [timed_ms(lambda: bare.execute(_BARE, (shops,)).fetchall()) for _ in range(5)]
                    ),
                    rounds,
                )
                figure = Figure(
                    name=name, unit="ms", ours=both[0], floor=both[1], goal=goal,
                    floor_is="one sum by a bare connection", absolute=True,
                )  # fmt: skip
                found.append(figure)
    finally:
        loop.run_until_complete(pool.close())
        loop.close()
    return found


@contextmanager
def _signed_in(store: Store) -> Iterator[Person]:
    with person(store.url) as made:
        assert made.take_link(store.link()).status_code == 200
        yield made


def _first_byte(store: Store, owner: Person, rounds: int) -> Figure:
    """From the request to the first byte of Today, signed in; the floor is what is served without a page or a look."""
    with httpx.Client(base_url=store.url, trust_env=False, timeout=30) as client:

        def first(path: str) -> float:
            headers = {"cookie": f"{COOKIE}={owner.cookie}"}
            began = time.perf_counter()
            with client.stream("GET", path, headers=headers) as said:
                assert said.status_code == 200
                parts = said.iter_raw()
                next(parts)
                took = (time.perf_counter() - began) * 1000
                list(parts)
            return took

        ours, floor = interleaved(
            lambda: median([first("/") for _ in range(10)]),
            lambda: median([first("/page/live.js") for _ in range(10)]),
            rounds,
        )
    return Figure(
        name="store, first byte of the page Today", unit="ms", ours=ours, floor=floor, goal=50,
        floor_is="the page's script, which nobody looks anything up for", absolute=True,
    )  # fmt: skip


@contextmanager
def _selling(store: Store) -> Iterator[Counter]:
    """A real journal, and what tells the store of it."""
    with tempfile.TemporaryDirectory(prefix="pos-bench-") as folder:
        counter = Counter(Path(folder, "till"), b"k" * 32, 9_001, store.url, Random(1))
        counter.join(store.code(), store.rows("SELECT store_id FROM store")[0][0])
        counter.shipper.turn()
        try:
            yield counter
        finally:
            counter.stop()


def _turn(store: Store, counter: Counter, turns: int) -> Figure:
    """Processor time of the telling thread for a payment: read, cut, signed, posted, judged."""
    with httpx.Client(base_url=store.url, trust_env=False) as client:

        def turn() -> float:
            counter.sell(_now(), always_paid=True)
            began = time.thread_time()
            counter.shipper.turn()
            took = (time.thread_time() - began) * 1000
            assert counter.shipper.waiting == 0
            return took

        def request() -> float:
            began = time.thread_time()
            client.post("/v1/challenge", content=b'{"installation":"nobody"}').read()
            return (time.thread_time() - began) * 1000

        request()
        ours, floor = interleaved(turn, request, turns)
    return Figure(
        name="store, a counter's turn with a payment", unit="ms", ours=ours, floor=floor, goal=5,
        floor_is="bare httpx.Client request, processor time as well",
    )  # fmt: skip


def _news(owner: Person, counter: Counter, payments: int) -> Figure:
    """From the commit that ends a payment at the counter to the sum on the owner's open page."""
    arrived: list[float] = []
    news = threading.Condition()
    ending = threading.Event()

    def watch() -> None:
        headers = {"cookie": f"{COOKIE}={owner.cookie}"}
        with httpx.stream(
            "GET", f"{owner.url}/live?of=today", headers=headers, timeout=30, trust_env=False
        ) as said:
            for line in said.iter_lines():
                if line.startswith('data: {"part":"sum"'):
                    with news:
                        arrived.append(time.perf_counter())
                        news.notify_all()
                if ending.is_set():
                    return

    def heard(many: int) -> None:
        with news:
            assert news.wait_for(lambda: len(arrived) >= many, 20), "nothing came"

    shipping = Shipping(lambda: counter.shipper)
    watching = threading.Thread(target=watch, name="watching")
    watching.start()
    shipping.start()
    taken = []
    try:
        heard(1)
        for _ in range(payments):
            many = len(arrived)
            counter.sell(_now(), always_paid=True)
            began = time.perf_counter()
            heard(many + 1)
            taken.append((arrived[-1] - began) * 1000)
    finally:
        ending.set()
        counter.sell(_now(), always_paid=True)
        watching.join(30)
        shipping.stop()
    return Figure(
        name="store, a payment's end to the owner's page", unit="ms", ours=median(taken), floor=1_000, goal=2_500,
        floor_is="gathered for a second, looked at each second: half of both", absolute=True,
    )  # fmt: skip


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


def _size(store: Store) -> Figure:
    """What lies on the disk of a payment, with all its indexes; a bare row is what its columns take."""
    (size,), *_ = store.rows(
        "SELECT (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'attempt'::regclass) "
        "/ count(*)::float FROM attempt"
    )
    (bare_row,), *_ = store.rows("SELECT avg(pg_column_size(a.*)) FROM attempt a")
    return Figure(
        name="store, a payment with its indexes",
        unit="B",
        ours=float(size),
        floor=float(bare_row),
        goal=300,
        floor_is="the row alone",
        absolute=True,
    )
