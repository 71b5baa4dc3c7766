"""Counts the connections and ends those that ask too much; it must not read what they say."""

import time
from asyncio import Transport
from collections.abc import Callable
from dataclasses import dataclass

MOST = 4096
MOST_WITHOUT_TOKEN = 64
GRACE_S = 1.0
"""A burst of honest callers has this long to show its tokens."""
READ_TIMEOUT_S = 10.0
MOST_BYTES_A_REQUEST = 64 * 1024 + 16 * 1024
"""The body's cap and room for the headers."""

Peer = tuple[str, int]
_BUSY_BODY = b'{"error":"UNAVAILABLE","message":"too many connections"}'
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_BUSY_BODY), _BUSY_BODY)
)


@dataclass(slots=True)
class Connection:
    transport: Transport
    opened_s: float
    waiting_since_s: float | None
    trusted: bool = False
    handling: bool = False
    unread: int = 0


class Connections:
    """Owns the table of live connections, keyed by the peer's address and port."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._live: dict[Peer, Connection] = {}

    def opened(self, peer: Peer, transport: Transport) -> bool:
        """False if there are too many; the connection is then being closed."""
        if len(self._live) >= MOST:
            _turn_away(transport)
            return False
        self._live[peer] = Connection(transport, self._now_s(), self._now_s())
        return True

    def closed(self, peer: Peer) -> None:
        self._live.pop(peer, None)

    def received(self, peer: Peer, size: int) -> bool:
        """False if the request has become too large; the connection is then being closed."""
        connection = self._live.get(peer)
        if connection is None:
            return False
        if not connection.handling and connection.waiting_since_s is None:
            connection.waiting_since_s = self._now_s()
        connection.unread += size
        return connection.unread <= MOST_BYTES_A_REQUEST

    def request_read(self, peer: Peer) -> None:
        connection = self._live.get(peer)
        if connection is not None:
            connection.handling = True
            connection.unread = 0
            connection.waiting_since_s = None

    def answered(self, peer: Peer) -> None:
        connection = self._live.get(peer)
        if connection is not None:
            connection.handling = False
            # A refusal may come before the body was read; those bytes are not the next request's.
            connection.unread = 0
            if not connection.trusted:
                connection.waiting_since_s = self._now_s()

    def trust(self, peer: Peer) -> None:
        """A valid token was seen on this connection."""
        connection = self._live.get(peer)
        if connection is not None:
            connection.trusted = True

    def drop(self, peer: Peer) -> None:
        connection = self._live.get(peer)
        if connection is not None:
            connection.transport.abort()

    def sweep(self) -> None:
        """Ends whoever keeps us waiting for the rest of a request, and the strangers beyond their number."""
        now_s = self._now_s()
        strangers = 0
        for connection in list(self._live.values()):
            since_s = connection.waiting_since_s
            if since_s is not None and now_s - since_s > READ_TIMEOUT_S:
                connection.transport.abort()
            elif not connection.trusted:
                strangers += 1
                if strangers > MOST_WITHOUT_TOKEN and now_s - connection.opened_s > GRACE_S:
                    _turn_away(connection.transport)


def _turn_away(transport: Transport) -> None:
    transport.write(BUSY)
    transport.close()
