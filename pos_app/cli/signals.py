"""SIGINT and SIGTERM during a verb: the first is the verb's to answer, the second ends the process at once.

A terminal that is closed (SIGHUP) counts as a first one, and never as a second: shell and system both send it.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_CLOSED = getattr(signal, "SIGHUP", None)


class Signals:
    """`with Signals(first):` calls `first` on a thread of its own, because a signal may stop any line of ours.

    It goes on listening until the process ends: a first signal that comes too late to change anything must
    not change the exit code, which says what became of the money.
    """

    def __init__(self, first: Callable[[], None]) -> None:
        self._first = first
        self._seen: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._count = 0
        self._thread = threading.Thread(target=self._wait, name="signals")

    def __enter__(self) -> None:
        self._thread.start()
        for number in _SIGNALS:
            signal.signal(number, self._signalled)
        # Whoever started it by nohup wants it to go on.
        if _CLOSED is not None and signal.getsignal(_CLOSED) is signal.SIG_DFL:
            signal.signal(_CLOSED, self._closed)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._seen.put(False)
        self._thread.join()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self._count += 1
        if self._count > 1:
            # At once, as asked: what happened is durable, and the next start takes it up.
            os._exit(128 + number)
        self._seen.put(True)

    def _closed(self, _number: int, _frame: FrameType | None) -> None:
        if not self._count:
            self._count = 1
            self._seen.put(True)

    def _wait(self) -> None:
        while self._seen.get():
            self._first()
