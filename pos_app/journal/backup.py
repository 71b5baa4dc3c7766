"""The journal as it was before a newer version changes its tables: a copy beside it, proven before anything is changed.

`journal.before-8.sqlite` is how it was before version 8. The two newest are kept. Nothing here is ever read by the
till; docs/updates.md says what a copy is good for, and what is lost by going back to it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
from itertools import zip_longest
from pathlib import Path

from pos_app.journal.connections import open_to_read
from pos_app.journal.errors import EnvironmentFailures, JournalBroken, JournalTrouble, Trouble
from pos_app.system.atomic_file import make_last, sync_folder

KEPT = 2
_PAGES = 2_048
"""Copied at a time."""

_ROOM = 16 << 20
"""Left free beside the copy: the migration itself needs some."""


def back_up(connection: sqlite3.Connection, journal: Path, version: int) -> Path:
    """The whole journal as its connection sees it, before `version`; durable when this returns. Holds its lock.

    Raises JournalTrouble where there is no room or the copy is not what was copied, JournalBroken where the journal
    itself is damaged: in each case nothing was changed.
    """
    to = backup_path(journal, version)
    new = to.with_name(f".{to.name}.new")
    with EnvironmentFailures():
        # One that was killed while it copied left it; nobody else may, because the lock is ours.
        new.unlink(missing_ok=True)
        _check_room(connection, journal, version)
        try:
            os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            _copy(connection, new)
            make_last(new)
            _prove(connection, new)
            new.replace(to)
        except BaseException:
            with contextlib.suppress(OSError):
                new.unlink(missing_ok=True)
            raise
        sync_folder(journal.parent)
    for old in backups(journal)[KEPT:]:
        with contextlib.suppress(OSError):
            old.unlink()
    return to


def backup_path(journal: Path, version: int) -> Path:
    """Where the copy lies."""
    return journal.with_name(f"{journal.stem}.before-{version}{journal.suffix}")


def backups(journal: Path) -> list[Path]:
    """Those that lie beside this journal, of the newest version first."""
    ours = re.compile(rf"{re.escape(journal.stem)}\.before-([0-9]{{1,6}}){re.escape(journal.suffix)}")
    try:
        found = [
            (int(name[1]), path) for path in journal.parent.iterdir() if (name := ours.fullmatch(path.name))
        ]
    except FileNotFoundError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


def _check_room(connection: sqlite3.Connection, journal: Path, version: int) -> None:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    needed, free = pages * size + _ROOM, shutil.disk_usage(journal.parent).free
    if free < needed:
        raise JournalTrouble(
            Trouble.DISK_FULL,
            f"no room for a copy of the journal before it is brought to version {version}: {needed >> 20} MiB are "
            f"needed in {journal.parent}, {free >> 20} are free; nothing was changed",
        )


def _copy(connection: sqlite3.Connection, new: Path) -> None:
    copy = sqlite3.connect(new, isolation_level=None)
    try:
        # One file by itself, that no log belongs to; it is synced as a whole before it has its name.
        copy.execute("PRAGMA synchronous = OFF")
        connection.backup(copy, pages=_PAGES)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()


def _prove(connection: sqlite3.Connection, new: Path) -> None:
    """Its structure, and every event: all tables can be made anew from them."""
    copy = open_to_read(new)
    try:
        # What cannot be read is not what was copied, whatever the reason.
        with contextlib.suppress(sqlite3.DatabaseError):
            if not (_problem(copy) or _differs(connection, copy)):
                return
    finally:
        copy.close()
    found = _problem(connection)
    if found:
        raise JournalBroken(f"file is damaged: {found}")
    raise JournalTrouble(Trouble.IO, f"the copy of the journal in {new.parent} is not what was copied")


def _differs(connection: sqlite3.Connection, copy: sqlite3.Connection) -> bool:
    return any(
        one != other
        for ask in _ASKED
        for one, other in zip_longest(connection.execute(ask), copy.execute(ask), fillvalue=())
    )


_ASKED = ("PRAGMA user_version", "SELECT * FROM meta", "SELECT * FROM event ORDER BY seq")


def _problem(connection: sqlite3.Connection) -> str:
    said = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)").fetchall()]
    return "" if said == ["ok"] else " ".join(said[0].split())
