"""Journals to look at: another till's while it is written, a damaged one, one on a disk that cannot be written."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pos_app.journal.connections import open_to_read
from pos_app.journal.errors import JournalBroken, JournalTrouble, Reading, Trouble
from pos_app.journal.queries import Queries
from pos_app.journal.schema import MIGRATIONS, check_version


def read_only(path: Path) -> Queries:
    """A journal's tables, without its lock or its key. Whoever opened it closes it.

    Raises JournalTrouble, and JournalTooNew for a newer program's.

    On a disk that cannot be written, WAL needs `immutable`; what a killed till left in the log alone is then
    not seen.
    """
    with Reading():
        if not path.exists():
            raise JournalTrouble(Trouble.CANNOT_OPEN, f"no journal at {path}")
        return Queries(connect_to_read(path))


def older_version(path: Path) -> int:
    """The version of a journal that the next start will bring to this program's; 0 for one of this version.

    Raises JournalTrouble, and JournalTooNew for a newer program's.
    """
    with Reading():
        connection = open_to_read(path)
        try:
            found = check_version(connection, path)
        except JournalBroken:
            return 0
        finally:
            connection.close()
    return found if found < len(MIGRATIONS) else 0


def connect_to_read(path: Path) -> sqlite3.Connection:
    """The connection of `read_only`, for a transaction of one's own. Raises JournalTrouble and sqlite3.Error."""
    try:
        return _connect(path, immutable=False)
    except sqlite3.OperationalError:
        return _connect(path, immutable=True)
    except JournalBroken as error:
        raise JournalTrouble(Trouble.DAMAGED, str(error)) from error


def _connect(path: Path, *, immutable: bool) -> sqlite3.Connection:
    connection = open_to_read(path, immutable=immutable)
    try:
        if check_version(connection, path) != len(MIGRATIONS):
            raise JournalTrouble(Trouble.CANNOT_OPEN, f"{path} is of an older version: start the till once")
        connection.execute("SELECT 1 FROM meta").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
