"""A kept-alive connection to the sandbox that says anything and reads what comes; and what a reply must look like."""

from __future__ import annotations

import contextlib
import json
import re
import socket
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from tests.verification.fuzz.sandbox_requests import Sent

LIMIT_S = 20.0
MOST_BYTES = 64 * 1024
"""A larger request may be cut off without a word."""

_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)
_TRACE = re.compile(rb'Traceback|File "|\.py\b|site-packages')


class Heard(msgspec.Struct, frozen=True):
    """A reply. `status` is 0 when the connection ended without one."""

    status: int
    head: bytes = b""
    body: bytes = b""


class Line:
    """Connects when it must; a wild request ends its connection, for nobody knows where it ends."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self._address = (parts.hostname or "", parts.port or 0)
        self._sock: socket.socket | None = None
        self.connections = 0

    def ask(self, sent: Sent) -> Heard:
        """Send it, once, and hear the reply; raises TimeoutError when neither comes nor ends."""
        sock = self._connected()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            sock.sendall(sent.data)
            if sent.wild:
                sock.shutdown(socket.SHUT_WR)
        heard = _reply(sock, bodiless=sent.method == "HEAD")
        if sent.wild or not heard.status or b"connection: close" in heard.head.lower() or heard.status == 413:
            self.close()
        return heard

    def _connected(self) -> socket.socket:
        if self._sock is None or _ended(self._sock):
            self.close()
            self._sock = socket.create_connection(self._address, timeout=LIMIT_S)
            self.connections += 1
        return self._sock

    def close(self) -> None:
        """No connection is left."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None


def _ended(sock: socket.socket) -> bool:
    sock.setblocking(False)
    try:
        return sock.recv(1, socket.MSG_PEEK) is not None
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        sock.settimeout(LIMIT_S)


def _reply(sock: socket.socket, *, bodiless: bool) -> Heard:
    data = bytearray()
    try:
        while True:
            end = data.find(b"\r\n\r\n")
            if end >= 0:
                head = bytes(data[:end])
                length = _LENGTH.search(head)
                whole = end + 4 + (int(length[1]) if length and not bodiless else 0)
                if head.startswith(b"HTTP/1.1 1"):
                    del data[: end + 4]  # "go on", said before the reply
                    continue
                if len(data) >= whole:
                    return Heard(int(head.split(None, 2)[1]), head, bytes(data[end + 4 : whole]))
            part = sock.recv(65_536)
            if not part:
                return Heard(0)
            data += part
    except ConnectionResetError:
        return Heard(0)


def wrong(sent: Sent, heard: Heard) -> str:
    """What is wrong with a reply, in words; empty when nothing is."""
    if not heard.status:
        return "" if sent.wild or len(sent.data) > MOST_BYTES else "no reply"
    if heard.status >= 500 and heard.status != 505:
        return f"HTTP {heard.status}"
    if _TRACE.search(heard.body):
        return "tells of its inside"
    if sent.method == "HEAD":
        return "" if not heard.body else "a body for HEAD"
    try:
        document = json.loads(heard.body)
    except ValueError:
        return "not JSON"
    if heard.status == 400 and b"connection: close" in heard.head:
        return ""  # no HTTP at all: nobody knows which service was meant
    return "" if sent.wild or _is_envelope(_area(sent.path), document) else "not the envelope of this service"


def _area(path: str) -> str:
    plain = unquote(urlsplit(path).path if path.startswith("http:") else path.partition("?")[0], "latin-1")
    if plain.startswith("/apicall/openapi/one-time-password-sms/"):
        return "otp"
    if plain.startswith("/apicall/"):
        return "query" if plain.endswith("/query") else "payment"
    return "other"


def _is_envelope(area: str, document: Any) -> bool:
    if not isinstance(document, dict):
        return False
    inner = document.get("response")
    match area:
        case "otp":
            return (
                document.get("statusCode") in ("SUCCESS", "ERROR") and {"message", "data"} <= document.keys()
            )
        case "query":
            return isinstance(inner, dict) and isinstance(inner.get("transactionList"), list)
        case "payment":
            return isinstance(inner, dict) and (
                inner.get("status") == "success"
                or (inner.get("status") == "failure" and bool(inner.get("code")))
            )
    return "error" in document
