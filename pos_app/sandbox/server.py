"""Runs the sandbox on a loopback socket until it is told to stop; it must not know what is served."""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import Server

from pos_app.sandbox.connections import Connections

LOOPBACK = "127.0.0.1"
_BAD_BODY = b'{"error":"INVALID_ARGUMENT","message":"this is no HTTP/1.1 request"}'
_BAD_REQUEST = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_BAD_BODY), _BAD_BODY)
)


def listen(port: int) -> socket.socket:
    """Raises OSError when the port cannot be had; 0 takes a free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(4096)
    except OSError:
        listener.close()
        raise
    return listener


def guarded_protocol(connections: Connections) -> type[asyncio.Protocol]:
    """uvicorn's protocol with our limits on connections, and JSON for what is no HTTP."""

    class GuardedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            connections.opened(self.client, transport)

        def connection_lost(self, error: Exception | None) -> None:
            connections.closed(self.client)
            super().connection_lost(error)

        def data_received(self, data: bytes) -> None:
            if connections.received(self.client, len(data)):
                super().data_received(data)
            else:
                self.transport.close()

        def on_headers_complete(self) -> None:
            if not self.url.startswith((b"/", b"*")):
                # Meant for a proxy: the host it names is in no header, where we would look at it.
                raise ValueError("a target with a host of its own")
            super().on_headers_complete()

        def send_400_response(self, _: str) -> None:
            self.transport.write(_BAD_REQUEST)
            self.transport.close()

    return GuardedProtocol


class SandboxServer(Server):
    """A uvicorn server that ends cleanly on a signal, whatever calls are held."""

    def __init__(
        self,
        app: ASGIApp,
        connections: Connections,
        on_started: Callable[[], None],
        on_stop: Callable[[], None],
    ) -> None:
        config = Config(
            app,
            http=guarded_protocol(connections),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self._connections = connections
        self._on_started = on_started
        self._on_stop = on_stop

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    async def on_tick(self, counter: int) -> bool:
        if counter % 5 == 0:
            self._connections.sweep()
        stop = await super().on_tick(counter)
        if stop:
            self._on_stop()
        return stop

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn would raise the signal again at its end; a sandbox asked to stop has exit code 0."""

        def stop(*_: object) -> None:
            self.should_exit = True

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def stop_when_stdin_closes(self) -> None:
        """For a sandbox that belongs to another program: the pipe closes even when that is killed."""

        def watch() -> None:
            while os.read(0, 4096):
                continue
            self.should_exit = True

        threading.Thread(target=watch, name="parent", daemon=True).start()
