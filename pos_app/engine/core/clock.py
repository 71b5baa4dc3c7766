"""Till time: milliseconds since 1970 that never run backwards, within a run or across restarts."""

from __future__ import annotations

import secrets
import time
from datetime import datetime
from pathlib import Path
from typing import Protocol

from pos_app.domain.ages import Stamp
from pos_app.system.boot_clock import BOOT_ID, boot_id, ms_since_boot

UNKNOWN_PAUSE_MS = 61_000
"""Longer than a tap counts as recent (rule 3)."""


class Clock(Protocol):
    """What the engine knows of time."""

    def now(self) -> int:
        """Till time in ms: orders and measures; not for reading aloud."""
        ...

    def wall(self) -> datetime:
        """The wall clock with its offset: for people and for the request's text; never measured with."""
        ...

    def stamp(self) -> Stamp:
        """This moment for what must hold in real time, over restarts and whatever somebody sets."""
        ...


class TillClock:
    """Starts at the wall clock or after the journal's last time, the later one; goes on by the monotonic clock.

    So a wall clock that is set forward or back in mid-payment moves no deadline. Over a restart till time
    does follow the wall clock; what must not is measured by stamps.
    """

    def __init__(self, last_at: int, boot_file: Path = BOOT_ID) -> None:
        self._base = till_time_at_start(time.time_ns() // 1_000_000, last_at)
        self._start = ms_since_boot()
        self._boot = boot_id(boot_file)
        self._counts_from = 0
        if not self._boot:
            # No name for the boot (Windows, macOS): each process counts as one, from its own start.
            self._boot, self._counts_from = secrets.token_hex(8), self._start
        self._service_lead: int | None = None

    def now(self) -> int:
        """Till time in ms."""
        return self._base + ms_since_boot() - self._start

    def wall(self) -> datetime:
        """Local time with its offset."""
        return datetime.now().astimezone()

    def stamp(self) -> Stamp:
        """This moment, with the service's time once a reply has told it."""
        since, lead = ms_since_boot(), self._service_lead
        return Stamp(self._boot, since - self._counts_from, None if lead is None else since + lead)

    def service_said(self, at: int) -> None:
        """A reply of the service carried this time (ms since 1970). Any thread may call it."""
        self._service_lead = at - ms_since_boot()


def till_time_at_start(wall: int, last_at: int) -> int:
    """Till time (ms) of a till that starts, by the wall clock and the journal's newest time.

    A wall clock behind the journal was set back: how long the till was off is not known, so it counts as too
    long for anything that may be done only soon after a tap.
    """
    return wall if wall >= last_at else last_at + UNKNOWN_PAUSE_MS
