"""How long this process could not go on: a machine that stands still for seconds is no till that is slow."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

LOOK_S = 0.05


class Standstill:
    """`with Standstill() as still:`; a thread that wants to look often, and notes how late it comes to it."""

    def __init__(self) -> None:
        self._late: list[tuple[float, float]] = []
        self._seen = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="standstill")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK_S):
            now = time.monotonic()
            if (late_s := now - self._seen - LOOK_S) > LOOK_S:
                self._late.append((now, late_s))
            self._seen = now

    def since(self, when: float) -> float:
        """Seconds in all, of those that were over after that (monotonic s); of what it has yet to note, too."""
        unseen_s = max(0.0, time.monotonic() - self._seen - 2 * LOOK_S)
        return unseen_s + sum(late_s for at, late_s in tuple(self._late) if at > when)
