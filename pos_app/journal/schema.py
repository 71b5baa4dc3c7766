"""The tables, as numbered migrations on user_version. An old one is never changed; a new one is added."""

from __future__ import annotations

import contextlib
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

from pos_app.journal.acts import (
    IS_ACT,
    IS_OF_A_PERSON,
    OF_VERSION_3,
    OF_VERSION_5,
    OF_VERSION_6,
    OF_VERSION_7,
    condition,
)
from pos_app.journal.errors import JournalBroken, JournalTooNew, Trouble, trouble_of
from pos_app.journal.findings import CHANGED, Finding
from pos_app.journal.pages import PAST_WAITING
from pos_app.journal.projections import replay
from pos_app.journal.tables import plainly

_FIRST = (
    """CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    environment TEXT NOT NULL, installation_id TEXT NOT NULL, tag BLOB NOT NULL
) STRICT""",
    """CREATE TABLE event (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, wall TEXT NOT NULL, kind TEXT NOT NULL,
    subject TEXT NOT NULL, actor TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL,
    sealed BLOB, mac BLOB NOT NULL
) STRICT""",
    "CREATE INDEX event_of_subject ON event (subject, seq)",
    """CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
    """CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END""",
    """CREATE TABLE sale (
    sale_id TEXT PRIMARY KEY, number INTEGER NOT NULL, overpaid INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX sale_number ON sale (number)",
    "CREATE INDEX sale_overpaid ON sale (number) WHERE overpaid = 1",
    """CREATE TABLE attempt (
    attempt_id TEXT PRIMARY KEY, sale_id TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL,
    state TEXT NOT NULL, amount TEXT NOT NULL, tapped_at INTEGER NOT NULL, ended_at INTEGER,
    unsettled INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX attempt_of_sale ON attempt (sale_id, number)",
    "CREATE INDEX attempt_by_time ON attempt (tapped_at, attempt_id)",
    "CREATE INDEX attempt_ended ON attempt (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX attempt_unsettled ON attempt (tapped_at) WHERE unsettled = 1",
    """CREATE TABLE person (
    person_id TEXT PRIMARY KEY, place INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE TABLE otp_send (seq INTEGER PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
    "CREATE INDEX otp_send_at ON otp_send (at)",
)

# A commit writes whole pages: numbers are the keys (rows.place_of), an attempt is changed in place and knows its
# own events, and only what has no attempt needs a table to be found by.
_SECOND = (
    "DROP INDEX event_of_subject",
    """CREATE TABLE other_event (
    subject TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (subject, seq)
) STRICT, WITHOUT ROWID""",
    "DROP TABLE sale",
    "DROP TABLE attempt",
    """CREATE TABLE sale (
    number INTEGER PRIMARY KEY, overpaid INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX sale_overpaid ON sale (number) WHERE overpaid = 1",
    """CREATE TABLE attempt (
    place INTEGER PRIMARY KEY, attempt_id TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    amount TEXT NOT NULL, tapped_at INTEGER NOT NULL, ended_at INTEGER, unsettled INTEGER NOT NULL,
    events TEXT NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX attempt_by_time ON attempt (tapped_at, place, kind)",
    "CREATE INDEX attempt_by_amount ON attempt (amount, tapped_at, place, kind)",
    f"CREATE INDEX attempt_by_state ON attempt (state, tapped_at, place, kind) WHERE {PAST_WAITING}",
    "CREATE INDEX attempt_ended ON attempt (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX attempt_unsettled ON attempt (tapped_at) WHERE unsettled = 1",
)

_THIRD = (f"CREATE INDEX event_of_people ON event (seq) WHERE {condition(OF_VERSION_3)}",)

# Who a person is, is proven at every start by the newest event that made them so.
_FOURTH = (f"CREATE INDEX event_of_a_person ON event (subject, seq) WHERE {IS_OF_A_PERSON}",)

# The counter's day. Where an attempt is counted stands with it, so that an event that moves it finds it at once.
_FIFTH = (
    "DROP INDEX event_of_people",
    f"CREATE INDEX event_of_people ON event (seq) WHERE {condition(OF_VERSION_5)}",
    "DROP TABLE attempt",
    """CREATE TABLE attempt (
    place INTEGER PRIMARY KEY, attempt_id TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    amount TEXT NOT NULL, tapped_at INTEGER NOT NULL, ended_at INTEGER, unsettled INTEGER NOT NULL,
    events TEXT NOT NULL, snapshot TEXT NOT NULL,
    receipt INTEGER NOT NULL, receipt_of TEXT NOT NULL,
    period INTEGER NOT NULL, counted TEXT NOT NULL, hour TEXT NOT NULL
) STRICT""",
    "CREATE INDEX attempt_by_time ON attempt (tapped_at, place, kind)",
    "CREATE INDEX attempt_by_amount ON attempt (amount, tapped_at, place, kind)",
    f"CREATE INDEX attempt_by_state ON attempt (state, tapped_at, place, kind) WHERE {PAST_WAITING}",
    "CREATE INDEX attempt_ended ON attempt (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX attempt_unsettled ON attempt (tapped_at) WHERE unsettled = 1",
    "CREATE INDEX attempt_by_receipt ON attempt (receipt_of, receipt) WHERE receipt > 0",
    """CREATE TABLE takings (
    period INTEGER NOT NULL, counted TEXT NOT NULL, kind TEXT NOT NULL, owner TEXT NOT NULL,
    currency TEXT NOT NULL, hour TEXT NOT NULL, payments INTEGER NOT NULL, amount INTEGER NOT NULL,
    PRIMARY KEY (period, counted, kind, owner, currency, hour)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE remark (
    seq INTEGER PRIMARY KEY, period INTEGER NOT NULL, kind TEXT NOT NULL, of_period INTEGER NOT NULL,
    place INTEGER NOT NULL
) STRICT""",
    "CREATE INDEX remark_of_period ON remark (period, seq)",
    """CREATE TABLE z_report (
    number INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, request TEXT NOT NULL,
    business_date TEXT NOT NULL
) STRICT""",
    "CREATE INDEX z_report_by_seq ON z_report (seq)",
)

# What was printed, and what waits for paper. A start asks for what is open alone, a copy for its paper's jobs.
_SIXTH = (
    "DROP INDEX event_of_people",
    f"CREATE INDEX event_of_people ON event (seq) WHERE {condition(OF_VERSION_6)}",
    """CREATE TABLE print_job (
    number INTEGER PRIMARY KEY, seq INTEGER NOT NULL, paper TEXT NOT NULL, about TEXT NOT NULL,
    state TEXT NOT NULL, open INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX print_job_of_paper ON print_job (paper, about, number)",
    "CREATE INDEX print_job_open ON print_job (number) WHERE open = 1",
)

# Reconciliation: which run was the last of a day, and what differs, each with the newest run that found it.
_SEVENTH = (
    "DROP INDEX event_of_people",
    f"CREATE INDEX event_of_people ON event (seq) WHERE {condition(OF_VERSION_7)}",
    """CREATE TABLE recon_run (
    number INTEGER PRIMARY KEY, seq INTEGER NOT NULL, z INTEGER NOT NULL, ended INTEGER NOT NULL,
    complete INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX recon_run_of_z ON recon_run (z, number)",
    """CREATE TABLE difference (
    key TEXT PRIMARY KEY, seq INTEGER NOT NULL, run INTEGER NOT NULL, at TEXT NOT NULL,
    decided INTEGER NOT NULL, gone INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX difference_of_run ON difference (run, seq) WHERE gone = 0",
    "CREATE INDEX difference_by_time ON difference (at, run) WHERE gone = 0",
)

# Refund notes: how much of a payment is noted, and what is promised still.
_EIGHTH = (
    "DROP INDEX event_of_people",
    f"CREATE INDEX event_of_people ON event (seq) WHERE {IS_ACT}",
    """CREATE TABLE refund_note (
    number INTEGER PRIMARY KEY, seq INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL,
    open INTEGER NOT NULL, snapshot TEXT NOT NULL
) STRICT""",
    "CREATE INDEX refund_note_of_payment ON refund_note (place, number)",
    "CREATE INDEX refund_note_open ON refund_note (number) WHERE open = 1",
)

MIGRATIONS = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH, _SEVENTH, _EIGHTH)


def version(connection: sqlite3.Connection) -> int:
    """The file's schema version; 0 for an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """The file's version. Raises JournalTooNew, and JournalBroken for a database that is no journal."""
    found = version(connection)
    if found > len(MIGRATIONS):
        raise JournalTooNew(path, found, len(MIGRATIONS))
    if found < 0 or (found == 0 and connection.execute("SELECT 1 FROM sqlite_schema").fetchone()):
        raise JournalBroken("its version number is gone")
    return found


_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_schema"


@cache
def _expected() -> frozenset[tuple[Any, ...]]:
    """The tables, indexes and triggers of this version, as SQLite writes them down."""
    scratch = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statements in MIGRATIONS:
            for statement in statements:
                scratch.execute(statement)
        return frozenset(scratch.execute(_OBJECTS).fetchall())
    finally:
        scratch.close()


def schema_findings(connection: sqlite3.Connection) -> list[Finding]:
    """Tables, indexes and triggers that are not this version's: a condition changed in one hides rows."""
    try:
        found = {plainly(row) for row in connection.execute(_OBJECTS)}
    except sqlite3.DatabaseError as error:
        if trouble_of(error) is not Trouble.DAMAGED:
            raise
        return [Finding("schema", f"cannot be read: {error}")]
    changed = sorted({str(row[1]) for row in found ^ _expected()})
    return [Finding(f"schema {name}", CHANGED) for name in changed]


def make_empty(path: Path) -> None:
    """A file with this version's tables and nothing in them, each where it lies in a journal of this version."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, 0)
    finally:
        connection.close()


def migrate(connection: sqlite3.Connection, found: int) -> None:
    """Brings the file from a version to this program's in one transaction; the tables are made anew from
    the events, so that a migration never has to carry them over."""
    if found == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in MIGRATIONS[found:]:
            for statement in statements:
                connection.execute(statement)
        replay(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
