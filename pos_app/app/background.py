"""What a service of the window does on threads beside it: each is bounded at the end, and ends with the process.

What is done knows objects of Qt's, by whose end it is told or which it was asked by. It is let go of here, by the
window's thread, and not by its own: the last to let go of such an object takes it away, where nobody else may.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

JOIN_S = 2.0


class Background:
    """`run` begins a thread; `stop` waits for those that are under way, a little. For the window's thread."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._under_way: list[tuple[threading.Thread, Callable[[], None]]] = []

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return any(thread.is_alive() for thread, _ in self._under_way)

    def run(self, work: Callable[[], None]) -> None:
        """On a thread of its own, beside what is under way."""
        self._under_way = [each for each in self._under_way if each[0].is_alive()]
        thread = threading.Thread(target=work, name=self._name, daemon=True)
        self._under_way.append((thread, work))
        thread.start()

    def stop(self, limit_s: float = JOIN_S) -> None:
        """Waits for each, so long."""
        for thread, _ in self._under_way:
            thread.join(limit_s)
