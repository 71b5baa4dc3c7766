"""Whichever of a host's addresses answers: names looked up, and their addresses tried beside each other."""

from __future__ import annotations

import contextlib
import ipaddress
import itertools
import math
import os
import selectors
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

Address = tuple[socket.AddressFamily, Any]
Lookup = Callable[[str, int], list[Address]]

STAGGER_S = 0.25
"""After so long the next address is tried beside those that have not answered yet (RFC 8305)."""
PATIENCE_S = 1.0
"""So long a name that was found before is looked up; then the addresses from before are tried."""
MOST_LOOKS = 8
"""So many lookups are under way at most: where each hangs for ever, they must not use up the system's threads."""

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


def system_lookup(host: str, port: int) -> list[Address]:
    """The system's resolver, which has no time limit of its own."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, address) for family, _, _, _, address in found]


class NoAddress(OSError):
    """A name that leads nowhere, or not in time."""


class NotConnected(OSError):
    """None of the addresses answers: in the words of the last one's failing."""


class Names:
    """The addresses of hosts, for several threads at once. A lookup that is too slow is left behind in its thread.

    What it finds too late is for the next call: where the first of two name servers is dead, the system takes five
    seconds for each name, and no call has that long. Whose machine is at an old address is for TLS to prove; a
    printer proves it at no address.
    """

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._last: dict[tuple[str, int], list[Address]] = {}
        self._lock = threading.Lock()
        self._looking: set[threading.Thread] = set()
        self._behind: socket.AddressFamily | None = None

    def put_behind(self, family: socket.AddressFamily) -> None:
        """Addresses of this family come last from now on: they connect, and lead no further."""
        self._behind = family

    def in_order(self, host: str, port: int, limit_s: float) -> list[Address]:
        """The addresses in the order in which to try them; raises NoAddress."""
        found = self.addresses(host, port, limit_s)
        return _by_turns(sorted(found, key=lambda each: each[0] == self._behind))

    def addresses(self, host: str, port: int, limit_s: float) -> list[Address]:
        """All there are, in the system's order; raises NoAddress where there are none in time."""
        with contextlib.suppress(ValueError):
            version = ipaddress.ip_address(host).version
            return [(socket.AF_INET if version == 4 else socket.AF_INET6, (host, port))]
        name, found, silent = (host, port), list[Address](), threading.Event()

        def look() -> None:
            try:
                found.extend(self._lookup(host, port))
            except (OSError, UnicodeError) as error:
                if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
                    silent.set()
            if found:
                self._last[name] = found

        looking = self._begun(look)
        if looking is not None:
            looking.join(min(limit_s / 2, PATIENCE_S) if name in self._last else limit_s)
        if looking is None or looking.is_alive() or silent.is_set():
            if name in self._last:
                return self._last[name]
            raise NoAddress("the name service does not answer")
        if not found:
            raise NoAddress("the service's name has no address")
        return found

    def _begun(self, look: Callable[[], None]) -> threading.Thread | None:
        """The lookup in its thread; None where there is room for no other."""
        with self._lock:
            self._looking = {each for each in self._looking if each.is_alive()}
            if len(self._looking) >= MOST_LOOKS:
                return None
            thread = threading.Thread(target=look, name="resolver", daemon=True)
            with contextlib.suppress(RuntimeError):
                thread.start()
                self._looking.add(thread)
                return thread
            return None


def connected(addresses: list[Address], time_left: Callable[[], float]) -> socket.socket:
    """A socket that is connected to whichever of them answers first, and does not block. Raises NotConnected, and
    what `time_left` (in s) raises when there is none.

    A dead address, or all of one family, costs a moment; on a slow line each has all the time there is.
    """
    waiting = [*addresses]
    trying: list[socket.socket] = []
    problem, next_by = "", math.inf
    try:
        while waiting or trying:
            left_s = time_left()
            if waiting and (not trying or left_s <= next_by):
                next_by = left_s - STAGGER_S
                try:
                    trying.append(_connecting(*waiting.pop(0)))
                except OSError as error:
                    # One of a kind that this machine has not, too: IPv6 where that is switched off.
                    problem, next_by = str(error), math.inf
                continue
            for sock in _settled(trying, left_s - next_by if waiting else left_s):
                failed = _problem_of(sock)
                trying.remove(sock)
                if not failed:
                    return sock
                sock.close()
                problem, next_by = failed, math.inf
    finally:
        for sock in trying:
            sock.close()
    raise NotConnected(problem)


def _by_turns(addresses: list[Address]) -> list[Address]:
    """One of each family in turn, the system's first choice first: where a whole family is dead, the next is not."""
    first = [each for each in addresses if each[0] == addresses[0][0]]
    others = [each for each in addresses if each[0] != addresses[0][0]]
    return [each for pair in itertools.zip_longest(first, others) for each in pair if each is not None]


def _connecting(family: socket.AddressFamily, address: Any) -> socket.socket:
    """A socket on its way to an address; raises OSError where it cannot even begin."""
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            sock.connect(address)
    except BaseException:
        sock.close()
        raise
    return sock


def _settled(trying: list[socket.socket], wait_s: float) -> list[socket.socket]:
    """Those that are connected, or failed to."""
    with _Selector() as selector:
        for sock in trying:
            selector.register(sock, selectors.EVENT_WRITE)
        ready = {key.fd for key, _ in selector.select(wait_s)}
    return [sock for sock in trying if sock.fileno() in ready]


def _problem_of(sock: socket.socket) -> str:
    """Why it is not connected; "" where it is."""
    try:
        if code := sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return str(_error_of(code))
        sock.getpeername()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        return str(error)
    return ""


def _error_of(code: int) -> OSError:
    if sys.platform == "win32":
        # The numbers of its sockets are not C's, whose texts call each of them an unknown error.
        import ctypes

        return ctypes.WinError(code)
    return OSError(code, os.strerror(code))
