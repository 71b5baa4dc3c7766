"""Opening a journal: lock, migrations, identity, the check of its end; a damaged one is moved aside."""

from __future__ import annotations

import secrets
import sqlite3
import time
from pathlib import Path

from pos_app.domain.attempt import Environment
from pos_app.domain.ids import ALPHABET, INSTALLATION_LENGTH
from pos_app.journal import verify
from pos_app.journal.anchor import Anchor, anchor_path, read_anchor
from pos_app.journal.chain import Keys
from pos_app.journal.errors import (
    EnvironmentFailures,
    JournalDamaged,
    JournalElsewhere,
    JournalKeyWrong,
    JournalTrouble,
    Trouble,
)
from pos_app.journal.lock import FileLock
from pos_app.journal.queries import Queries
from pos_app.journal.schema import migrate
from pos_app.journal.store import Journal

BUSY_MS = 2_000


def open_journal(
    path: Path, key: bytes, environment: Environment, *, installation_id: str | None = None
) -> Journal:
    """Opens the journal or makes a new one, for one till at a time.

    Raises JournalInUse, JournalRefused, JournalTrouble, or JournalDamaged once the file has been moved
    aside; opening again then makes a fresh one, whose ledger is rebuilt by asking the service.
    """
    keys = Keys(key, environment)
    with EnvironmentFailures():
        lock = FileLock(path)
    try:
        return _locked(path, keys, lock, installation_id)
    except BaseException:
        lock.release()
        raise


def _locked(path: Path, keys: Keys, lock: FileLock, installation_id: str | None) -> Journal:
    fresh = not path.exists()
    try:
        with EnvironmentFailures():
            if fresh:
                path.touch(0o600)
            connection = connect(path)
            migrate(connection, path)
            identity = _identity(connection, path, keys, installation_id)
            anchored = None if fresh else read_anchor(anchor_path(path), keys)
            problem = verify.tail_problem(connection, keys, anchored)
            if not problem:
                return Journal(path, connection, keys, identity, lock, Anchor(anchor_path(path), keys))
            connection.close()
    except JournalTrouble as trouble:
        if trouble.trouble is not Trouble.DAMAGED:
            raise
        problem = trouble.detail
    raise JournalDamaged(problem, move_aside(path))


def connect(path: Path) -> sqlite3.Connection:
    """A writing connection: each commit is on the disk before it returns."""
    # The engine's thread uses what the window's thread opened; never both at once.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_MS / 1000)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _identity(connection: sqlite3.Connection, path: Path, keys: Keys, wanted: str | None) -> str:
    row = connection.execute("SELECT environment, installation_id, tag FROM meta").fetchone()
    if row is None:
        identity = wanted or "".join(secrets.choice(ALPHABET) for _ in range(INSTALLATION_LENGTH))
        environment = keys.environment.value
        tag = keys.meta_tag(environment, identity)
        connection.execute("INSERT INTO meta VALUES (1, ?, ?, ?)", (environment, identity, tag))
        return identity
    environment, identity, tag = row
    if environment != keys.environment.value:
        raise JournalElsewhere(path, environment, keys.environment.value)
    if tag != keys.meta_tag(environment, identity):
        raise JournalKeyWrong(path)
    return str(identity)


def move_aside(path: Path) -> Path:
    """Renames the file and what belongs to it; nothing is ever deleted."""
    stamp = f"{time.time_ns() // 1_000_000}"
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    for ending in ("", "-wal", "-shm", ".anchor"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside


def read_only(path: Path) -> Queries:
    """A journal that another process holds, or a damaged one, to look at. Raises JournalTrouble.

    On a disk that cannot be written, WAL needs `immutable`; nobody else writes there either.
    """
    with EnvironmentFailures():
        if not path.exists():
            raise FileNotFoundError(f"no journal at {path}")
        try:
            connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
            connection.execute("SELECT count(*) FROM meta").fetchone()
        except sqlite3.OperationalError:
            address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, isolation_level=None)
            connection.execute("SELECT count(*) FROM meta").fetchone()
    return Queries(connection)
