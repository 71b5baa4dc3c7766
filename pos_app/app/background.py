"""What a service of the window does on threads beside it: each is bounded at the end, and ends with the process."""

from __future__ import annotations

import threading
from collections.abc import Callable

JOIN_S = 2.0


class Background:
    """`run` begins a thread; `stop` waits for those that are under way, a little. For the window's thread."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._threads: list[threading.Thread] = []

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return any(thread.is_alive() for thread in self._threads)

    def run(self, work: Callable[[], None]) -> None:
        """On a thread of its own, beside what is under way."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=work, name=self._name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def stop(self) -> None:
        """Waits for each, so long."""
        for thread in self._threads:
            thread.join(JOIN_S)
