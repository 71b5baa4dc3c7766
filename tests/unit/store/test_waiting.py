"""1,000 batches wait at a store whose disk is held: the next is told to come later, does so, and nothing is lost."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter as Counts
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import psycopg
import pytest

from pos_app.domain.membership import StoreState
from pos_app.domain.shipping import Refusal
from pos_app.store import database as connecting
from pos_app.store import receive
from pos_app.store.database import Database
from pos_app.store.health import Watch
from pos_app.store.receive import GATHERED_MOST, LANES, WAITING_EACH, WAITING_MOST
from pos_app.store.server import CounterApi
from tests.support.store import STORE_ID, PretendCounter, caller, code_for, rows, serving
from tests.verification.campaign.stores.counter import Counter

LONG_MS = 120_000
COUNTERS = (WAITING_MOST + LANES * GATHERED_MOST) // WAITING_EACH + 20
"""So many fill what may wait, whatever of theirs is under way."""


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


def planted(database: Database, shop: int, numbers: range) -> list[PretendCounter]:
    """Counters that joined and are signed in, without the half second that each of them would take."""
    made = []
    with psycopg.connect(database.dsn) as connection:
        for number in numbers:
            counter = PretendCounter(f"K7Q2M{number}", number)
            counter.token = f"token-{number}"
            counter.pay(f"{counter.installation}-1-1")
            at = connection.execute(
                "INSERT INTO counter (shop, merchant_id, counter_id, environment, name) "
                "VALUES (%s, 'M-1', %s, 'sandbox', %s) RETURNING counter",
                (shop, number, f"Counter {number}"),
            ).fetchone()
            key = counter.key.public_key().public_bytes_raw()
            life = connection.execute(
                "INSERT INTO installation (installation, shop, counter, public_key) VALUES (%s, %s, %s, %s) "
                "RETURNING life",
                (counter.installation, shop, *(at or ()), key),
            ).fetchone()
            connection.execute(
                "INSERT INTO counter_session (token_hash, life, until) VALUES (%s, %s, now() + interval '1 hour')",
                (sha256(counter.token.encode()).digest(), *(life or ())),
            )
            made.append(counter)
    return made


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
    counters = planted(database, shop, range(1, COUNTERS + 1))
    api = CounterApi(database)
    watch = Watch(api.pool, api.receiver, tmp_path)
    till = tmp_path / "till"
    with serving(database, watch.routes(), api) as url, ThreadPoolExecutor(1) as others:
        real = Counter(till, b"k" * 32, 99, url, Random(1))
        real.join(code_for(database, shop), STORE_ID)
        posted = [(each.token, each.batch(1, 3)) for each in counters]
        with held(database), caller(url, timeout=60) as client:
            waiting = others.submit(_many, url, posted * WAITING_EACH)
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
        assert statuses[200] + statuses[503] == COUNTERS * WAITING_EACH
        assert api.receiver.waiting == 0
        real.shipper.turn()
        assert real.shipper.view.state.value == StoreState.WELL.value
        assert real.shipper.waiting == 0
        real.stop()
    assert rows(database, "SELECT count(*), sum(last - first + 1) FROM batch") == [
        (COUNTERS + 1, 3 * COUNTERS + 1)
    ]
    assert rows(database, "SELECT sum(n) FROM takings") == [(COUNTERS,)]


@pytest.mark.timeout(300)
def test_those_that_counters_sent_behind_their_own_wait_as_well(database: Database, shop: int) -> None:
    """They go into a commit one by one; until then each of them counts, wherever it stands."""
    counters = planted(database, shop, range(1, GATHERED_MOST))
    posted = [(each.token, each.batch(1, 3)) for each in counters]
    all_of_them = len(posted) * WAITING_EACH
    api = CounterApi(database, lanes=1)
    with serving(database, api=api) as url, ThreadPoolExecutor(2) as others:
        with psycopg.connect(database.dsn) as second:
            with held(database):
                first = others.submit(_many, url, posted[:1])
                _until(lambda: not rows(database, _FREE), "the lane stands", first)
                waiting = others.submit(_many, url, posted * WAITING_EACH)
                _until(lambda: api.receiver.waiting == all_of_them, "all of them", waiting)
                # Two readers' locks stand side by side: only behind the writer that waits does the second wait, too.
                locking = threading.Thread(target=second.execute, args=("LOCK TABLE batch IN SHARE MODE",))
                locking.start()
                own = second.info.backend_pid
                stands = "SELECT count(*) FROM pg_locks WHERE pid = %s AND NOT granted"
                _until(lambda: rows(database, stands, own) == [(1,)], "the second lock", waiting)
            # The lane writes one, takes all the others out of its queue, and is held again.
            locking.join()
            _until(lambda: rows(database, "SELECT count(*) FROM batch") == [(1,)], "the first batch", waiting)
            _until(lambda: not rows(database, _FREE), "the lane stands again", waiting)
            assert api.receiver.waiting == all_of_them - len(posted)
        assert first.result() == {200: 1}
        assert waiting.result() == {200: all_of_them}
        assert api.receiver.waiting == 0
    assert rows(database, "SELECT sum(n) FROM takings") == [(len(posted),)]


@pytest.mark.timeout(300)
def test_one_counter_takes_no_room_from_its_neighbours(
    database: Database, shop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few of its batches wait, the next is told to come later; and of all counters so many bytes."""
    counters = planted(database, shop, range(1, 4))
    one, two, three = ((each.token, each.batch(1, 3)) for each in counters)
    api = CounterApi(database, lanes=1)
    with serving(database, api=api) as url, ThreadPoolExecutor(3) as others:
        with held(database):
            first = others.submit(_many, url, [one])
            _until(lambda: not rows(database, _FREE), "the lane stands", first)
            own = others.submit(_many, url, [one] * (WAITING_EACH + 20))
            _until(lambda: api.receiver.counts.get("busy") == 20, "the last of them are told", own)
            assert api.receiver.waiting == WAITING_EACH
            neighbour = others.submit(_many, url, [two])
            _until(lambda: api.receiver.waiting == WAITING_EACH + 1, "its neighbour waits", neighbour)
            with monkeypatch.context() as patch:
                patch.setattr(receive, "HELD_BYTES_MOST", 1)
                assert _many(url, [three]) == {503: 1}
        assert (first.result(), neighbour.result()) == ({200: 1}, {200: 1})
        assert own.result() == {200: WAITING_EACH, 503: 20}
        # Nothing is held back by what is over.
        assert _many(url, [three]) == {200: 1}
        assert _many(url, [one] * WAITING_EACH) == {200: WAITING_EACH}
    assert rows(database, "SELECT sum(n) FROM takings") == [(3,)]


def test_what_nobody_awaits_any_more_is_not_written(
    database: Database, shop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one, two) = planted(database, shop, range(1, 3))
    api = CounterApi(database, lanes=1)
    with serving(database, api=api) as url, ThreadPoolExecutor(1) as others:
        with held(database):
            first = others.submit(_many, url, [(one.token, one.batch(1, 3))])
            _until(lambda: not rows(database, _FREE), "the lane stands", first)
            monkeypatch.setattr(receive, "ANSWER_S", 0.01)
            assert _many(url, [(two.token, two.batch(1, 3))]) == {503: 1}
            assert (api.receiver.counts["late"], api.receiver.waiting) == (1, 1)
            monkeypatch.setattr(receive, "ANSWER_S", LONG_MS / 1_000)
        assert first.result() == {200: 1}
        assert rows(database, "SELECT sum(n) FROM takings") == [(1,)]
        assert _many(url, [(two.token, two.batch(1, 3))]) == {200: 1}
        assert (api.receiver.counts["taken"], api.receiver.waiting) == (2, 0)
    assert rows(database, "SELECT sum(n) FROM takings") == [(2,)]


_FREE = "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_locks WHERE relation = 'batch'::regclass AND NOT granted)"
