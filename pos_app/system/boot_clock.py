"""Time since the machine was started, which no setting of the clock moves, and the name of that start."""

from __future__ import annotations

import time
from pathlib import Path

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id(file: Path = BOOT_ID) -> str:
    """Which start of the machine this is; "" where the system has no name for it (Windows, macOS)."""
    try:
        return file.read_text("ascii").strip()
    except OSError:
        return ""


def ms_since_boot() -> int:
    """Milliseconds; they count on while the machine sleeps, where the system offers that."""
    return _ns_since_boot() // 1_000_000


def seconds_since_boot() -> float:
    """The same in seconds: a till that is woken has been idle."""
    return _ns_since_boot() / 1e9


def _ns_since_boot() -> int:
    # Linux stops CLOCK_MONOTONIC while the machine sleeps; a payment's deadlines do not stop.
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()
