"""What the events made true, as tables to look things up in; rebuildable from the events at any time."""

from __future__ import annotations

import sqlite3

from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.sale import Sale
from pos_app.journal import rows
from pos_app.journal.schema import PROJECTIONS

OTP_SEND = "OTP_SEND"

_ATTEMPT = "INSERT OR REPLACE INTO attempt VALUES (?,?,?,?,?,?,?,?,?,?)"
_SALE = "INSERT OR REPLACE INTO sale VALUES (?,?,?,?)"
_PERSON = "INSERT INTO person VALUES (?,?,?) ON CONFLICT DO UPDATE SET snapshot = excluded.snapshot"


def apply(
    connection: sqlite3.Connection,
    row: rows.Row,
    attempt: Attempt | None,
    sale: Sale | None,
    person: Person | None,
) -> None:
    """Carries one event into the tables, inside the caller's transaction."""
    if attempt is not None:
        _put_attempt(connection, attempt)
    if sale is not None:
        overpaid = sale.overpaid and sale.refund is None
        connection.execute(_SALE, (sale.sale_id, int(sale.sale_id), overpaid, rows.text_of(sale)))
    if person is not None:
        connection.execute(_PERSON, (person.person_id, row[0], rows.text_of(person)))
    if row[3] == OTP_SEND:
        connection.execute("INSERT INTO otp_send VALUES (?,?,?)", (row[0], row[4], row[1]))


def _put_attempt(connection: sqlite3.Connection, attempt: Attempt) -> None:
    connection.execute(
        _ATTEMPT,
        (
            attempt.attempt_id,
            attempt.sale_id,
            attempt.number,
            attempt.kind,
            attempt.state,
            str(attempt.amount),
            attempt.tapped_at,
            attempt.ended_at,
            not attempt.is_final or attempt.needs_answer,
            rows.text_of(attempt),
        ),
    )


def rebuild(connection: sqlite3.Connection) -> None:
    """Empties the tables and replays every event, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in PROJECTIONS:
            connection.execute(f"DELETE FROM {table}")
        for row in connection.execute("SELECT * FROM event ORDER BY seq"):
            content = rows.content_of(row[7])
            apply(connection, row, content.attempt, content.sale, content.person)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
