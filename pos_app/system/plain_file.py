"""Opening a file that may be anything: a pipe that nobody reads or writes would hold up whoever opens it."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from pos_app.system.file_permissions import make_owners_alone


class NotPlainError(Exception):
    """A pipe, a device or a socket: read once, without an end, or never."""


def open_plain(path: Path) -> BufferedReader:
    """For reading, without waiting. Raises OSError, ValueError (no path at all) and NotPlainError."""
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - it is the caller's
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise NotPlainError


def read_plain(path: Path) -> bytes:
    """All of it. Raises OSError, for what is no plain file as well."""
    try:
        with open_plain(path) as file:
            return file.read()
    except NotPlainError as error:
        raise OSError(errno.EINVAL, "is not a plain file", str(path)) from error


def open_to_append(path: Path) -> int:
    """A file of our own that others may have put something else in the place of; made where there is none, 0600.

    Its descriptor. One of ours that others could read loses their rights. Raises OSError, for a link, a pipe, a device
    or a folder as well.
    """
    return _own(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def open_to_overwrite(path: Path) -> int:
    """Such a file, where there is one. Raises OSError."""
    return _own(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))


def _own(path: Path, flags: int) -> int:
    descriptor = _without_waiting(str(path), flags | getattr(os, "O_NOFOLLOW", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is not a plain file", str(path))
    make_owners_alone(descriptor)
    return descriptor


def _without_waiting(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0), 0o600)
