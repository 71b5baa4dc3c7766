"""Till time: milliseconds since 1970 that never run backwards, within a run or across restarts."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """What the engine knows of time."""

    def now(self) -> int:
        """Till time in ms: orders and measures; not for reading aloud."""
        ...

    def wall(self) -> datetime:
        """The wall clock with its offset: for people and for the request's text; never measured with."""
        ...


class TillClock:
    """Starts at the wall clock or the journal's last time, the later one; goes on by the monotonic clock.

    So a wall clock that is set forward or back in mid-payment moves no deadline.
    """

    def __init__(self, last_at: int) -> None:
        self._base = max(time.time_ns() // 1_000_000, last_at)
        self._start = _since_boot()

    def now(self) -> int:
        """Till time in ms."""
        return self._base + _since_boot() - self._start

    def wall(self) -> datetime:
        """Local time with its offset."""
        return datetime.now().astimezone()


def _since_boot() -> int:
    # Linux stops CLOCK_MONOTONIC while the machine sleeps; a payment's deadlines do not stop.
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000
