"""One till per journal: exclusive locks that die with their process, on a file beside it and on its own file.

The file beside it says who holds it, and works wherever files can be locked. But it is a name: removed, renamed
or covered by a mount it lets a second till in, while the first keeps a lock that nobody sees any more. So on Linux
the journal's own file is locked as well (whoever gets at the same journal meets the same lock, by whatever path),
and the till that holds them watches whether the name still leads to what it locked. Never deletes a file.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pos_app.journal.errors import JournalInUse

if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _LOCK_VIOLATION = 33
    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.LockFile.argtypes = [wintypes.HANDLE, *[wintypes.DWORD] * 4]

    def _try_lock(descriptor: int) -> None:
        # Asked of the system itself: msvcrt.locking leaves under Wine whatever error was the last as its own, and a
        # till at work looked like a missing file. The byte lies behind the text, so that others read who holds it.
        if not _kernel.LockFile(msvcrt.get_osfhandle(descriptor), 1024, 0, 1, 0):
            failed = ctypes.get_last_error()
            if failed == _LOCK_VIOLATION:
                raise PermissionError(None, "another process has locked it", None, failed)
            raise ctypes.WinError(failed)

else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


if sys.platform == "linux":
    import struct

    _FLOCK = struct.Struct("hhqqi0q")

    def _try_lock_byte(descriptor: int, at: int) -> None:
        """A lock of the open file, not of the process: closing another descriptor of the file does not end it."""
        wanted = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, at, 1, 0)
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, wanted)

    def _is_byte_locked(path: Path, at: int) -> bool:
        """Whether that lock of somebody's would be in the way of one of ours; none is taken for it."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            asked = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, at, 1, 0)
            found: int = _FLOCK.unpack(fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked))[0]
        finally:
            os.close(descriptor)
        return found != fcntl.F_UNLCK


_OURS = 0x4000_0000 + 4_096
"""Behind the bytes that SQLite locks: our lock is in nobody's way, at whatever size the file has."""

_BECAME_ANOTHERS = 100
"""So many times the file may be replaced while it is being locked before that is an error."""


class FileLock:
    """Held from construction to `release`; JournalInUse when another process (or journal) holds it."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_name(journal.name + ".lock")
        self._file: int | None = None
        self._lost = False
        self._descriptor: int | None = self._locked(journal)
        self._identity = _identity(os.fstat(self._descriptor))

    def _locked(self, journal: Path) -> int:
        for _ in range(_BECAME_ANOTHERS):
            # A link planted under this name would have its aim emptied.
            how = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(self._path, how, 0o600)
            try:
                _try_lock(descriptor)
                if not _leads_to(self._path, _identity(os.fstat(descriptor))):
                    # Taken away between opening and locking: nobody else will find what we hold.
                    os.close(descriptor)
                    continue
            except (BlockingIOError, PermissionError) as error:
                holder = _holder(descriptor)
                os.close(descriptor)
                raise JournalInUse(journal, holder) from error
            except OSError:
                os.close(descriptor)
                raise
            try:
                os.ftruncate(descriptor, 0)
                os.lseek(descriptor, 0, os.SEEK_SET)
                os.write(descriptor, f"{os.getpid()}\n".encode())
            except OSError:
                # Or this very process would stand in its own way when it tries again.
                os.close(descriptor)
                raise
            return descriptor
        raise JournalInUse(journal, "")

    def hold(self, journal: Path) -> None:
        """Locks the journal's own file too, where the system can. Before SQLite opens it; JournalInUse.

        Until `release`, which must come behind the last connection: a process that closes any descriptor of a
        file loses the locks that SQLite has on it.
        """
        if sys.platform != "linux" or self._file is not None:
            return
        descriptor = os.open(journal, os.O_RDWR | os.O_CLOEXEC)
        try:
            _try_lock_byte(descriptor, _OURS)
        except (BlockingIOError, PermissionError) as error:
            os.close(descriptor)
            raise JournalInUse(journal, "") from error
        except OSError:
            # A file system without such locks: there the file beside it is all there is.
            os.close(descriptor)
            return
        self._file = descriptor

    @property
    def held(self) -> bool:
        """Whether it is ours still."""
        return self._descriptor is not None

    def kept(self) -> bool:
        """Whether the next till would still meet it. Once it would not, never again: one may have been there.

        Raises OSError where that cannot be seen just now.
        """
        if not self._lost and os.name == "posix":
            # An open file can be neither removed nor replaced on Windows.
            self._lost = self.held and not _leads_to(self._path, self._identity)
        return not self._lost

    def release(self) -> None:
        """Lets the next process in; calling it again does nothing."""
        for descriptor in (self._file, self._descriptor):
            if descriptor is not None:
                os.close(descriptor)
        self._file = self._descriptor = None


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _leads_to(path: Path, identity: tuple[int, int]) -> bool:
    if os.name != "posix":
        return True
    try:
        return _identity(os.lstat(path)) == identity
    except (FileNotFoundError, NotADirectoryError):
        return False


def _holder(descriptor: int) -> str:
    # Windows has no pread; whoever asks has just opened the file and closes it next.
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 32).decode("ascii", "replace").strip()


if sys.platform != "linux":

    def is_held(journal: Path) -> bool:
        """Whether a till has this journal; locks it for a moment. Raises OSError. Not tried on such a system."""
        try:
            descriptor = os.open(journal.with_name(journal.name + ".lock"), os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            _try_lock(descriptor)
        except (BlockingIOError, PermissionError):
            return True
        finally:
            os.close(descriptor)
        return False

else:

    def is_held(journal: Path) -> bool:
        """Whether a till has this journal; takes no lock, so that none is kept from starting. Raises OSError.

        For who has not opened it: SQLite would lose its own locks on it by this.
        """
        try:
            return _is_byte_locked(journal, _OURS)
        except FileNotFoundError:
            return False
