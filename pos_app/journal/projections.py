"""What the events made true, as tables to look things up in; rebuildable from the events at any time."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import Z_CLOSED
from pos_app.domain.ids import ATTEMPTS_OF_A_SALE
from pos_app.domain.people import Person
from pos_app.domain.print_job import KINDS as OF_PRINTING
from pos_app.domain.print_job import PrintJob, job_in
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.reconcile import (
    DIFFERENCE_DECIDED,
    DIFFERENCE_FOUND,
    DIFFERENCES_GONE,
    RECON_BEGAN,
    RECON_ENDED,
    Run,
    difference_in,
    run_in,
)
from pos_app.domain.refund import KINDS as OF_NOTES
from pos_app.domain.refund import REFUND_NOTED, REFUND_RECOVERED, Note, note_in
from pos_app.domain.sale import Sale
from pos_app.domain.takings import NOWHERE, Move, Spot, column_of, entered, moved
from pos_app.journal import rows

TABLES = (
    *("sale", "attempt", "person", "otp_send", "other_event", "takings", "remark", "z_report"),
    *("print_job", "recon_run", "difference", "refund_note"),
)
OTP_SEND = "OTP_SEND"

# Most events change neither of the two indexed columns; naming them would write their index pages too.
_MOVED = """UPDATE attempt SET state = ?, events = events || ' ' || ?, snapshot = ?
WHERE place = ? AND attempt_id = ? AND ended_at IS ? AND unsettled = ?"""
_ATTEMPT = """INSERT INTO attempt VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET
state = excluded.state, ended_at = excluded.ended_at, unsettled = excluded.unsettled,
events = events || ' ' || excluded.events, snapshot = excluded.snapshot,
receipt = excluded.receipt, receipt_of = excluded.receipt_of,
period = excluded.period, counted = excluded.counted, hour = excluded.hour
WHERE attempt_id = excluded.attempt_id"""
_COUNTED = "SELECT period, counted, hour, events FROM attempt WHERE place = ? AND attempt_id = ?"
_OPEN = "SELECT coalesce(max(number), 0) + 1 FROM z_report"
_BORN = "SELECT (SELECT kind FROM event WHERE seq = ?), min(number) FROM z_report WHERE seq >= ?"
_TAKEN = """INSERT INTO takings VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET
payments = payments + excluded.payments, amount = amount + excluded.amount"""
_EMPTY = "DELETE FROM takings WHERE period = ? AND payments = 0 AND amount = 0"
_SALE = """INSERT INTO sale VALUES (?,?,?)
ON CONFLICT DO UPDATE SET overpaid = excluded.overpaid, snapshot = excluded.snapshot"""
_PRINT_JOB = """INSERT INTO print_job VALUES (?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET
seq = excluded.seq, state = excluded.state, open = excluded.open, snapshot = excluded.snapshot
WHERE paper = excluded.paper AND about = excluded.about"""
_RECON_RUN = """INSERT INTO recon_run VALUES (?,?,?,?,?,?) ON CONFLICT DO UPDATE SET
seq = excluded.seq, z = excluded.z, ended = excluded.ended, complete = excluded.complete,
snapshot = excluded.snapshot"""
_DIFFERENCE = """INSERT INTO difference VALUES (?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET
seq = excluded.seq, run = excluded.run, at = excluded.at, decided = excluded.decided, gone = excluded.gone,
snapshot = excluded.snapshot"""
# A note is made once, as the next, and ends once: no number is given twice, left out or ended twice.
_NOTED = """INSERT INTO refund_note SELECT ?,?,?,?,?,?
WHERE ? = (SELECT coalesce(max(number), 0) + 1 FROM refund_note)"""
_NOTE_TAKEN_OVER = """INSERT INTO refund_note SELECT ?,?,?,?,?,?
WHERE ? > (SELECT coalesce(max(number), 0) FROM refund_note)"""
_NOTE_ENDED = """UPDATE refund_note SET seq = ?, state = ?, open = 0, snapshot = ?
WHERE number = ? AND place = ? AND open = 1"""
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
        _put_attempt(connection, attempt, row, parts.attempt.decode())
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
    if row[3] == Z_CLOSED:
        _close(connection, row)
    if row[3] in OF_PRINTING:
        job = job_in(rows.content_of(row[7]).event)
        if connection.execute(_PRINT_JOB, print_row(job, row[0])).rowcount != 1:
            raise ValueError(f"print job {job.number} was of another paper")
    if row[3] in OF_RECONCILING:
        _reconcile(connection, row)
    if row[3] in OF_NOTES:
        _note(connection, row)


OF_RUNS = (RECON_BEGAN, RECON_ENDED)
OF_KEYS = {DIFFERENCE_DECIDED: "decided", DIFFERENCES_GONE: "gone"}
"""Events about differences that were found before, and the column that says by which of them."""

OF_RECONCILING = frozenset({*OF_RUNS, *OF_KEYS, DIFFERENCE_FOUND})


def _reconcile(connection: sqlite3.Connection, row: rows.Row) -> None:
    event = rows.content_of(row[7]).event
    if row[3] in OF_RUNS:
        connection.execute(_RECON_RUN, recon_row(run_in(event), row[0]))
    elif row[3] == DIFFERENCE_FOUND:
        connection.execute(_DIFFERENCE, difference_row(event, row[0]))
    else:
        # The column is one of two names of ours.
        sql = f"UPDATE difference SET {OF_KEYS[row[3]]} = ? WHERE key = ?"
        connection.executemany(sql, [(row[0], key) for key in keys_in(event)])


def recon_row(run: Run, seq: int) -> tuple[int, int, int, int, int, str]:
    """A run as its table holds it after the event `seq`."""
    snapshot = msgspec.json.encode(run).decode()
    return run.number, seq, run.z, int(run.ended), int(run.complete), snapshot


def difference_row(event: dict[str, Any], seq: int) -> tuple[str, int, int, str, int, int, str]:
    """A difference as its table holds it after the event that found it; a decision may hold from before."""
    found = difference_in(event)
    snapshot = msgspec.json.encode(found).decode()
    return found.key, seq, int(event["run"]), found.at, int(event.get("decided", 0)), 0, snapshot


def keys_in(event: dict[str, Any]) -> list[str]:
    """Whom an event about several differences means."""
    return [str(key) for key in event["keys"]]


def print_row(job: PrintJob, seq: int) -> tuple[int, int, str, str, str, int, str]:
    """A job as its table holds it after the event `seq`."""
    snapshot = msgspec.json.encode(job).decode()
    return job.number, seq, job.paper.value, job.about, job.state.value, int(job.is_open), snapshot


_MAKES_A_NOTE = {REFUND_NOTED: _NOTED, REFUND_RECOVERED: _NOTE_TAKEN_OVER}


def _note(connection: sqlite3.Connection, row: rows.Row) -> None:
    """ValueError for a note that is not next, or one that cannot end."""
    note = note_in(rows.content_of(row[7]).event)
    made = note_row(note, row[0])
    if row[3] in _MAKES_A_NOTE:
        changed = connection.execute(_MAKES_A_NOTE[row[3]], (*made, note.number))
    else:
        _, seq, place, state, _, snapshot = made
        changed = connection.execute(_NOTE_ENDED, (seq, state, snapshot, note.number, place))
    if changed.rowcount != 1:
        raise ValueError(f"{row[3]}: note {note.number} is not the one that follows, or is not open")


def note_row(note: Note, seq: int) -> tuple[int, int, int, str, int, str]:
    """A refund note as its table holds it after the event `seq`."""
    snapshot = msgspec.json.encode(note).decode()
    return note.number, seq, rows.place_in(note.attempt_id), note.state.value, int(note.is_open), snapshot


def _close(connection: sqlite3.Connection, row: rows.Row) -> None:
    """The next period is open from the next event on. ValueError for a Z that is not next, or says another range."""
    event = rows.content_of(row[7]).event
    made = z_row(row[0], row[1], event)
    before = connection.execute("SELECT coalesce(max(seq), 0) FROM z_report").fetchone()[0]
    expected = (open_period(connection), before + 1, row[0])
    if (made[0], event["from_seq"], event["to_seq"]) != expected:
        raise ValueError(f"Z {made[0]} is not the one that follows: {expected}")
    connection.execute("INSERT INTO z_report VALUES (?,?,?,?,?)", made)


def z_row(seq: int, at: int, event: dict[str, Any]) -> tuple[int, int, int, str, str]:
    """A Z as its table holds it. KeyError for an event that is none."""
    return int(event["number"]), seq, at, str(event["request_id"]), str(event["business_date"])


def open_period(connection: sqlite3.Connection) -> int:
    """The number of the Z that is to come."""
    return int(connection.execute(_OPEN).fetchone()[0])


def sale_row(sale: Sale, snapshot: str) -> tuple[int, int, str]:
    """A sale as its table holds it."""
    return rows.number_of(sale.sale_id), int(sale.overpaid and sale.refund is None), snapshot


def person_row(person: Person, first_seq: int, snapshot: str) -> tuple[str, int, str]:
    """A person as its table holds it; the first event about them is their place."""
    return person.person_id, first_seq, snapshot


def attempt_row(
    newest: Attempt, first: Attempt, events: str, snapshot: str, spot: Spot = NOWHERE
) -> tuple[Any, ...]:
    """An attempt as its table holds it; what never changes is from its first event. `spot`: where it is counted."""
    return (
        rows.place_of(first.sale_id, first.number), first.attempt_id, first.kind.value, newest.state.value,
        str(first.amount), first.tapped_at, newest.ended_at, int(not newest.is_final or newest.needs_answer),
        events, snapshot, newest.receipt, newest.receipt_of, spot.period, spot.column, spot.hour,
    )  # fmt: skip


def _put_attempt(connection: sqlite3.Connection, attempt: Attempt, row: rows.Row, snapshot: str) -> None:
    seq, attempt_id, state, ended_at = row[0], attempt.attempt_id, attempt.state.value, attempt.ended_at
    place = rows.place_of(attempt.sale_id, attempt.number)
    before = after = NOWHERE
    if ended_at is not None:
        # What never ended is counted nowhere, and its commits are most of all.
        before, after = _count(connection, attempt, place, row)
    unsettled = int(not attempt.is_final or attempt.needs_answer)
    now = (state, seq, snapshot, place, attempt_id, ended_at, unsettled)
    if before == after and connection.execute(_MOVED, now).rowcount == 1:
        return
    if place != rows.place_in(attempt_id) or not 0 < attempt.number < ATTEMPTS_OF_A_SALE:
        raise ValueError(f"{attempt_id!r} is not attempt {attempt.number} of sale {attempt.sale_id!r}")
    made = attempt_row(attempt, attempt, str(seq), snapshot, after)
    if connection.execute(_ATTEMPT, made).rowcount != 1:
        raise ValueError(f"{attempt_id!r} stands where another installation's attempt is")


def _count(connection: sqlite3.Connection, attempt: Attempt, place: int, row: rows.Row) -> tuple[Spot, Spot]:
    """Moves the takings by this event; where the attempt was counted, and where it is."""
    found = connection.execute(_COUNTED, (place, attempt.attempt_id)).fetchone()
    before = Spot(*found[:3]) if found else NOWHERE
    if column_of(attempt) == before.column and row[3] != RECOVERED:
        return before, before
    period = open_period(connection)
    born = period
    if found:
        first = int(found[3].partition(" ")[0])
        kind, number = connection.execute(_BORN, (first, first)).fetchone()
        born = born_in(kind, number or period)
    move = move_by(before, attempt, period, born, row)
    for cell, tally in move.changes:
        connection.execute(_TAKEN, (*msgspec.structs.astuple(cell), tally.count, tally.amount))
    if len(move.changes) > 1 or not move.spot.column:
        connection.execute(_EMPTY, (period,))
    if move.withdraws:
        connection.execute(
            "DELETE FROM remark WHERE period = ? AND place = ? AND kind = 'late'", (period, place)
        )
    if move.remark is not None:
        about = (row[0], period, move.remark.kind.value, move.remark.of_period, place)
        connection.execute("INSERT INTO remark VALUES (?,?,?,?,?)", about)
    return before, move.spot


def born_in(kind: str, period: int) -> int:
    """In which period a payment began, whose first event is of this kind and in this period; 0: before this journal.

    What a damaged journal or the service's list has handed on may stand in a Z of that journal, which nobody can read
    any more: where it becomes money here, this journal's Z counts it and names it.
    """
    return 0 if kind == RECOVERED else period


def move_by(before: Spot, attempt: Attempt, period: int, born: int, row: rows.Row) -> Move:
    """What an event's row makes of the takings."""
    if row[3] == RECOVERED:
        return entered(attempt, rows.content_of(row[7]).event, before, period, born, row[2])
    return moved(before, attempt, period, born, row[2])


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
