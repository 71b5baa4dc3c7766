"""What a store takes over HTTP, one worker, against bare rows in the same PostgreSQL: a backlog, and a chain's pace."""

from __future__ import annotations

import asyncio
import time

import msgspec

from tests.support.store import PretendCounter
from tests.verification.bench.figure import Figure, percentile, timed_ms
from tests.verification.bench.processes import cpu_s
from tests.verification.bench.store_rig import Line, bare, inserted, joined, running
from tests.verification.campaign.stores.store import Store

BACKLOGGED, BATCH = 8, 100
COUNTERS = 2_000
SECONDS = 10
PACES = ((100, 50.0), (500, 100.0))
"""Batches a second over all counters, and the 99th percentile that is promised (ms)."""
BARE = 300


def measure(*, quick: bool = False) -> list[Figure]:
    """Microseconds an event of a backlog; p99 and the share of a core at a chain's paces."""
    with running() as store:
        figures = _backlog(store, 3 if quick else 25)
        counters = joined(store, 200 if quick else COUNTERS)
        for pace, goal in PACES:
            figures += _pace(store, counters, pace, goal, 2 if quick else SECONDS)
    return figures


def _backlog(store: Store, batches: int) -> list[Figure]:
    """Counters that come back with everything, a batch behind the other, and the same events as rows."""
    counters = joined(store, BACKLOGGED, named="L")
    bodies: list[list[bytes]] = []
    for counter in counters:
        while len(counter.events) < batches * BATCH:
            counter.pay(f"{counter.installation}-{len(counter.events)}-1")
        bodies.append([counter.batch(1 + at * BATCH, (at + 1) * BATCH) for at in range(batches)])
    ours_s = asyncio.run(_ship(store, counters, bodies))
    texts = [
        [msgspec.json.encode(each.content).decode() for each in counter.events[: batches * BATCH]]
        for counter in counters
    ]
    with bare(store) as connection:
        began = time.perf_counter()
        for life, (counter, own) in enumerate(zip(counters, texts, strict=True)):
            for at in range(batches):
                inserted(connection, life, counter, 1 + at * BATCH, own[at * BATCH : (at + 1) * BATCH])
        floor_s = time.perf_counter() - began
    events = BACKLOGGED * batches * BATCH
    return [
        Figure(
            name="store, a backlog over HTTP: an event",
            unit="µs",
            ours=ours_s / events * 1e6,
            floor=floor_s / events * 1e6,
            goal=50,
            floor_is="a row for each in a bare insert, as many a commit",
            absolute=True,
            limited_by="counters and PostgreSQL share the machine with it",
        )
    ]


async def _ship(store: Store, counters: list[PretendCounter], bodies: list[list[bytes]]) -> float:
    lines = [Line(store, counter.token) for counter in counters]
    for line in lines:
        await line.open()

    async def tell(line: Line, own: list[bytes]) -> None:
        for body in own:
            await line.post(body)

    began = time.perf_counter()
    await asyncio.gather(*(tell(line, own) for line, own in zip(lines, bodies, strict=True)))
    took = time.perf_counter() - began
    for line in lines:
        await line.close()
    return took


def _pace(store: Store, counters: list[PretendCounter], pace: int, goal: float, seconds: int) -> list[Figure]:
    """A payment a batch, from another counter each time, whether or not the last one was answered."""
    posts = []
    for at in range(pace * seconds):
        counter = counters[at % len(counters)]
        first = len(counter.events) + 1
        counter.pay(f"{counter.installation}-{first}-1")
        posts.append((at % len(counters), counter.batch(first, first + 2)))
    before = cpu_s(store.pid)
    latencies = asyncio.run(_paced(store, counters, posts, pace))
    busy = (cpu_s(store.pid) - before) / seconds * 100
    with bare(store) as connection:
        row = "INSERT INTO bare VALUES (1, %s, 'STATUS_ANSWERED', %s, '{}')"
        floors = [
            timed_ms(lambda seq=at: connection.execute(row, (seq, b"m" * 32)))  # type: ignore[misc]
            for at in range(BARE)
        ]
    name = f"store, {pace} batches a second of {len(counters):,} counters"
    return [
        Figure(
            name=f"{name}: p99",
            unit="ms",
            ours=percentile(latencies, 0.99),
            floor=percentile(floors, 0.99),
            goal=goal,
            floor_is="p99 of a bare insert of one row",
            absolute=True,
            limited_by="counters and PostgreSQL share the machine with it",
        ),
        Figure(
            name=f"{name}: CPU",
            unit="% core",
            ours=busy,
            floor=100,
            goal=100,
            floor_is="one core",
            absolute=True,
        ),
    ]


async def _paced(
    store: Store, counters: list[PretendCounter], posts: list[tuple[int, bytes]], pace: int
) -> list[float]:
    lines = [Line(store, counter.token) for counter in counters]
    for line in lines:
        await line.open()
    loop = asyncio.get_running_loop()
    turns = [asyncio.Lock() for _ in counters]
    latencies: list[float] = []
    start = loop.time() + 0.5

    async def one(at: int, who: int, body: bytes) -> None:
        due = start + at / pace
        await asyncio.sleep(max(0, due - loop.time()))
        async with turns[who]:
            await lines[who].post(body)
        latencies.append((loop.time() - due) * 1000)

    await asyncio.gather(*(one(at, who, body) for at, (who, body) in enumerate(posts)))
    for line in lines:
        await line.close()
    return latencies
