"""What the store serves to counters, and how it listens: loopback, TLS, or behind a proxy that ends it."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

import msgspec
import psycopg
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from uvicorn.config import Config
from uvicorn.server import Server

from pos_app.domain.shipping import (
    UNPACKED_MOST,
    BadBatch,
    ChallengeRequest,
    FindRequest,
    JoinRequest,
    Refusal,
    SessionRequest,
    Shipped,
    Told,
    ToldPage,
    events_of,
    read_header,
    unpacked,
)
from pos_app.domain.unreadable import UNREADABLE
from pos_app.store.connection import BoundedProtocol
from pos_app.store.database import PAGE, RECEIVE, Database, Pool
from pos_app.store.find import Finder
from pos_app.store.joining import Joining
from pos_app.store.receive import Known, Receiver, Refused

BODY_S = 20.0
_SMALL_MOST = 64 << 10
_TOLD_MOST = 200
_json = msgspec.json.Encoder()

T = TypeVar("T")


class Nothing(msgspec.Struct, frozen=True):
    """An answer that says no more than that it was done."""


class CounterApi:
    """The calls of a counter (domain/shipping.py). One for each running store."""

    def __init__(self, database: Database, *, lanes: int = 4) -> None:
        self.database = database
        self.pool = Pool(database, RECEIVE, 4)
        self.receiver = Receiver(database, lanes)
        self.joining = Joining(self.pool)
        self._looking = Pool(database, PAGE, 2)
        self.finder = Finder(self._looking)

    def routes(self) -> list[BaseRoute]:
        """Every one of them."""
        return [
            Route("/v1/join", self._guarded(self._join), methods=["POST"]),
            Route("/v1/challenge", self._guarded(self._challenge), methods=["POST"]),
            Route("/v1/session", self._guarded(self._session), methods=["POST"]),
            Route("/v1/head", self._guarded(self._head), methods=["GET"]),
            Route("/v1/batches", self._guarded(self._batches), methods=["POST"]),
            Route("/v1/leave", self._guarded(self._leave), methods=["POST"]),
            Route("/v1/told", self._guarded(self._told), methods=["GET"]),
            Route("/v1/find", self._guarded(self._find), methods=["POST"]),
        ]

    async def start(self) -> None:
        """Begins the lanes."""
        await self.receiver.start()

    async def stop(self) -> None:
        """Ends lanes and connections."""
        await self.receiver.stop()
        await self.pool.close()
        await self._looking.close()

    async def known(self, request: Request) -> Known:
        """Whose session this call has. Raises Refused."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not token:
            raise Refused(401, "session", "this call needs a session (Authorization: Bearer …)", "token")
        return await self.joining.known(token)

    def _guarded(
        self, serve: Callable[[Request], Awaitable[msgspec.Struct]]
    ) -> Callable[..., Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                return answer(await serve(request))
            except Refused as refused:
                return refusal(refused)
            except BadBatch as bad:
                self.receiver.count(bad.code)
                return refusal(Refused(413 if bad.code == "too_long" else 422, bad.code, str(bad), "batch"))
            except (psycopg.Error, OSError):
                self.receiver.count("database")
                return refusal(Refused(503, "database", "the store's database is away: try again", "", 2))
            except ClientDisconnect:
                return Response(status_code=400)

        return endpoint

    async def _join(self, request: Request) -> msgspec.Struct:
        return await self.joining.join(await read(request, JoinRequest))

    async def _challenge(self, request: Request) -> msgspec.Struct:
        return await self.joining.challenge((await read(request, ChallengeRequest)).installation)

    async def _session(self, request: Request) -> msgspec.Struct:
        return await self.joining.session(await read(request, SessionRequest))

    async def _head(self, request: Request) -> msgspec.Struct:
        return await self.receiver.head((await self.known(request)).teller.life)

    async def _batches(self, request: Request) -> msgspec.Struct:
        known = await self.known(request)
        return await self.receiver.take(known, await body_of(request, UNPACKED_MOST))

    async def _leave(self, request: Request) -> msgspec.Struct:
        known = await self.known(request)
        asked = await read(request, ChallengeRequest)
        if asked.installation != known.installation:
            raise Refused(403, "installation", "a counter leaves for itself alone", "installation")
        await self.joining.leave(known.teller.life)
        return Nothing()

    async def _told(self, request: Request) -> msgspec.Struct:
        known = await self.known(request)
        text = request.query_params.get("after", "0")
        if not (text.isascii() and text.isdigit() and len(text) <= 18):
            raise Refused(422, "field", "after is a whole number from 0, for example ?after=120", "after")
        # A session is kept for a while without asking: whose key was refused since hears nothing more.
        await self.receiver.head(known.teller.life)
        async with self.pool.lend() as connection:
            return await told_after(connection, known.teller.life, int(text))

    async def _find(self, request: Request) -> msgspec.Struct:
        known = await self.known(request)
        asked = await read(request, FindRequest)
        return await self.finder.find(known, asked, datetime.now(UTC), asyncio.get_running_loop().time())


async def told_after(connection: Any, life: int, after: int) -> ToldPage:
    """The attempts that are told behind this place of the journal, by the first event there of each."""
    found: dict[str, Told] = {}
    more = False
    async with connection.transaction(), connection.cursor(name="told") as cursor:
        await cursor.execute(
            "SELECT header, body FROM batch WHERE life = %s AND last > %s ORDER BY last", (life, after)
        )
        async for header, body in cursor:
            if len(found) >= _TOLD_MOST:
                more = True
                break
            for event in events_of(read_header(header), unpacked(body)):
                _note(found, event, after)
    return ToldPage(told=tuple(sorted(found.values(), key=lambda each: each.seq)), more=more)


def _note(found: dict[str, Told], event: Shipped, after: int) -> None:
    attempt = event.content.get("attempt")
    if event.seq <= after or not isinstance(attempt, dict):
        return
    attempt_id = attempt.get("attempt_id")
    if isinstance(attempt_id, str):
        found[attempt_id] = Told(attempt_id=attempt_id, seq=event.seq, attempt=attempt)


async def body_of(request: Request, most: int) -> bytes:
    """A call's body within its time. Raises Refused: 413, 408."""
    said = request.headers.get("content-length", "0")
    if said.isdigit() and int(said) > most:
        raise Refused(413, "too_long", f"a body here has at most {most} bytes", "body")
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise Refused(413, "too_long", f"a body here has at most {most} bytes", "body")
                parts.append(part)
    except TimeoutError as error:
        raise Refused(408, "slow", f"a body has to be here within {BODY_S:g} s", "body") from error
    return b"".join(parts)


async def read(request: Request, kind: type[T]) -> T:
    """A JSON body. Raises Refused: 422."""
    try:
        return msgspec.json.decode(await body_of(request, _SMALL_MOST), type=kind)
    except UNREADABLE as error:
        raise Refused(422, "unreadable", f"the body cannot be read: {error}", "body") from error


def answer(said: msgspec.Struct) -> Response:
    """200, as JSON."""
    return Response(_json.encode(said), media_type="application/json")


def refusal(refused: Refused) -> Response:
    """Any other status, as JSON."""
    body = _json.encode(Refusal(code=refused.code, message=str(refused), field=refused.field))
    response = Response(body, refused.status, media_type="application/json")
    if refused.retry_s:
        response.headers["retry-after"] = str(refused.retry_s)
    return response


class Side(Protocol):
    """Something else that is served beside the counters' calls, and lives as long: the owner's page."""

    def routes(self) -> list[BaseRoute]:
        """What it serves."""
        ...

    async def start(self) -> None:
        """In the server's loop, before the first call."""
        ...

    async def stop(self) -> None:
        """In the same, behind the last."""
        ...


def application(
    api: CounterApi,
    more: Sequence[BaseRoute] = (),
    sides: Sequence[Side] = (),
    beside: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
) -> Starlette:
    """Everything that is served; `more`: health and the like; `sides`: the page.

    `beside`: what else goes on for as long as it serves.
    """

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await api.start()
        for side in sides:
            await side.start()
        try:
            async with beside():
                yield
        finally:
            for side in sides:
                await side.stop()
            await api.stop()

    of_sides = [route for side in sides for route in side.routes()]
    return Starlette(routes=[*api.routes(), *more, *of_sides], lifespan=life)


class StoreServer(Server):
    """uvicorn that says when it serves, and ends at a signal or when it is told to."""

    def __init__(
        self, app: Starlette, on_started: Callable[[], None], tls: tuple[str, str] | None = None
    ) -> None:
        super().__init__(
            Config(
                app,
                http=BoundedProtocol,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=3,
                limit_concurrency=4_000,
                ssl_certfile=None if tls is None else tls[0],
                ssl_keyfile=None if tls is None else tls[1],
                ssl_version=ssl.PROTOCOL_TLS_SERVER,
            )
        )
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._on_started()


def listen(host: str, port: int) -> socket.socket:
    """Raises OSError when the address cannot be had; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError:
        listener.close()
        raise
    return listener
