"""One till per journal: an exclusive lock beside the file that dies with its process. Never deletes its file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pos_app.journal.errors import JournalInUse

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        # The locked byte lies behind the text, so that others can read who holds it.
        os.lseek(descriptor, 1024, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Held from construction to `release`; JournalInUse when another process (or journal) holds it."""

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + ".lock")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            _try_lock(descriptor)
        except (BlockingIOError, PermissionError) as error:
            holder = (
                os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() if os.name == "posix" else ""
            )
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
        self._descriptor: int | None = descriptor

    @property
    def held(self) -> bool:
        """Whether it is ours still."""
        return self._descriptor is not None

    def release(self) -> None:
        """Lets the next process in; calling it again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
