"""Tells the service manager that started us how we are: ready, alive, ending. Silent where there is none."""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import MutableMapping
from pathlib import Path

_SOCKET, _LIMIT = "NOTIFY_SOCKET", "WATCHDOG_USEC"
LOADING_MS = 180_000
"""So long a till may load before it answers; as the service's TimeoutStartSec, which ends with its first window."""


class ServiceManager:
    """systemd's protocol: one datagram for each message, to the socket it named. Never waits, never fails."""

    def __init__(self, variables: MutableMapping[str, str]) -> None:
        """Takes the variables away: what the till starts has nothing to say there."""
        address = variables.pop(_SOCKET, "")
        limit = variables.pop(_LIMIT, "")
        # WATCHDOG_PID names the compositor that we run in: it is the service's main process, we speak for it.
        variables.pop("WATCHDOG_PID", None)
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket = _datagrams() if self._address else None
        folder = variables.get("RUNTIME_DIRECTORY", "") if self._address else ""
        # By this file the session knows a till that crashed from one that never came up (packaging/kiosk/session).
        self._stood = Path(folder, "stood") if folder else None
        self.screen_fell = bool(folder) and Path(folder, "fell").exists()
        """Whether the session lost a first screen before a till stood on it, and this is its second."""
        self.watchdog_ms = int(limit) // 1000 if limit.isascii() and limit.isdigit() else 0
        """How long it may hear nothing before it ends us; 0: it does not watch."""
        self._is_up = self._is_patient = False

    def ready(self) -> None:
        """A window stands."""
        self._stands()
        self._say("READY=1\nSTATUS=The till is open")

    def safe(self) -> None:
        """The safe screen stands: the service is up, the till is not."""
        self._stands()
        self._say("READY=1\nSTATUS=The safe screen is shown: the till is not running")

    def alive(self) -> None:
        """Feeds the watchdog."""
        self._say("WATCHDOG=1")

    def loading(self) -> None:
        """A till is being loaded: until it has been, nothing may be heard for as long as a start may take."""
        # Ahead of READY=1 nothing is watched over, and this would begin it.
        if self._is_up and self.watchdog_ms and not self._is_patient:
            self._is_patient = True
            self._say(f"WATCHDOG_USEC={max(LOADING_MS, self.watchdog_ms) * 1000}")

    def loaded(self) -> None:
        """It works: from now on as the service wants it."""
        if self._is_patient:
            self._is_patient = False
            # First: the new limit counts from what was heard last.
            self.alive()
            self._say(f"WATCHDOG_USEC={self.watchdog_ms * 1000}")

    def ending(self) -> None:
        """The end was asked for."""
        self._say("STOPPING=1")

    def close(self) -> None:
        """Nothing more is said."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _stands(self) -> None:
        self._is_up = True
        if self._stood is not None:
            with contextlib.suppress(OSError):
                self._stood.touch()

    def _say(self, words: str) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendto(words.encode(), self._address)
        except OSError:
            # It is gone, or too busy to listen: then it must not hold up a till.
            return


def _datagrams() -> socket.socket | None:
    if sys.platform == "win32":
        return None
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
    made.setblocking(False)
    return made
