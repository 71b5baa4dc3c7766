"""Pieces of work over some processes, in their order, until a time is up. Knows no seed and no story."""

from __future__ import annotations

import ctypes
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import TypeVar

PR_SET_PDEATHSIG = 1
"""From <linux/prctl.h>."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def in_order(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], workers: int, minutes: float | None
) -> Iterator[Result]:
    """What came of each piece, first to last; begins no more once the time is up. Ends its processes."""
    until = None if minutes is None else time.monotonic() + minutes * 60
    with ProcessPoolExecutor(workers, initializer=_belong_to_parent) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for piece in pieces:
                if until is not None and time.monotonic() >= until:
                    break
                waiting.append(pool.submit(work, piece))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _belong_to_parent() -> None:
    """Ctrl-C is for the process that gave the work out: the piece under way comes to its end.

    When that process is killed, its workers would wait for ever: on Linux the kernel ends them with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
