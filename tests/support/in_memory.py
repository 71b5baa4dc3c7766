"""Where files lie that no test asks to last."""

from __future__ import annotations

import os
from pathlib import Path

_IN_MEMORY = Path("/dev/shm")


_ROOM = 4 << 30
"""A whole run's files take less than a tenth of it."""


def in_memory() -> str | None:
    """Where a real journal's syncs cost nothing, if there is such a place; other tests ask whether they happen."""
    if os.name != "posix" or not _IN_MEMORY.is_dir() or not os.access(_IN_MEMORY, os.W_OK):
        return None
    found = os.statvfs(_IN_MEMORY)
    # Tests start programs of their own from there.
    may_run = not found.f_flag & os.ST_NOEXEC
    return str(_IN_MEMORY) if may_run and found.f_bavail * found.f_frsize >= _ROOM else None
