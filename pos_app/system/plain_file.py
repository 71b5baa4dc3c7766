"""Opening a file that somebody named, and that may be anything: a pipe nobody writes would hold up whoever opens it."""

from __future__ import annotations

import os
import stat
from io import BufferedReader
from pathlib import Path


class NotPlainError(Exception):
    """A pipe, a device or a socket: read once, without an end, or never."""


def open_plain(path: Path) -> BufferedReader:
    """For reading, without waiting. Raises OSError, ValueError (no path at all) and NotPlainError."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - it is the caller's
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise NotPlainError


def _without_waiting(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))
