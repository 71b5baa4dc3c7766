"""What the events made true, as tables to look things up in; rebuildable from the events at any time."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any

from pos_app.domain.attempt import Attempt
from pos_app.domain.people import Person
from pos_app.domain.sale import Sale
from pos_app.journal import rows

TABLES = ("sale", "attempt", "person", "otp_send", "other_event")
OTP_SEND = "OTP_SEND"

# Most events change neither of the two indexed columns; naming them would write their index pages too.
_MOVED = """UPDATE attempt SET state = ?, events = events || ' ' || ?, snapshot = ?
WHERE place = ? AND attempt_id = ? AND ended_at IS ? AND unsettled = ?"""
_ATTEMPT = """INSERT INTO attempt VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET
state = excluded.state, ended_at = excluded.ended_at, unsettled = excluded.unsettled,
events = events || ' ' || excluded.events, snapshot = excluded.snapshot
WHERE attempt_id = excluded.attempt_id"""
_SALE = """INSERT INTO sale VALUES (?,?,?)
ON CONFLICT DO UPDATE SET overpaid = excluded.overpaid, snapshot = excluded.snapshot"""
_PERSON = "INSERT INTO person VALUES (?,?,?) ON CONFLICT DO UPDATE SET snapshot = excluded.snapshot"


def apply(
    connection: sqlite3.Connection,
    row: rows.Row,
    attempt: Attempt | None,
    sale: Sale | None,
    person: Person | None,
    parts: rows.Parts,
) -> None:
    """Carries one event into the tables, inside the caller's transaction. ValueError for numbers that cannot be."""
    if attempt is not None and parts.attempt is not None:
        _put_attempt(connection, attempt, row[0], parts.attempt.decode())
    if attempt is None or row[4] != attempt.attempt_id:
        connection.execute("INSERT INTO other_event VALUES (?,?)", (row[4], row[0]))
    if sale is not None and parts.sale is not None:
        made = sale_row(sale, parts.sale.decode())
        if not made[0]:
            raise ValueError(f"no sale number: {sale.sale_id!r}")
        connection.execute(_SALE, made)
    if person is not None and parts.person is not None:
        connection.execute(_PERSON, person_row(person, row[0], parts.person.decode()))
    if row[3] == OTP_SEND:
        connection.execute("INSERT INTO otp_send VALUES (?,?,?)", (row[0], row[4], row[1]))


def sale_row(sale: Sale, snapshot: str) -> tuple[int, int, str]:
    """A sale as its table holds it."""
    return rows.number_of(sale.sale_id), int(sale.overpaid and sale.refund is None), snapshot


def person_row(person: Person, first_seq: int, snapshot: str) -> tuple[str, int, str]:
    """A person as its table holds it; the first event about them is their place."""
    return person.person_id, first_seq, snapshot


def attempt_row(newest: Attempt, first: Attempt, events: str, snapshot: str) -> tuple[Any, ...]:
    """An attempt as its table holds it; what never changes is from its first event."""
    return (
        rows.place_of(first.sale_id, first.number), first.attempt_id, first.kind.value, newest.state.value,
        str(first.amount), first.tapped_at, newest.ended_at, int(not newest.is_final or newest.needs_answer),
        events, snapshot,
    )  # fmt: skip


def _put_attempt(connection: sqlite3.Connection, attempt: Attempt, seq: int, snapshot: str) -> None:
    attempt_id, state, ended_at = attempt.attempt_id, attempt.state.value, attempt.ended_at
    place = rows.place_of(attempt.sale_id, attempt.number)
    unsettled = int(not attempt.is_final or attempt.needs_answer)
    moved = (state, seq, snapshot, place, attempt_id, ended_at, unsettled)
    if connection.execute(_MOVED, moved).rowcount == 1:
        return
    if place != rows.place_in(attempt_id) or not 0 < attempt.number < rows.ATTEMPTS_OF_A_SALE:
        raise ValueError(f"{attempt_id!r} is not attempt {attempt.number} of sale {attempt.sale_id!r}")
    made = attempt_row(attempt, attempt, str(seq), snapshot)
    if connection.execute(_ATTEMPT, made).rowcount != 1:
        raise ValueError(f"{attempt_id!r} stands where another installation's attempt is")


def rebuild(connection: sqlite3.Connection) -> None:
    """The tables made anew from the events, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        replay(connection)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def replay(connection: sqlite3.Connection) -> None:
    """Empties the tables and carries every event into them, inside the caller's transaction."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")
    for row in connection.execute("SELECT * FROM event ORDER BY seq"):
        content = rows.content_of(row[7])
        parts = rows.parts_of(row[7])
        apply(connection, row, content.attempt, content.sale, content.person, parts)
