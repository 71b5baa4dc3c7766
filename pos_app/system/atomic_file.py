"""A file that is there whole or not at all, through a power cut and a kill, for its owner alone.

`write_whole` for what is in memory; `WholeFile` for what is written as it comes, and may be gigabytes. `write_over`
promises less, and needs no room.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import sys
import time
from enum import StrEnum
from io import BufferedRandom
from pathlib import Path
from types import TracebackType
from typing import Self

from pos_app.system import windows_acl, windows_turn
from pos_app.system.one_at_a_time import lock
from pos_app.system.plain_file import open_to_overwrite

_STALE_S = 600
"""No writer takes so long: what lies beside a file for longer was left by one that was killed."""


def write_whole(path: Path, data: bytes, *, mode: int = 0o600, new: bool = False) -> None:
    """Puts these bytes in the file's place, and lets them last before it returns. Raises OSError: then `path` is as
    it was, unless the folder itself could not be synced.

    A link at `path` is replaced, never followed: whoever wants the file behind it resolves it first. `new`: raises
    FileExistsError where something has that name already, also when another process was faster.
    """
    only_a_file(path)
    _clear(path)
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}.new")
    descriptor = _begun(beside)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode != 0o600:
            beside.chmod(mode)
        _name(beside, path, new=new)
    finally:
        # Also a second name that was given away: a secret that is changed tomorrow must not stay under it.
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_over(path: Path, data: bytes) -> None:
    """In the place of a file of ours that is at least as long: where there is no room for another one.

    Not whole or not at all: what a power cut tears must be of no harm. Raises OSError.
    """
    descriptor = open_to_overwrite(path)
    try:
        written = os.write(descriptor, data)
        # The end of a longer one would stand behind it, and nobody could read either.
        os.ftruncate(descriptor, written)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def only_a_file(path: Path) -> None:
    """Nothing else is ever put aside for a file. Raises OSError for a folder, a pipe, a device, and a link to one.

    Root's /dev/null would be gone, for all programs of the machine.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # there is nothing, or a link that leads nowhere: writing says what is wrong
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", os.fspath(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no file", os.fspath(path))


def _begun(beside: Path) -> int:
    """Private from the first byte, and nobody's link can lie there."""
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    if sys.platform == "win32":
        windows_acl.keep_private(beside)
    return descriptor


def _name(beside: Path, path: Path, *, new: bool) -> None:
    """From here on it is there, and whole."""
    if new:
        _link(beside, path)
    else:
        beside.replace(path)


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


def make_last(path: Path) -> None:
    """What somebody else wrote into it lasts through a power cut; what is read of it next is what the disk has, as far
    as a program can see to that. Raises OSError."""
    # Windows syncs no file that was opened to be read alone.
    with path.open("r+b") as file:
        os.fsync(file.fileno())
        forget = getattr(os, "posix_fadvise", lambda *_: None)
        forget(file.fileno(), 0, 0, getattr(os, "POSIX_FADV_DONTNEED", 0))


_SHARING_VIOLATION = 32
"""What Windows says of a file that somebody has open."""

PART = ".part"
"""Behind the name of what is still being written, with a dot before it."""


