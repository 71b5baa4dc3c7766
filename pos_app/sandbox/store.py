"""Owns the sandbox's SQLite file; it must not know what the rows mean."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_VERSION = 1
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE token (value TEXT PRIMARY KEY, scope TEXT NOT NULL, expires_s REAL) WITHOUT ROWID;
CREATE TABLE txn (
    number INTEGER PRIMARY KEY,
    wallet_id TEXT NOT NULL UNIQUE,
    external_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    merchant TEXT NOT NULL,
    counter INTEGER NOT NULL,
    account TEXT NOT NULL,
    amount TEXT NOT NULL,
    sent_at TEXT NOT NULL,
    invoice TEXT,
    reference TEXT,
    qr_text TEXT,
    status TEXT NOT NULL,
    created_s REAL NOT NULL
);
CREATE INDEX txn_account ON txn (account, number);
CREATE TABLE step (
    number INTEGER PRIMARY KEY,
    wallet_id TEXT NOT NULL,
    status TEXT NOT NULL,
    cause TEXT NOT NULL,
    at_s REAL NOT NULL
);
CREATE INDEX step_wallet ON step (wallet_id, number);
CREATE TABLE verification (
    number INTEGER PRIMARY KEY,
    server_ref TEXT NOT NULL UNIQUE,
    msisdn TEXT NOT NULL,
    text TEXT NOT NULL,
    code TEXT NOT NULL,
    status TEXT NOT NULL,
    tries INTEGER NOT NULL,
    created_s REAL NOT NULL
);
CREATE INDEX verification_msisdn ON verification (msisdn, number);
"""


class StoreError(Exception):
    """The file cannot be used; the text says why."""


def _what_to_do(error: sqlite3.Error) -> str:
    """Nothing where the error itself says it: a full disk, a file of somebody else's."""
    match getattr(error, "sqlite_errorcode", None):
        case sqlite3.SQLITE_BUSY:
            return " (is another sandbox running on it?)"
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return "; put it aside, and the sandbox begins anew"
    return ""


class Store:
    """One connection, one thread. Each write outside `writing` is its own durable transaction."""

    def __init__(self, path: Path) -> None:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0.5, cached_statements=256)
        try:
            # An exclusive lock keeps a second sandbox out and dies with its process.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            with self.writing():
                self._prepare(path)
        except sqlite3.Error as error:
            self._db.close()
            raise StoreError(f"{path} cannot be used: {error}{_what_to_do(error)}") from error
        except StoreError:
            self._db.close()
            raise

    def _prepare(self, path: Path) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version > _VERSION:
            raise StoreError(f"{path} was made by a newer version of the sandbox")
        if version == 0:
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All or nothing, durable when it returns."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def one(self, sql: str, *values: Any) -> Any:
        """The first row as a tuple, or None."""
        return self._db.execute(sql, values).fetchone()

    def every(self, sql: str, *values: Any) -> list[Any]:
        return self._db.execute(sql, values).fetchall()

    def change(self, sql: str, *values: Any) -> int:
        """How many rows were changed."""
        return self._db.execute(sql, values).rowcount

    def get(self, key: str) -> str | None:
        row = self.one("SELECT value FROM meta WHERE key = ?", key)
        return None if row is None else str(row[0])

    def put(self, key: str, value: str) -> None:
        self.change(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key,
            value,
        )

    def close(self) -> None:
        self._db.close()
