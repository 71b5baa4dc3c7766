"""A file that is there whole or not at all, through a power cut and a kill, for its owner alone."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from pathlib import Path

_STALE_S = 600
"""No writer takes so long: what lies beside a file for longer was left by one that was killed."""


def write_whole(path: Path, data: bytes, *, mode: int = 0o600, new: bool = False) -> None:
    """Puts these bytes in the file's place, and lets them last before it returns. Raises OSError: then `path` is as
    it was, unless the folder itself could not be synced.

    A link at `path` is replaced, never followed: whoever wants the file behind it resolves it first. `new`: raises
    FileExistsError where something has that name already, also when another process was faster.
    """
    _clear(path)
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}.new")
    # Private from the first byte, and nobody's link can lie there.
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode != 0o600:
            beside.chmod(mode)
        if new:
            _link(beside, path)
        else:
            beside.replace(path)
    finally:
        # Also a second name that was given away: a secret that is changed tomorrow must not stay under it.
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def _link(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links, as on most USB sticks.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(path)) from None
        beside.replace(path)


def _clear(path: Path) -> None:
    """What killed writers of this file left: it may hold secrets, and nobody else would look for it."""
    with contextlib.suppress(OSError):
        for left in path.parent.iterdir():
            is_ours = left.name.startswith(f".{path.name}.") and left.name.endswith(".new")
            if is_ours and time.time() - left.lstat().st_mtime > _STALE_S:
                left.unlink()


def sync_folder(folder: Path) -> None:
    """Makes the names in it last through a power cut, where that can be asked for. Raises OSError."""
    if os.name != "posix" or not os.access(folder, os.R_OK):
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some shared folders know no sync of a folder.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
