"""What can go wrong with a journal, sorted: the environment's failures, refusals, damage. Anything else is our bug.

JournalError
├── JournalTrouble   the environment failed (full, read-only, locked, I/O, damaged in use): tell the person, go on
├── JournalInUse     another process is the till of this folder
├── JournalRefused   the file is good, but this till may not use it
│   ├── JournalTooNew      written by a newer version
│   ├── JournalElsewhere   of the other environment
│   └── JournalKeyWrong    not made with this key
└── JournalDamaged   found damaged at the start and moved aside; opening again makes a fresh one
"""

from __future__ import annotations

import errno
import sqlite3
from enum import StrEnum
from pathlib import Path
from types import TracebackType


class JournalError(Exception):
    """Base of everything the journal reports."""


class Trouble(StrEnum):
    """How the environment failed."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    CANNOT_OPEN = "cannot_open"
    LOCKED = "locked"
    IO = "input_output_error"
    DAMAGED = "damaged"
    MOVED = "moved_or_deleted"
    LOCK_LOST = "lock_removed_or_replaced"


class JournalTrouble(JournalError):
    """Nothing was recorded (or read); the reason lies outside the program. Trying again later is right."""

    def __init__(self, trouble: Trouble, detail: str = "") -> None:
        super().__init__(f"{trouble.value}: {detail}" if detail else trouble.value)
        self.trouble = trouble
        self.detail = detail


class JournalInUse(JournalError):
    """Another process holds the journal; `holder` is its process id as it wrote it, or empty."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is in use" + (f" by process {holder}" if holder else ""))
        self.path = path
        self.holder = holder


class JournalRefused(JournalError):
    """The file is good, but this till may not use it. Nothing was changed."""


class JournalTooNew(JournalRefused):
    """The file was written by a newer version of the program."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path}: this journal was written by a newer till (journal {found}; this one reads up to {known}). "
            "Nothing was changed. Install that version again, or a newer one"
        )
        self.found = found
        self.known = known


class JournalElsewhere(JournalRefused):
    """A live journal opened as sandbox, or the other way round."""

    def __init__(self, path: Path, found: str, wanted: str) -> None:
        super().__init__(f"{path} belongs to the environment {found}, not to {wanted}")
        self.found = found
        self.wanted = wanted


class JournalKeyWrong(JournalRefused):
    """The key is not the one this journal was made with (a copied folder, a lost key store)."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was made with another key")


class JournalDamaged(JournalError):
    """The journal could not be trusted at the start. It lies at `moved_to`, whole; opening again makes a fresh one."""

    def __init__(self, reason: str, moved_to: Path) -> None:
        whole = moved_to.exists()
        super().__init__(
            f"{reason}; {'moved to' if whole else 'what is left of it:'} {moved_to}{'' if whole else '*'}"
        )
        self.reason = reason
        self.moved_to = moved_to


class JournalBroken(Exception):
    """Inside the package only: what lies there is no journal of ours any more. Becomes JournalDamaged."""


_TROUBLES = {
    sqlite3.SQLITE_FULL: Trouble.DISK_FULL,
    sqlite3.SQLITE_READONLY: Trouble.READ_ONLY,
    sqlite3.SQLITE_PERM: Trouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Trouble.CANNOT_OPEN,
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Trouble.LOCKED,
    sqlite3.SQLITE_IOERR: Trouble.IO,
    sqlite3.SQLITE_NOLFS: Trouble.IO,
    sqlite3.SQLITE_CORRUPT: Trouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: Trouble.DAMAGED,
}


def trouble_of(error: sqlite3.Error) -> Trouble | None:
    """The environment's failure behind an SQLite error; None when it is our bug."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_READONLY_DBMOVED:
        return Trouble.MOVED
    return None if code is None else _TROUBLES.get(code & 0xFF)


class EnvironmentFailures:
    """The one door where SQLite's and the file system's errors become JournalTrouble; bugs pass unchanged."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        trouble = self._sorted(error)
        if trouble is not None:
            raise JournalTrouble(trouble, str(error)) from error

    def _sorted(self, error: BaseException | None) -> Trouble | None:
        if isinstance(error, sqlite3.Error):
            return trouble_of(error)
        if isinstance(error, OSError):
            return _OS_TROUBLES.get(error.errno or 0, Trouble.IO)
        return None


class Reading(EnvironmentFailures):
    """The same for what is read only: there a value that cannot be read is damage, too."""

    def _sorted(self, error: BaseException | None) -> Trouble | None:
        if isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode"):
            return Trouble.DAMAGED  # the driver's own: a text that is not UTF-8
        # msgspec's and UTF-8's errors are ValueErrors, as is a state nobody knows. Of a number that is none of ours is
        # made another to look for, which no column takes.
        is_damage = isinstance(error, ValueError | OverflowError)
        return Trouble.DAMAGED if is_damage else super()._sorted(error)


_OS_TROUBLES = {
    errno.ENOSPC: Trouble.DISK_FULL,
    errno.EDQUOT: Trouble.DISK_FULL,
    errno.EROFS: Trouble.READ_ONLY,
    errno.EACCES: Trouble.READ_ONLY,
    errno.EPERM: Trouble.READ_ONLY,
    errno.ENOENT: Trouble.CANNOT_OPEN,
    errno.ENOTDIR: Trouble.CANNOT_OPEN,
    errno.EISDIR: Trouble.CANNOT_OPEN,
}
