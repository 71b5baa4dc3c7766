"""The way from the till's resolver to the proxy, and what can be wrong with it before a connection stands."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

from pos_app.system.dialing import Address

HERE = "127.0.0.1"


class Nowhere:
    """Two addresses of this machine: one refuses every connection, one lets every caller wait."""

    def __init__(self) -> None:
        self._refusing = socket.socket()
        self._refusing.bind((HERE, 0))
        self.refused: tuple[str, int] = self._refusing.getsockname()
        self._full = socket.socket()
        self._full.bind((HERE, 0))
        self._full.listen(0)
        self.silent: tuple[str, int] = self._full.getsockname()
        self._waiting: list[socket.socket] = []

    def __enter__(self) -> Self:
        for _ in range(4):
            # They take the places of the queue; whoever comes later gets no answer.
            sock = socket.socket()
            sock.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                sock.connect(self.silent)
            self._waiting.append(sock)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        for sock in (*self._waiting, self._full, self._refusing):
            sock.close()


class Road:
    """The till's lookup; `state` is open, refused, silent, nameless, no_address or no_resolver."""

    def __init__(self, port: int, nowhere: Nowhere) -> None:
        self._ends = {"open": (HERE, port), "refused": nowhere.refused, "silent": nowhere.silent}
        self._answered = threading.Event()
        self.state = "open"

    def __call__(self, _host: str, _port: int) -> list[Address]:
        state = self.state
        if state == "nameless":
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        if state == "no_resolver":
            self._answered.wait(20)
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")
        if state == "no_address":
            return []
        return [(socket.AF_INET, self._ends[state])]

    def mend(self) -> None:
        """All is well again; lookups that hang come back."""
        self.state = "open"
        self._answered.set()
        self._answered = threading.Event()
