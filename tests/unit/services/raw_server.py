"""A server of bare bytes that plays whatever a gateway or a network may do; it must not know HTTP well."""

import contextlib
import json
import re
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from tests.support.patience import PATIENCE_S

_LENGTH = re.compile(rb"content-length: *([0-9]+)", re.IGNORECASE)

JSON_HEADER = b"Content-Type: application/json\r\n"


def http_reply(body: bytes, status: str = "200 OK", headers: bytes = JSON_HEADER) -> bytes:
    """A whole reply of known length."""
    length = b"Content-Length: %d\r\n" % len(body)
    return b"HTTP/1.1 " + status.encode() + b"\r\n" + headers + length + b"\r\n" + body


class Connection:
    """One accepted connection, as a play sees it."""

    def __init__(self, sock: socket.socket, stopping: threading.Event) -> None:
        self.sock = sock
        self.stopping = stopping
        self.asked = b""

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def drip(self, data: bytes, pause_s: float = 0.03) -> None:
        """One byte after the other, as slow servers do."""
        for byte in data:
            if self.stopping.wait(pause_s):
                return
            self.send(bytes([byte]))

    def repeat(self, data: bytes, pause_s: float = 0.0) -> None:
        """The same bytes until the client has had enough."""
        while not self.stopping.wait(pause_s):
            self.send(data)

    def wait(self) -> None:
        """Silence."""
        self.stopping.wait(20)

    def reset(self) -> None:
        """End with RST instead of FIN."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()


Play = Callable[[Connection], None]


def says(*replies: bytes) -> Play:
    """Each reply in turn, the last one for ever."""
    left = list(replies)

    def play(connection: Connection) -> None:
        connection.send(left.pop(0) if len(left) > 1 else left[0])

    return play


class RawServer:
    """Reads each request to its end, keeps it, plays; `requests` are whole, `heard` is every byte."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.play: Play = says(http_reply(b"{}"))
        self.requests: list[bytes] = []
        self.heard = b""
        self.accepted = 0
        self.reads = True
        self.ended_connection = threading.Event()
        self._context = context
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept, name="raw server")]

    @property
    def url(self) -> str:
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}"

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
        for sock in list(self._open):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE_S)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = self._listener.accept()
                self.accepted += 1
                self._open.add(sock)
                self._threads.append(threading.Thread(target=self._serve, args=(sock,), name="raw server"))
                self._threads[-1].start()

    def _serve(self, sock: socket.socket) -> None:
        try:
            if self._context is not None:
                plain, sock = sock, self._context.wrap_socket(sock, server_side=True)
                self._open.add(sock)
                self._open.discard(plain)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(sock, self._stopping)
            while not self._stopping.is_set() and (not self.reads or self._read_request(connection)):
                self.play(connection)
        except OSError:
            pass  # the client left, or the play ended the connection: both are part of the game
        finally:
            sock.close()
            self.ended_connection.set()

    def _read_request(self, connection: Connection) -> bool:
        data = b""
        while True:
            head, end, body = data.partition(b"\r\n\r\n")
            length = _LENGTH.search(head)
            if end and len(body) >= int(length[1] if length else 0):
                self.requests.append(data)
                connection.asked = data
                return True
            part = connection.sock.recv(65_536)
            if not part:
                return False
            data += part
            self.heard += part


def told(server: RawServer, document: Any, status: str = "200 OK", headers: bytes = JSON_HEADER) -> None:
    """From now on the server answers everything with this document (or these bytes)."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    server.play = says(http_reply(body, status, headers))
