"""Keeps the memory of this process to itself, and no more of it than is in use: no core dump, no debugger of the same
user, what is freed goes back. Knows no secret.

What it cannot do: an administrator, a debugger that starts the till, swap and hibernation see memory all the
same (docs/till.md, Secrets). Windows gives a process no such wish; there the account's own rights must do.
"""

from __future__ import annotations

import sys

_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
LARGE = 1 << 20
"""Bytes; above what a till asks for all the time, below what a passcode's hash needs (19 MiB) and a picture."""


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


def is_kept() -> bool:
    """What `keep_to_ourselves` came to, asked of the system."""
    if sys.platform != "linux":
        return False
    import ctypes
    import resource

    try:
        is_dumpable = ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0) != 0
    except (OSError, AttributeError):
        return False
    return not is_dumpable and resource.getrlimit(resource.RLIMIT_CORE)[0] == 0


def return_large_blocks() -> bool:
    """Whether each block above LARGE now goes back to the system as it is freed; any thread, as often as one likes.

    glibc takes the largest block it saw freed for what is wanted all the time, and from then on keeps twice as much
    free in the arena of each thread, of which there are eight for each core. After the first hash of a passcode
    every further thread that hashed one cost 19 MiB for good (payment-rules I12). A limit that is set stays as set.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    try:
        system = ctypes.CDLL(None)
        return all(system.mallopt(which, LARGE) == 1 for which in (_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD))
    except (OSError, AttributeError):
        return False  # another C library, which has no such habit
