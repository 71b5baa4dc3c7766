"""HTTP as bytes on a socket, just enough to pass it on or to damage it; must not be shared with the till."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import struct
import threading
from typing import Any

import msgspec

_LENGTH = re.compile(rb"content-length: *([0-9]+)", re.IGNORECASE)
_HOST = re.compile(rb"\r\nhost:[^\r]*", re.IGNORECASE)
_CONNECTION = re.compile(rb"\r\nconnection:[^\r]*", re.IGNORECASE)
_PART = 65_536

OPERATIONS = {
    "push": "initiate",
    "qr": "initiate",
    "getstatus": "getstatus",
    "cancel": "cancel",
    "query": "query",
    "validate-code": "validate-code",
    "submit-code": "submit-code",
}
"""The last part of a path and the operation it is."""


class Request(msgspec.Struct, frozen=True):
    """A whole request of the till."""

    raw: bytes
    operation: str

    @property
    def body(self) -> bytes:
        """What stands behind the head."""
        return self.raw.partition(b"\r\n\r\n")[2]

    @property
    def attempt_id(self) -> str:
        """The till's own id in it; empty where there is none."""
        fields = json.loads(self.body).get("request", {})
        return str(fields.get("externalMerchantTransactionId", ""))


class Reply(msgspec.Struct, frozen=True):
    """A whole reply of the service."""

    head: bytes
    body: bytes

    @property
    def raw(self) -> bytes:
        """As it came."""
        return self.head + self.body

    @property
    def document(self) -> Any:
        """Its JSON."""
        return json.loads(self.body)

    def start(self, place: str) -> bytes:
        """What has been sent of it when something happens at a place: before, head or body."""
        if place == "before":
            return b""
        if place == "head":
            return self.head[: len(self.head) // 2]
        return self.head + self.body[: len(self.body) // 2]


def reply_of(body: bytes, status: str = "200 OK", kind: str = "application/json", *headers: str) -> bytes:
    """A reply of known length; an empty `kind` leaves the type out."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}"]
    if kind:
        lines.append(f"Content-Type: {kind}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


class Wire:
    """A connected socket whose bytes are counted by nobody."""

    def __init__(self, sock: socket.socket, stopping: threading.Event) -> None:
        self.sock = sock
        self._stopping = stopping
        self._read = b""

    def read_some(self, size: int) -> bytes:
        """Up to so many bytes, of which some may have been read before."""
        if not self._read:
            self._read = self.sock.recv(min(size, _PART))
        found, self._read = self._read[:size], self._read[size:]
        return found

    def read_line(self) -> bytes:
        """A request's first line, as little beyond it as TLS allows; empty at the end."""
        line = b""
        while not line.endswith(b"\n"):
            byte = self.read_some(1) if self._read else self.sock.recv(1)
            if not byte:
                return b""
            line += byte
        return line

    def read_rest(self, line: bytes) -> bytes:
        """The whole message that begins with this line; empty if it ends early."""
        data = line
        while True:
            head, end, body = data.partition(b"\r\n\r\n")
            if end:
                length = _LENGTH.search(head)
                if len(body) >= int(length[1] if length else 0):
                    return data
            part = self.read_some(_PART)
            if not part:
                return b""
            data += part

    def send(self, data: bytes) -> None:
        """All of it."""
        self.sock.sendall(data)

    def drip(self, data: bytes, pause_s: float) -> None:
        """One byte after the other."""
        for at in range(len(data)):
            if self._stopping.wait(pause_s):
                return
            self.send(data[at : at + 1])

    def pause(self, seconds: float) -> None:
        """Lets time pass, unless the proxy ends."""
        self._stopping.wait(seconds)

    def repeat(self, data: bytes, most: int) -> None:
        """The same bytes until the other side has had enough, or so many of them."""
        sent = 0
        while sent < most and not self._stopping.is_set():
            self.send(data)
            sent += len(data)

    def silence(self, limit_s: float = 10.0) -> None:
        """Nothing, until the other side goes."""
        self.sock.settimeout(limit_s)
        with contextlib.suppress(OSError):
            while self.sock.recv(_PART):
                pass

    def reset(self) -> None:
        """Ends with RST instead of FIN."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def close(self) -> None:
        """Ends with FIN."""
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
        self.sock.close()


def operation_of(line: bytes) -> str:
    """The operation a request line asks for."""
    path = line.split(b" ")[1].decode("latin-1")
    return OPERATIONS[path.rpartition("/")[2]]


def ask(port: int, request: bytes) -> Reply:
    """The service's true reply to a request, over a connection of its own. Raises OSError."""
    asked, end, body = request.partition(b"\r\n\r\n")
    named = _HOST.sub(b"\r\nHost: 127.0.0.1:%d\r\nConnection: close" % port, _CONNECTION.sub(b"", asked))
    with socket.create_connection(("127.0.0.1", port), timeout=20) as upstream:
        upstream.sendall(named + end + body)
        data = b""
        while part := upstream.recv(_PART):
            data += part
    head, end, body = data.partition(b"\r\n\r\n")
    if not end:
        raise ConnectionError("the sandbox closed without a reply")
    return Reply(_CONNECTION.sub(b"", head) + end, body)