class WholeFile:
    """A file that is written as it comes, under `.NAME.part` beside it; `with` it and write to `file`.

    Left without an error, the bytes last on the disk and have their name; left by any other way there is nothing.
    Raises OSError on entering and on leaving, FileExistsError where something has the name already and is not to be
    replaced (`replace`), BlockingIOError while another process writes the same file. `sha256`: of what was read back
    from the disk, once it has its name.
    """

    def __init__(self, path: Path, *, replace: bool = False) -> None:
        self.path = path
        self.sha256 = ""
        self.file: BufferedRandom
        self._replace = replace
        self._part = part_of(path)
        self._was_moved = False

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as turn:
            # First: on Windows even a look at a file keeps another writer from replacing it.
            turn.enter_context(_turn(self._part))
            only_a_file(self.path)
            if not self._replace and os.path.lexists(self.path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(self.path))
            _clear_left(self._part)
            try:
                descriptor = _begun(self._part)
            except FileExistsError:
                raise _being_written(self._part) from None
            try:
                self._hold_part(descriptor)
            except BaseException:
                os.close(descriptor)
                raise
            self.file = os.fdopen(descriptor, "w+b")
            self._turn = turn.pop_all()
        return self

    def _hold_part(self, descriptor: int) -> None:
        """Raises BlockingIOError where another took it for a leftover before it was held: what has its name now is the
        other's, to write and to take away."""
        try:
            lock(descriptor)
        except BlockingIOError:
            raise
        except OSError:
            return  # a file system without locks keeps no leftovers apart; it still keeps the names apart
        # On Windows nobody else is at it.
        if os.name == "posix" and not _is_there(descriptor, self._part):
            raise _being_written(self._part)

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._end()
        finally:
            if os.name == "nt":
                self._close()  # what is open cannot be taken away there
            self._take_part_away()
            self._close()
            self._turn.close()
        if kind is None:
            sync_folder(self.path.parent)

    def _take_part_away(self) -> None:
        """Once the file has its name, the part's is free: what lies there by then is another writer's."""
        if self._was_moved:
            return
        with contextlib.suppress(OSError):
            if os.name == "nt" or _is_there(self.file.fileno(), self._part):
                self._part.unlink(missing_ok=True)

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            self.file.close()

    def _end(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.seek(0)
        self.sha256 = hashlib.file_digest(self.file, "sha256").hexdigest()
        if os.name == "nt":
            self.file.close()  # what is open has no other name there
        try:
            _name(self._part, self.path, new=not self._replace)
        except PermissionError as error:
            if _is_open_elsewhere(error):
                raise _being_written(self.path) from None
            raise
        self._was_moved = self._replace


def part_of(path: Path) -> Path:
    """Where a file is written until it is whole."""
    return path.with_name(f".{path.name}{PART}")


def clear_part(part: Path) -> None:
    """Takes away what a killed writer left; BlockingIOError while its writer lives, OSError where it cannot go."""
    with _turn(part):
        _clear_left(part)


def _turn(part: Path) -> contextlib.AbstractContextManager[None]:
    """Elsewhere the file that is open is the lock; on Windows it is closed before it gets its name."""
    if sys.platform == "win32":
        return windows_turn.alone_with(part)
    return contextlib.nullcontext()


def _clear_left(part: Path) -> None:
    if os.name == "nt":
        try:
            part.unlink(missing_ok=True)
        except PermissionError as error:
            if not _is_open_elsewhere(error):
                raise
            raise _being_written(part) from None
        return
    try:
        descriptor = os.open(part, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return
    try:
        _hold_left(descriptor, part)
        if not os.path.lexists(part):
            return  # its writer was done with it meanwhile
        if not _is_there(descriptor, part):
            raise _being_written(part)
        part.unlink()
    finally:
        os.close(descriptor)


def _hold_left(descriptor: int, part: Path) -> None:
    """Raises BlockingIOError while its writer lives."""
    try:
        lock(descriptor)
    except BlockingIOError:
        raise
    except OSError:
        # A file system without locks: who writes it goes on writing.
        if time.time() - os.fstat(descriptor).st_mtime < _STALE_S:
            raise _being_written(part) from None


def _is_there(descriptor: int, path: Path) -> bool:
    """Whether what has this name is what was opened."""
    mine = os.fstat(descriptor)
    try:
        there = path.lstat()
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)


def _is_open_elsewhere(error: OSError) -> bool:
    """On Windows: somebody has it open, who lets nobody else have it."""
    return getattr(error, "winerror", 0) == _SHARING_VIOLATION


def _being_written(part: Path) -> BlockingIOError:
    return BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), os.fspath(part))


class WriteTrouble(StrEnum):
    """Why a file could not be written, as far as a person can do something about it."""

    EXISTS = "exists"
    BEING_WRITTEN = "being_written"
    FULL = "full"
    TOO_BIG = "too_big"
    GONE = "gone"
    READ_ONLY = "read_only"
    NOT_ALLOWED = "not_allowed"
    OTHER = "other"


_TROUBLES = {
    errno.EEXIST: WriteTrouble.EXISTS,
    errno.EISDIR: WriteTrouble.EXISTS,
    errno.EWOULDBLOCK: WriteTrouble.BEING_WRITTEN,
    errno.EAGAIN: WriteTrouble.BEING_WRITTEN,  # the same number, but on Windows
    errno.ENOSPC: WriteTrouble.FULL,
    errno.EDQUOT: WriteTrouble.FULL,
    errno.EFBIG: WriteTrouble.TOO_BIG,
    errno.ENOENT: WriteTrouble.GONE,
    errno.ENOTDIR: WriteTrouble.GONE,
    errno.ENODEV: WriteTrouble.GONE,
    errno.ENXIO: WriteTrouble.GONE,
    errno.EIO: WriteTrouble.GONE,
    errno.ESTALE: WriteTrouble.GONE,
    errno.EROFS: WriteTrouble.READ_ONLY,
    errno.EACCES: WriteTrouble.NOT_ALLOWED,
    errno.EPERM: WriteTrouble.NOT_ALLOWED,
}


def write_trouble(error: OSError) -> WriteTrouble:
    """What an error of writing means: a stick that was pulled out fails in half a dozen ways."""
    return _TROUBLES.get(error.errno or 0, WriteTrouble.OTHER)
