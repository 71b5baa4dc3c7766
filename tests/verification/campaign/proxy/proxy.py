"""Stands between one till and the sandbox: passes on, unless a play has been set for the operation that comes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import msgspec

from tests.verification.campaign.proxy.wire import Reply, Request, Wire, ask, operation_of


class Heard(msgspec.Struct, frozen=True):
    """A request whose first bytes arrived (ms since 1970). `durable`: the journal already held its cause."""

    at: int
    request: Request
    durable: bool


Meanwhile = Callable[[Request, str], None]
Durable = Callable[[Request], bool]
Handshake = Callable[[Wire], None]


class Exchange:
    """One request as a play sees it."""

    def __init__(
        self, wire: Wire, line: bytes, port: int, meanwhile: Meanwhile, said: dict[str, Reply]
    ) -> None:
        self.wire = wire
        self.operation = operation_of(line)
        self.line = line
        self._port = port
        self._meanwhile = meanwhile
        self._said = said
        self._request: Request | None = None

    @property
    def request(self) -> Request:
        """Read to its end. Raises ConnectionError when the till has gone."""
        if self._request is None:
            raw = self.wire.read_rest(self.line)
            if not raw:
                raise ConnectionError("half a request")
            self._request = Request(raw, self.operation)
        return self._request

    def truth(self) -> Reply:
        """The service's reply; the customer may act just before or after."""
        self._meanwhile(self.request, "before")
        reply = ask(self._port, self.request.raw)
        self._meanwhile(self.request, "after")
        self._said[self.operation] = reply
        return reply

    def stale(self) -> Reply:
        """The last reply to this operation before; the service is not asked, the customer acts."""
        self._meanwhile(self.request, "before")
        return self._said[self.operation]


class Play(msgspec.Struct, frozen=True):
    """What is done to an exchange; raises OSError when the till has had enough. Closing the wire ends it.

    `early`: before the request has been read to its end.
    """

    act: Callable[[Exchange], None]
    early: bool = False


class Armed:
    """A play that waits for its operation, and goes on with any until it has been played so many times."""

    def __init__(self, operation: str, play: Play, times: int, met: Callable[[], None]) -> None:
        self.operation = operation
        self.play = play
        self.times = times
        self.met = met
        self.over = threading.Event()


class FaultProxy:
    """Owns its listener, its connections and their threads; `with` starts and ends it."""

    def __init__(
        self, port: int, durable: Durable, meanwhile: Meanwhile, context: ssl.SSLContext | None
    ) -> None:
        self.context = context
        self.handshake: Handshake | None = None
        self.heard: list[Heard] = []
        self.cut_short: list[str] = []
        self._said: dict[str, Reply] = {}
        self._upstream = port
        self._durable = durable
        self._meanwhile = meanwhile
        self._armed: Armed | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept, name="proxy")]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self._stopping.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join(10)

    def arm(self, armed: Armed | None) -> None:
        """From now on; None disarms."""
        with self._lock:
            self._armed = armed

    def cut(self) -> None:
        """Ends all connections, kept ones too."""
        with self._lock:
            for sock in self._open:
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                with self._lock:
                    self._open.add(sock)
                thread = threading.Thread(target=self._serve, args=(sock,), name="proxy")
                self._threads.append(thread)
                thread.start()

    def _serve(self, plain: socket.socket) -> None:
        sock = plain
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.handshake is not None:
                self.handshake(Wire(sock, self._stopping))
                return
            if self.context is not None:
                sock = self.context.wrap_socket(sock, server_side=True)
                with self._lock:
                    self._open.discard(plain)
                    self._open.add(sock)
            wire = Wire(sock, self._stopping)
            while sock.fileno() >= 0 and (line := wire.read_line()):
                self._answer(Exchange(wire, line, self._upstream, self._meanwhile, self._said))
        except OSError:
            pass  # the till had enough, or the play ended the connection
        finally:
            with self._lock:
                self._open.discard(sock)
                self._open.discard(plain)
            sock.close()

    def _answer(self, exchange: Exchange) -> None:
        armed = self._take(exchange.operation)
        if armed is None:
            self._note(exchange)
            exchange.wire.send(exchange.truth().raw)
            return
        try:
            if armed.play.early:
                self.cut_short.append(exchange.operation)
            else:
                self._note(exchange)
            armed.met()
            armed.play.act(exchange)
        finally:
            armed.over.set()

    def _note(self, exchange: Exchange) -> None:
        at = time.time_ns() // 1_000_000
        request = exchange.request
        self.heard.append(Heard(at, request, self._durable(request)))

    def _take(self, operation: str) -> Armed | None:
        with self._lock:
            armed = self._armed
            if armed is None or not armed.times or armed.operation not in ("", operation):
                return None
            armed.times -= 1
            armed.operation = ""
            return armed
