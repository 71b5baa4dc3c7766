"""Whether the store is well (/health), and its figures as Prometheus reads them (/metrics, on a socket of its own)."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import msgspec
import psycopg
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from pos_app.store.database import Pool, files, one_row
from pos_app.store.receive import LANES, WAITING_MOST, Receiver
from pos_app.store.recount import months_ahead

DISK_LEAST = 0.05
"""So much of the disk under the store's folder has to be free."""
_ASK_S = 3.0
_HEAD_MOST = 8_192


class Health(msgspec.Struct, frozen=True):
    """`ok` is all of it: the database answers, the disk has room, next month has its partitions, lanes have room."""

    ok: bool
    database: bool
    schema: int
    disk_free: int
    disk_ok: bool
    months_ahead: int
    waiting: int
    faults: int
    """Batches that were not written, or event by event, for a reason nobody foresaw; the log has where. They make
    nothing unwell."""


class Watch:
    """Looks when it is asked."""

    def __init__(self, pool: Pool, receiver: Receiver, folder: Path) -> None:
        """`folder`: where the store's PostgreSQL writes, or its keys lie."""
        self._pool, self._receiver, self._folder = pool, receiver, folder

    async def health(self) -> Health:
        """Within a few seconds, whatever has happened."""
        disk = shutil.disk_usage(self._folder)
        disk_ok = disk.free >= disk.total * DISK_LEAST
        schema = ahead = 0
        try:
            async with asyncio.timeout(_ASK_S), self._pool.lend() as connection:
                (schema,) = await one_row(connection, "SELECT coalesce(max(number), 0) FROM migration")
                ahead = await months_ahead(connection)
        except (psycopg.Error, OSError, TimeoutError):
            schema = 0
        answers, waiting = schema > 0, self._receiver.waiting
        ok = answers and disk_ok and ahead > 0 and waiting < WAITING_MOST
        return Health(
            ok, answers, schema, disk.free, disk_ok, ahead, waiting, self._receiver.counts.get("bug", 0)
        )

    def routes(self) -> list[BaseRoute]:
        """GET /health: 200, or 503 with what is wrong. It says nothing of any shop."""

        async def endpoint(_: Request) -> Response:
            found = await self.health()
            return Response(
                msgspec.json.encode(found), 200 if found.ok else 503, media_type="application/json"
            )

        return [Route("/health", endpoint, methods=["GET"])]

    async def metrics(self) -> str:
        """Prometheus' text."""
        found = await self.health()
        lines = [
            *_one("pos_store_up", "gauge", "1 while all is well, as /health says", int(found.ok)),
            *_one("pos_store_database_up", "gauge", "1 while the database answers", int(found.database)),
            *_one("pos_store_schema", "gauge", "newest SQL file that was run", found.schema),
            *_one("pos_store_schema_known", "gauge", "newest SQL file of this program", files()[-1][0]),
            *_one("pos_store_disk_free_bytes", "gauge", "free under the store's folder", found.disk_free),
            *_one("pos_store_months_ahead", "gauge", "months with partitions", found.months_ahead),
            *_one(
                "pos_store_batches_waiting", "gauge", "batches that no commit has begun with", found.waiting
            ),
            *_one("pos_store_lanes", "gauge", "commits at the same time at most", LANES),
        ]
        counts = dict(self._receiver.counts)
        lines += _one("pos_store_commits_total", "counter", "commits", counts.pop("commits", 0))
        lines += _one("pos_store_events_total", "counter", "events taken", counts.pop("events", 0))
        lines += _one(
            "pos_store_lane_retries_total", "counter", "commits tried one by one", counts.pop("alone", 0)
        )
        lines += _head("pos_store_batches_total", "counter", "batches by verdict or refusal")
        for verdict in ("taken", "have", "gap", "fork"):
            counts.setdefault(verdict, 0)
        lines += [f'pos_store_batches_total{{verdict="{name}"}} {n}' for name, n in sorted(counts.items())]
        if found.database:
            lines += await self._of_counters()
        return "\n".join(lines) + "\n"

    async def _of_counters(self) -> list[str]:
        try:
            async with asyncio.timeout(_ASK_S), self._pool.lend() as connection:
                counters, oldest, waiting, open_n = await one_row(
                    connection,
                    "SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(c.seen)), 0)::float8, "
                    "coalesce(sum(c.waiting), 0)::bigint, coalesce(sum(c.open_n), 0)::bigint "
                    "FROM counter_now c JOIN installation i USING (life) WHERE i.state = 'joined'",
                )
                unfit, forks = await one_row(
                    connection, "SELECT (SELECT count(*) FROM unfit), (SELECT count(*) FROM fork)"
                )
        except (psycopg.Error, OSError, TimeoutError):
            return []
        return [
            *_one("pos_store_counters", "gauge", "counters that joined", counters),
            *_one(
                "pos_store_counter_oldest_seen_seconds", "gauge", "since the longest unseen called", oldest
            ),
            *_one("pos_store_counter_events_waiting", "gauge", "events that counters said wait", waiting),
            *_one("pos_store_attempts_open", "gauge", "payments open or waiting for a person", open_n),
            *_one("pos_store_events_unfit", "gauge", "events held that fit no table", unfit),
            *_one("pos_store_forks", "gauge", "batches of other histories, kept apart", forks),
        ]


def _head(name: str, kind: str, says: str) -> list[str]:
    return [f"# HELP {name} {says}", f"# TYPE {name} {kind}"]


def _one(name: str, kind: str, says: str, value: float) -> list[str]:
    return [*_head(name, kind, says), f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"]


async def serve_metrics(watch: Watch, port: int) -> asyncio.Server:
    """GET /metrics at this port of this machine; nobody else reaches it. OSError: the port cannot be had."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_ASK_S * 3):
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith((b"GET /metrics ", b"GET /metrics?")):
                    status, body = b"200 OK", (await watch.metrics()).encode()
                else:
                    status, body = b"404 Not Found", b"GET /metrics\n"
                writer.write(
                    b"HTTP/1.1 %b\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: %d\r\n"
                    b"connection: close\r\n\r\n%b" % (status, len(body), body)
                )
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        finally:
            writer.close()

    return await asyncio.start_server(talk, "127.0.0.1", port, limit=_HEAD_MOST)
