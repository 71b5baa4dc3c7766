"""A printer on the shop's network, at its raw port (9100): one job a connection."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import NamedTuple

from pos_app.devices.printers.channel import ECHO_S, STATUS_S, ChannelGone, ChannelSession, opened
from pos_app.devices.printers.printer import Form, NotReady
from pos_app.domain.print_job import Why
from pos_app.system.dialing import Lookup, Names, NoAddress, NotConnected, connected, system_lookup
from pos_app.system.waiting import can_read, can_write

_PIECE = 16_384


class Limits(NamedTuple):
    """How long a printer has for a connection, for what it says of itself, and for naming a job as done."""

    connect_s: float = 2.0
    status_s: float = STATUS_S
    echo_s: float = ECHO_S


LIMITS = Limits()
"""Of the counter's printer."""


class NetworkPrinter:
    """`host`: a name or an address."""

    form = Form.ESCPOS

    def __init__(self, host: str, port: int, limits: Limits = LIMITS, lookup: Lookup = system_lookup) -> None:
        self._names = Names(lookup)
        self._host = host
        self._port = port
        self._limits = limits

    def open(self) -> ChannelSession:
        """As in Printer."""
        return opened(SocketChannel(self._connected()), self._limits.status_s, self._limits.echo_s)

    def _connected(self) -> socket.socket:
        try:
            addresses = self._names.in_order(self._host, self._port, self._limits.connect_s)
            until = time.monotonic() + self._limits.connect_s
            return connected(addresses, lambda: _left(until))
        except (NoAddress, NotConnected) as error:
            raise NotReady(Why.NO_CONNECTION) from error


def _left(until: float) -> float:
    """Seconds until then. Raises NotConnected."""
    if (left := until - time.monotonic()) <= 0:
        raise NotConnected("no connection in time")
    return left


class SocketChannel:
    """A connected socket that does not block."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._is_ended = False

    def write(self, data: bytes, until: float) -> None:
        """As in Channel."""
        left = memoryview(data)
        while left:
            if not can_write(self._sock, until - time.monotonic()):
                raise TimeoutError("the printer takes nothing more")
            with contextlib.suppress(BlockingIOError):
                left = left[self._sock.send(left[:_PIECE]) :]

    def read(self, until: float) -> bytes:
        """As in Channel."""
        if not can_read(self._sock, until - time.monotonic()):
            return b""
        try:
            heard = self._sock.recv(4096)
        except BlockingIOError:
            return b""
        if not heard:
            self._is_ended = True
            raise ChannelGone("the printer has closed the connection")
        return heard

    def finish(self, until: float) -> None:
        """Both ends close in order: a socket closed over unread bytes would throw away what is still under way. Most
        printers leave theirs open for long.
        """
        until = min(until, time.monotonic() + STATUS_S)
        self._sock.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ChannelGone):
            while time.monotonic() < until:
                self.read(until)

    def close(self) -> None:
        """As in Channel."""
        self._sock.close()
