"""Puts a copy of the journal in the journal's place: looked over from its first event to its last before anything is
changed, and what it takes the place of is kept.

The anchor stays where it is. It says how far the newer journal went, so that the next start finds the copy older than
it should be, begins anew with what the copy says, and asks the service about the rest (rule 12): the till does not go
on as if it were that day again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from pos_app.journal import verify
from pos_app.journal.anchor import anchor_path
from pos_app.journal.backup import backups
from pos_app.journal.chain import Keys
from pos_app.journal.connections import open_to_read
from pos_app.journal.errors import EnvironmentFailures, JournalBroken, JournalTrouble, Reading, Trouble
from pos_app.journal.files import found_path
from pos_app.journal.findings import text_of
from pos_app.journal.lock import FileLock
from pos_app.journal.opening import check_identity
from pos_app.journal.schema import check_version
from pos_app.system.atomic_file import make_last, sync_folder
from pos_app.system.scratch import clear_scratch, scratch_folder

KEPT = "restored-over-"
"""Begins the name of a folder in which a journal lies that a copy took the place of."""

_LOOKED_AT = ".restore-"
_ROOM = 16 << 20
"""Left free beside what is copied."""


class Copy(msgspec.Struct, frozen=True):
    """A file that could be put back: its journal's version, its newest event and that one's local time ("": none)."""

    file: Path
    version: int
    events: int
    last: str


class Checked(msgspec.Struct, frozen=True):
    """One that was looked over; `whole`: the same as one file beside the journal, which is what would be put back."""

    copy: Copy
    whole: Path


def copies(journal: Path) -> list[Copy]:
    """Those that lie beside a journal, as their files say of themselves, the newest version first; unproven."""
    kept = sorted(journal.parent.glob(f"{KEPT}*/{journal.name}"), reverse=True)
    # One that cannot be read is none; naming it says why.
    found = [copy_at(file) for file in [*backups(journal), *kept]]
    return [each for each in found if each is not None]


def copy_at(file: Path) -> Copy | None:
    """What a file says of itself, also while a till is at work on it; None where it cannot be read as a journal."""
    try:
        connection = open_to_read(file)
        try:
            return _told(connection, file)
        finally:
            connection.close()
    except (sqlite3.Error, OSError):
        return None


@contextlib.contextmanager
def checked(file: Path, journal: Path, keys: Keys) -> Iterator[Checked]:
    """The file, with what only a log beside it has, looked over as a copy that goes with the block. Nothing that was
    there is changed, but for the copies of those that were killed while they looked; and a till may be at work.

    Raises JournalTooNew, JournalElsewhere, JournalKeyWrong; JournalTrouble where there is no room, where the file
    cannot be read, and (DAMAGED) where it is not, to the last bit, what a till wrote.
    """
    with contextlib.ExitStack() as ours:
        with EnvironmentFailures():
            # Before room is asked for: what was left may be what takes it. Unless that is what is to be put back.
            clear_scratch(journal.parent, _LOOKED_AT, but=file.resolve().parent)
            _check_room(journal, file)
            folder = ours.enter_context(scratch_folder(journal.parent, _LOOKED_AT))
        whole = folder / journal.name
        try:
            with Reading():
                _take(file, whole)
                _take_if_there(_beside(file, "-wal"), _beside(whole, "-wal"))
                told = _looked_over(file, whole, keys)
        except JournalBroken as error:
            raise JournalTrouble(Trouble.DAMAGED, str(error)) from error
        yield Checked(told, whole)


def _looked_over(file: Path, whole: Path, keys: Keys) -> Copy:
    connection = sqlite3.connect(whole, isolation_level=None)
    try:
        if check_version(connection, file) == 0:
            raise JournalBroken("it is empty")
        problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise JournalBroken(" ".join(str(problem).split()))
        check_identity(connection, file, keys)
        # One file by itself, that no log belongs to.
        connection.execute("PRAGMA journal_mode = DELETE")
        broken = verify.verify(connection, keys).broken
        if broken:
            raise JournalBroken(text_of(list(broken)))
        return _told(connection, file)
    finally:
        connection.close()


def put_back(found: Checked, journal: Path, lock: FileLock) -> Path | None:
    """Once, inside the block of `checked`, by who holds the journal's lock. Where what was there is kept: a folder
    beside it; None where there was none. Raises JournalTrouble: then the journal is as it was, or its log alone is
    gone from it, and the folder has both.
    """
    if not lock.held:
        raise ValueError("a copy is put back by who holds the journal's lock")
    with EnvironmentFailures():
        make_last(found.whole)
        kept = _kept(journal)
        # With another journal's log beside it SQLite would take that for its own.
        for ending in ("-wal", "-shm"):
            _beside(journal, ending).unlink(missing_ok=True)
        found.whole.replace(journal)
        sync_folder(journal.parent)
    return kept


def _kept(journal: Path) -> Path | None:
    """All that says what was known, synced before anything of it goes."""
    parts = [journal, _beside(journal, "-wal"), anchor_path(journal), found_path(journal)]
    if not any(each.exists() for each in parts[:2]):
        return None
    folder = journal.parent / f"{KEPT}{time.time_ns() // 1_000_000}"
    folder.mkdir(0o700)
    for part in parts:
        if _take_if_there(part, folder / part.name):
            make_last(folder / part.name)
    sync_folder(folder)
    sync_folder(journal.parent)
    return folder


def _told(connection: sqlite3.Connection, file: Path) -> Copy:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    row = connection.execute("SELECT seq, wall FROM event ORDER BY seq DESC LIMIT 1").fetchone() or (0, "")
    return Copy(file, int(version), int(row[0]), str(row[1]))


def _check_room(journal: Path, file: Path) -> None:
    sizes = [_size(each) + _size(_beside(each, "-wal")) for each in (journal, file)]
    needed, free = sum(sizes) + _ROOM, shutil.disk_usage(journal.parent).free
    if free < needed:
        raise JournalTrouble(
            Trouble.DISK_FULL,
            f"no room to put a journal back: {needed >> 20} MiB are needed in {journal.parent}, {free >> 20} are "
            "free; nothing was changed",
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _take(file: Path, to: Path) -> None:
    """Private from its first byte."""
    how = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with file.open("rb") as read, os.fdopen(os.open(to, how, 0o600), "wb") as written:
        shutil.copyfileobj(read, written)


def _take_if_there(file: Path, to: Path) -> bool:
    try:
        _take(file, to)
    except FileNotFoundError:
        return False
    return True


def _beside(journal: Path, ending: str) -> Path:
    return journal.with_name(journal.name + ending)
