"""What a network does to one exchange: cuts, resets, silence, slow bytes, wrong lengths, copies, delays."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from tests.verification.campaign.proxy.proxy import Exchange
from tests.verification.campaign.proxy.wire import Reply

Trick = Callable[[Exchange, Reply], None]
"""Gets the service's true reply, or one without a byte where the request never reached the service."""

SLOW_BYTE_S = 0.25


def reset_in_request(place: str) -> Callable[[Exchange], None]:
    """RST while the request arrives."""

    def act(exchange: Exchange) -> None:
        _read_a_part(exchange, place)
        exchange.wire.reset()

    return act


def closed_in_request(place: str) -> Callable[[Exchange], None]:
    """FIN while the request arrives."""

    def act(exchange: Exchange) -> None:
        _read_a_part(exchange, place)
        exchange.wire.close()

    return act


def _read_a_part(exchange: Exchange, place: str) -> None:
    if place == "head":
        exchange.wire.read_some(20)
    elif place == "body":
        seen = b""
        while b"\r\n\r\n" not in seen and (some := exchange.wire.read_some(40)):
            seen = seen[-4:] + some


def reset_at(place: str) -> Trick:
    """RST in place of the rest of the reply."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.send(reply.start(place))
        exchange.wire.reset()

    return trick


def closed_at(place: str) -> Trick:
    """FIN in place of the rest."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.send(reply.start(place))
        exchange.wire.close()

    return trick


def silent_at(place: str) -> Trick:
    """Nothing in place of the rest."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.send(reply.start(place))
        exchange.wire.silence()

    return trick


def garbage_at(place: str) -> Trick:
    """Bytes of no protocol in place of the rest."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.send(reply.start(place) + b"\x00\xff\x16\x03\r\n\r\n\x80" * 40)
        exchange.wire.close()

    return trick


def slow_at(place: str) -> Trick:
    """The rest byte after byte: each comes in time, all of them never."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        whole = reply.raw or b"HTTP/1.1 200 OK\r\n" + b" " * 90
        begun = reply.start(place)
        exchange.wire.send(begun)
        exchange.wire.drip(whole[len(begun) :], SLOW_BYTE_S)

    return trick


def late_but_in_time(delay_s: float, pause_s: float) -> Trick:
    """Latency, then a narrow line: slower than usual, and whole within the limit."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        exchange.wire.pause(delay_s)
        for at in range(0, len(reply.raw), 50):
            exchange.wire.send(reply.raw[at : at + 50])
            exchange.wire.pause(pause_s)

    return trick


def good_then_closed(exchange: Exchange, reply: Reply) -> None:
    """A true reply, and the connection ends without a word about it."""
    exchange.wire.send(reply.raw)
    exchange.wire.close()


def arrives_late(after_s: float) -> Callable[[Exchange], None]:
    """The till has given the request up, so long ago, when the service gets it."""

    def act(exchange: Exchange) -> None:
        request = exchange.request
        with contextlib.suppress(OSError):
            exchange.wire.silence()
        exchange.wire.pause(after_s)
        exchange.wire.close()
        if request.raw:
            exchange.truth()

    return act


def twice(answer: int) -> Callable[[Exchange], None]:
    """Two copies reach the service; the till sees the reply to the first or to the second."""

    def act(exchange: Exchange) -> None:
        replies = exchange.truth(), exchange.truth()
        exchange.wire.send(replies[answer].raw)

    return act


def length_of(change: int, then: str) -> Trick:
    """A Content-Length that is wrong by so much, and then the end or silence."""

    def trick(exchange: Exchange, reply: Reply) -> None:
        length = b"content-length: %d"
        head = reply.head.lower().replace(length % len(reply.body), length % (len(reply.body) + change))
        exchange.wire.send(head.replace(b"http/1.1", b"HTTP/1.1") + reply.body)
        if then == "close":
            exchange.wire.close()
        elif then == "silence":
            exchange.wire.silence()

    return trick


def half_document(exchange: Exchange, reply: Reply) -> None:
    """Half of the JSON, under a length that fits it."""
    half = reply.body[: len(reply.body) // 2]
    exchange.wire.send(_framed(b"Content-Length: %d" % len(half)) + half)


def chunks_without_end(exchange: Exchange, reply: Reply) -> None:
    """All of the body in chunks, but never the last, empty one."""
    exchange.wire.send(_framed(b"Transfer-Encoding: chunked"))
    exchange.wire.send(b"%x\r\n%b\r\n" % (len(reply.body), reply.body))
    exchange.wire.close()


def no_length_half(exchange: Exchange, reply: Reply) -> None:
    """A body that the end of the connection ends, too early."""
    exchange.wire.send(_framed(b"Connection: close") + reply.body[: len(reply.body) // 2])
    exchange.wire.close()


def _framed(header: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + header + b"\r\n\r\n"
