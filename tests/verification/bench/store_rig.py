"""A store as its owner runs it, on this machine's disk, and counters that tell it over kept connections."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import psycopg

from tests.support.store import PretendCounter
from tests.verification.campaign.stores.chaos import fresh
from tests.verification.campaign.stores.store import Store

_JOINED = """WITH made AS (INSERT INTO counter (shop, environment, merchant_id, counter_id, name)
VALUES (%(shop)s, 'sandbox', 'M-1', %(number)s, %(name)s) RETURNING counter), joined AS (
INSERT INTO installation (installation, shop, counter, public_key, currency)
SELECT %(name)s, %(shop)s, counter, %(key)s, 'LKR' FROM made RETURNING life, counter), now AS (
INSERT INTO counter_now (counter, shop, life) SELECT counter, %(shop)s, life FROM joined)
INSERT INTO counter_session (token_hash, life, until) SELECT %(token)s, life, now() + interval '1 hour' FROM joined"""


@contextmanager
def running() -> Iterator[Store]:
    """One of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pos-bench-", ignore_cleanup_errors=True) as made:
        Path(made).chmod(0o755)
        store = Store(fresh(Path(made, "stores")) / "store", may_fill=False)
        store.init()
        store.start()
        try:
            yield store
        finally:
            store.end()


def joined(store: Store, many: int, shop: int = 1, named: str = "B") -> list[PretendCounter]:
    """Counters with a session each, put into the tables as joining would."""
    counters = []
    with psycopg.connect(store.database.dsn) as connection:
        row = connection.execute("SELECT count(*) FROM counter").fetchone()
        before = 0 if row is None else int(row[0])
        for number in range(before + 1, before + many + 1):
            counter = PretendCounter(f"{named}{number:07d}", number)
            counter.token = f"token of {counter.installation}"
            connection.execute(
                _JOINED,
                {
                    "shop": shop,
                    "number": number,
                    "name": counter.installation,
                    "key": counter.key.public_key().public_bytes_raw(),
                    "token": sha256(counter.token.encode()).digest(),
                },
            )
            counters.append(counter)
    return counters


class Line:
    """A kept connection of a counter."""

    def __init__(self, store: Store, token: str) -> None:
        self._port = store.port
        self._head = f"POST /v1/batches HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\n"
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Before anything is timed."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def post(self, body: bytes) -> None:
        """One batch, until it is taken: a store at its limit says when to come again, and that is part of the time."""
        while (busy_s := await self._once(body)) is not None:
            await asyncio.sleep(busy_s)

    async def _once(self, body: bytes) -> float | None:
        assert self._reader is not None
        assert self._writer is not None
        self._writer.write(f"{self._head}content-length: {len(body)}\r\n\r\n".encode() + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
        )
        said = await self._reader.readexactly(length)
        if head.startswith(b"HTTP/1.1 503") and b'"busy"' in said:
            return 2.0
        assert b'"taken"' in said, (head, said)
        return None

    async def close(self) -> None:
        """Behind everything."""
        assert self._writer is not None
        self._writer.close()
        await self._writer.wait_closed()


@contextmanager
def bare(store: Store) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """The floor: the same PostgreSQL, a table of rows, and nothing in between."""
    with psycopg.connect(store.database.dsn, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS bare (life int, seq bigint, kind text, mac bytea, content text, "
            "PRIMARY KEY (life, seq))"
        )
        connection.execute("TRUNCATE bare")
        yield connection


def inserted(connection: psycopg.Connection[tuple[object, ...]], life: int, counter: PretendCounter, first: int,
             texts: Sequence[str]) -> None:  # fmt: skip
    """These events as rows, in one commit."""
    rows = [
        (life, first + place, "STATUS_ANSWERED", counter.events[first + place - 1].mac, text)
        for place, text in enumerate(texts)
    ]
    with connection.transaction(), connection.cursor() as cursor:
        cursor.executemany("INSERT INTO bare VALUES (%s, %s, %s, %s, %s)", rows)
