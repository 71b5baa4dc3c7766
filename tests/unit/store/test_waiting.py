"""1,000 batches wait at a store whose disk is held: the next is told to come later, does so, and nothing is lost."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter as Counts
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random

import httpx
import msgspec
import psycopg
import pytest

from pos_app.domain.membership import StoreState
from pos_app.domain.shipping import Refusal
from pos_app.store import database as connecting
from pos_app.store import receive
from pos_app.store.database import Database
from pos_app.store.health import Watch
from pos_app.store.receive import WAITING_MOST
from pos_app.store.server import CounterApi
from tests.support.store import STORE_ID, PretendCounter, code_for, rows, serving
from tests.verification.campaign.stores.counter import Counter

LONG_MS = 120_000
NO_MORE = 50
"""Posted behind those that may wait."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limit of time ends what waits here: what is looked at is how much may wait, not for how long."""
    monkeypatch.setattr(connecting, "LOCK_MS", LONG_MS)
    monkeypatch.setattr(connecting, "STATEMENT_MS", LONG_MS)
    monkeypatch.setattr(receive, "ANSWER_S", LONG_MS / 1_000)


@contextmanager
def held(database: Database) -> Iterator[None]:
    """Nobody writes a batch."""
    with psycopg.connect(database.dsn) as connection:
        connection.execute("LOCK TABLE batch IN SHARE MODE")
        yield


async def _post(url: str, token: str, body: bytes) -> int:
    """The status of one call on a connection of its own."""
    host, _, port = url.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        head = f"POST /v1/batches HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n"
        writer.write(f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body)
        said = await reader.read()
        return int(said.split(b" ", 2)[1])
    finally:
        writer.close()


def _many(url: str, posted: list[tuple[str, bytes]]) -> Counts[int]:
    """All at once; how many had which status."""

    async def work() -> Counts[int]:
        return Counts(await asyncio.gather(*(_post(url, token, body) for token, body in posted)))

    return asyncio.run(work())


def _until(is_so: object, what: str, others: Future[Counts[int]]) -> None:
    """Waits, but for no longer than those who were posted are still out."""
    assert callable(is_so)
    breath = threading.Event()
    while not is_so():
        assert not others.done(), f"{what}: {others.result()}"
        breath.wait(0.01)


@pytest.mark.timeout(300)
def test_the_1001st_is_told_to_come_later_and_comes(database: Database, shop: int, tmp_path: Path) -> None:
    counters = [PretendCounter(f"K7Q2M{number}", number) for number in range(1, 9)]
    api = CounterApi(database)
    watch = Watch(api.pool, api.receiver, tmp_path)
    till = tmp_path / "till"
    with serving(database, watch.routes(), api) as url, ThreadPoolExecutor(1) as others:
        real = Counter(till, b"k" * 32, 99, url, Random(1))
        real.join(code_for(database, shop), STORE_ID)
        for counter in counters:
            counter.pay(f"{counter.installation}-1-1")
            with counter.at(url, code_for(database, shop)):
                pass
        posted = [(each.token, each.batch(1, 3)) for each in counters]
        with held(database), httpx.Client(base_url=url, trust_env=False, timeout=60) as client:
            waiting = others.submit(_many, url, (posted * WAITING_MOST)[: WAITING_MOST + NO_MORE])
            _until(lambda: api.receiver.waiting >= WAITING_MOST, "as many as may wait", waiting)
            token, body = posted[0]
            said = client.post("/v1/batches", content=body, headers={"authorization": f"Bearer {token}"})
            assert said.status_code == 503
            assert msgspec.json.decode(said.content, type=Refusal).code == "busy"
            assert said.headers["retry-after"] == "2"
            health = client.get("/health")
            assert (health.status_code, health.json()["waiting"]) == (503, WAITING_MOST)

            assert real.shipper.turn() >= 2_000, "it wanted to be left alone for 2 s"
            assert real.shipper.view.state.value == StoreState.LOST.value
            assert real.shipper.waiting == real.journal.head()[0]
        statuses = waiting.result()
        assert statuses[200] >= WAITING_MOST
        assert statuses[200] + statuses[503] == WAITING_MOST + NO_MORE
        assert api.receiver.waiting == 0
        real.shipper.turn()
        assert real.shipper.view.state.value == StoreState.WELL.value
        assert real.shipper.waiting == 0
        real.stop()
    assert rows(database, "SELECT count(*), sum(last - first + 1) FROM batch") == [(9, 25)]
    assert rows(database, "SELECT sum(n) FROM takings") == [(8,)]


@pytest.mark.timeout(300)
def test_those_that_one_counter_sent_wait_as_well(database: Database, shop: int) -> None:
    """They go into a commit one by one; until then each of them counts, wherever it stands."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    api = CounterApi(database)
    with serving(database, api=api) as url, ThreadPoolExecutor(1) as others:
        with counter.at(url, code_for(database, shop)):
            pass
        posted = [(counter.token, counter.batch(1, 3))]
        with psycopg.connect(database.dsn) as second:
            with held(database):
                waiting = others.submit(_many, url, posted * (WAITING_MOST // 2))
                _until(lambda: api.receiver.waiting >= WAITING_MOST // 2 - 1, "half of them", waiting)
                # Two readers' locks stand side by side: only behind the writer that waits does the second wait, too.
                _until(lambda: not rows(database, _FREE), "the lane stands", waiting)
                locking = threading.Thread(target=second.execute, args=("LOCK TABLE batch IN SHARE MODE",))
                locking.start()
                own = second.info.backend_pid
                stands = "SELECT count(*) FROM pg_locks WHERE pid = %s AND NOT granted"
                _until(lambda: rows(database, stands, own) == [(1,)], "the second lock", waiting)
            # The lane writes one, takes all the others out of its queue, and is held again.
            locking.join()
            _until(lambda: rows(database, "SELECT count(*) FROM batch") == [(1,)], "the first batch", waiting)
            _until(lambda: not rows(database, _FREE), "the lane stands again", waiting)
            assert api.receiver.waiting >= WAITING_MOST // 2 - 2
        assert waiting.result() == {200: WAITING_MOST // 2}
    assert rows(database, "SELECT sum(n) FROM takings") == [(1,)]


_FREE = "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_locks WHERE relation = 'batch'::regclass AND NOT granted)"
