"""Keeps the memory of this process to itself: no core dump, no debugger of the same user. Knows no secret.

What it cannot do: an administrator, a debugger that starts the till, swap and hibernation see memory all the
same (README, Secrets). Windows gives a process no such wish; there the account's own rights must do.
"""

from __future__ import annotations

import sys

_PR_SET_DUMPABLE = 4


def keep_to_ourselves() -> bool:
    """Whether the system does both; a till that cannot be closed up is still a till."""
    return all((_no_core_dumps(), _no_reading_by_others()))


def _no_core_dumps() -> bool:
    """Inherited by what we start, so that a token command leaves none either."""
    try:
        import resource
    except ImportError:
        return False
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (OSError, ValueError):
        return False
    return True


def _no_reading_by_others() -> bool:
    """Dumpable is what Linux asks before a debugger, /proc/PID/mem, and a dump into a pipe, which no limit stops."""
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False
