"""The sockets under the HTTP library: to the one origin, within the Call, all of them endable at once.

Shaped like the library's NetworkStream and NetworkBackend without importing them: that is for `http` alone.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from pos_app.services import sockets
from pos_app.services.call import Call
from pos_app.services.errors import SHUT_DOWN, ConnectFailed
from pos_app.services.origin import Origin
from pos_app.system.dialing import Lookup, Names


class Stream:
    """A socket as the HTTP library sees it; each operation belongs to the calling thread's Call."""

    def __init__(self, network: Network, sock: socket.socket) -> None:
        self._network = network
        self._sock = sock
        self._serves: Call | None = None
        self.spent = False

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return sockets.receive(self._sock, max_bytes, self._network.call)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        call = self._network.call
        if self.spent and call is not self._serves:
            # The pool looks for news first and then for who is free: a connection may come free in between.
            raise ConnectFailed("the connection was used up")
        self._serves = call
        try:
            sockets.send_all(self._sock, buffer, call)
        except OSError as error:
            if not call.sent:
                # The server had closed it meanwhile, and whoever saw that first closed it here.
                raise ConnectFailed(str(error)) from error
            # A server may refuse a request before it has read it all: the reply, if any, is still to be read.
            self.spent = True

    def close(self) -> None:
        self._network.forget(self._sock)
        self._sock.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> Stream:
        self._network.forget(self._sock)
        plain, call = self._sock, self._network.call
        try:
            secured = sockets.secure(plain, ssl_context, server_hostname or "", call)
        except ConnectFailed:
            # IPv6 that lets small packets through alone connects, and swallows the certificate.
            self._network.names.put_behind(plain.family)
            raise
        return self._network.stream(secured)

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return self.spent or sockets.has_news(self._sock)
        return None


class Network:
    """Opens sockets to the one origin and can end them all."""

    def __init__(self, origin: Origin, lookup: Lookup) -> None:
        self._origin = origin
        self.names = Names(lookup)
        self._here = threading.local()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._ended = False

    @property
    def call(self) -> Call:
        """The exchange this thread is in."""
        call: Call = self._here.call
        return call

    @contextlib.contextmanager
    def serving(self, call: Call) -> Iterator[None]:
        self._here.call = call
        try:
            yield
        finally:
            del self._here.call

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[object] | None = None,  # noqa: ARG002
    ) -> Stream:
        self._origin.require(host, port)
        if self._ended:
            raise ConnectFailed(SHUT_DOWN)
        return self.stream(sockets.dial(host, port, self.call, self.names))

    def stream(self, sock: socket.socket) -> Stream:
        with self._lock:
            if not self._ended:
                self._open.add(sock)
                return Stream(self, sock)
        # It was connecting when all was ended; nothing has been sent on it.
        sock.close()
        raise ConnectFailed(SHUT_DOWN)

    def forget(self, sock: socket.socket) -> None:
        with self._lock:
            self._open.discard(sock)

    def end(self) -> None:
        """Wake every thread that waits on a socket, and open no more."""
        with self._lock:
            self._ended = True
            for sock in self._open:
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
