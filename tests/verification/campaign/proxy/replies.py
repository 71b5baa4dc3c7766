"""What a gateway or a middlebox answers in place of the service: statuses, redirects, floods, encodings."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from functools import cache

from tests.verification.campaign.proxy.proxy import Exchange
from tests.verification.campaign.proxy.tricks import Trick
from tests.verification.campaign.proxy.wire import Reply, reply_of

HTML = "text/html"
JSON = "application/json"

LOGIN = b"<html><title>Welcome</title><form action=/login>Please log in to the network</form></html>"
ERROR = b"<html><h1>Bad Gateway</h1><hr>nginx</html>"
FOREIGN = b'{"error":"internal","traceId":"8c1f"}'
BELIEVABLE = b'{"response":{"status":"success","message":"ok","merchantTxnStatusName":"Payment Success"}}'
FLOOD = 8 << 20
"""A till that reads all of this has no cap."""


def says(status: str, body: bytes = b"", kind: str = "text/html", *headers: str) -> Trick:
    """This reply, whatever was asked."""

    def trick(exchange: Exchange, _: Reply) -> None:
        exchange.wire.send(reply_of(body, status, kind, *headers))

    return trick


def true_body(status: str = "200 OK", kind: str = "application/json", *headers: str) -> Trick:
    """The service's own body under another status, type or header."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.send(reply_of(reply.body, status, kind, *headers))

    return trick


def raw(data: bytes) -> Trick:
    """These bytes, then the end."""

    def trick(exchange: Exchange, _: Reply) -> None:
        exchange.wire.send(data)
        exchange.wire.close()

    return trick


def changed(change: Callable[[bytes], bytes]) -> Trick:
    """The service's own reply with its body changed."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.send(reply_of(change(reply.body)))

    return trick


def too_long(exchange: Exchange, _: Reply) -> None:
    """A body of known, impossible length."""
    head = reply_of(b"").replace(b"Length: 0", b"Length: %d" % FLOOD)
    exchange.wire.send(head)
    exchange.wire.repeat(b" " * 65_536, FLOOD)


def endless_chunks(exchange: Exchange, _: Reply) -> None:
    """Chunk after chunk."""
    exchange.wire.send(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    exchange.wire.repeat(b"1000\r\n" + b" " * 4096 + b"\r\n", FLOOD)


def endless_body(exchange: Exchange, _: Reply) -> None:
    """No length, no end."""
    exchange.wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    exchange.wire.repeat(b" " * 65_536, FLOOD)


def endless_hundreds(exchange: Exchange, _: Reply) -> None:
    """100 (Continue) for ever."""
    exchange.wire.repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 400, FLOOD)


def long_header(exchange: Exchange, reply: Reply) -> None:
    """One header of a megabyte before a true reply."""
    exchange.wire.send(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * (1 << 20) + b"\r\n")
    exchange.wire.send(reply.raw.partition(b"\r\n")[2])


def many_headers(exchange: Exchange, reply: Reply) -> None:
    """300 header lines before a true reply."""
    lines = b"".join(b"X-Line-%d: value\r\n" % number for number in range(300))
    exchange.wire.send(b"HTTP/1.1 200 OK\r\n" + lines)
    exchange.wire.send(reply.raw.partition(b"\r\n")[2])


def and_another(exchange: Exchange, reply: Reply) -> None:
    """The true reply and one more behind it: whoever keeps it takes it for the next request's."""
    exchange.wire.send(reply.raw + reply_of(FOREIGN, "401 Unauthorized", JSON))


def body_alone(exchange: Exchange, reply: Reply) -> None:
    """HTTP/0.9: no status line, no header."""
    exchange.wire.send(reply.body or BELIEVABLE)
    exchange.wire.close()


def bomb() -> Trick:
    """A quarter of a megabyte that would become a quarter of a gigabyte; made here, so that no till waits for it."""
    packed = _bomb()

    def trick(exchange: Exchange, _: Reply) -> None:
        exchange.wire.send(reply_of(packed, "200 OK", JSON, "Content-Encoding: gzip"))

    return trick


@cache
def _bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    part = b" " * (1 << 20)
    return b"".join(packer.compress(part) for _ in range(256)) + packer.flush()


def packed(encoding: str) -> Trick:
    """A true body, packed although nobody asked for it."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        body = gzip.compress(reply.body) if encoding == "gzip" else zlib.compress(reply.body)
        exchange.wire.send(reply_of(body, "200 OK", "application/json", f"Content-Encoding: {encoding}"))

    return trick
