"""SIGINT and SIGTERM during a verb: the first is the verb's to answer, the second ends the process at once."""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """`with Signals(first):` calls `first` on a thread of its own, because a signal may stop any line of ours."""

    def __init__(self, first: Callable[[], None]) -> None:
        self._first = first
        self._seen: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._count = 0
        self._before: dict[int, Any] = {}
        self._thread = threading.Thread(target=self._wait, name="signals")

    def __enter__(self) -> None:
        self._thread.start()
        self._before = {number: signal.signal(number, self._signalled) for number in _SIGNALS}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._seen.put(False)
        self._thread.join()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self._count += 1
        if self._count > 1:
            # At once, as asked: what happened is durable, and the next start takes it up.
            os._exit(128 + number)
        self._seen.put(True)

    def _wait(self) -> None:
        while self._seen.get():
            self._first()
