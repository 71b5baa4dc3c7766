"""What is left of a journal that is lost or that somebody harmed, and what the product's own salvage makes of it.

The journal is written to a real file once more, harmed there, and read by `journal.salvage`: what that believes of
which remains is nobody's word but its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, State
from pos_app.domain.installation import TAKEN
from pos_app.domain.passcode import RIGHT, TRY
from pos_app.domain.people import Role
from pos_app.domain.record import Record
from pos_app.journal import open_journal, rows
from pos_app.journal.salvage import Salvage, salvage_all
from tests.support.in_memory import in_memory
from tests.unit.journal.tampering import tamper
from tests.verification.simulation.history import Written
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.sqlite_journal import KEY, take_out

WAYS = ("broken_inside", "cut_off", "tables", "anchor", "nothing_proven", "forged_tables", "one_changed")
"""A damaged copy of which nothing behind a place can be proven; one whose end is missing; one that lost its events
and kept its tables; the anchor alone; a copy whose chain proves nothing, with its anchor; one in whose tables somebody
has written that all is paid; one in whose middle one event was changed. Its key is there always: without it the till
refuses to start."""

TRIES, PEOPLE, MANAGERS = THINNED = range(3)
"""Rows that somebody takes out: of wrong passcodes, of whoever is on the list, of the managers on it alone."""


def rows_about(written: Sequence[Written], what: int) -> set[int]:
    """The numbers of the rows that somebody would take out who wants those forgotten."""
    if what == TRIES:
        return _wrong_tries(written)
    return {
        each.seq
        for each in written
        if each.record.person is not None and (what == PEOPLE or each.record.person.role is Role.MANAGER)
    }


def _wrong_tries(written: Sequence[Written]) -> set[int]:
    newest: dict[str, int] = {}
    found: set[int] = set()
    for each in written:
        if each.record.kind == TRY:
            newest[each.record.subject] = each.seq
            found.add(each.seq)
        elif each.record.kind == RIGHT:
            found.discard(newest.get(each.record.subject, 0))
    return found


def lost(journal: SimJournal, environment: Environment, left: int) -> Salvage:
    """`left`: by which of the ways, and how much of the events is proven."""
    way = WAYS[left % len(WAYS)]
    proven_to = len(journal.written) * (left // len(WAYS) % 4) // 4
    return _salvaged(journal, environment, lambda path: _harm(path, way, proven_to))


def thinned(journal: SimJournal, environment: Environment) -> Salvage:
    """Rows were taken out of it, and all else is there."""
    return _salvaged(journal, environment, lambda _: None)


def _salvaged(journal: SimJournal, environment: Environment, harm: Callable[[Path], None]) -> Salvage:
    records = [each.record for each in journal.written]
    with TemporaryDirectory(dir=in_memory()) as folder:
        path = Path(folder, "journal.sqlite")
        first = _first(records) or journal.installation_id
        opened = open_journal(path, KEY, environment, installation_id=first)
        try:
            if records:
                opened.append(records)
        finally:
            opened.close()
        if journal.gone:
            take_out(path, journal.gone)
        harm(path)
        return salvage_all([path], KEY, environment)


def _first(records: Sequence[Record]) -> str:
    """Under which id it was begun, where it has taken another since."""
    taken = (str(each.content.get("before", "")) for each in records if each.kind == TAKEN)
    return next(taken, "")


def _harm(path: Path, way: str, proven_to: int) -> None:
    match way:
        case "broken_inside":
            tamper(path, f"UPDATE event SET mac = zeroblob(32) WHERE seq > {proven_to}")
        case "nothing_proven":
            tamper(path, "UPDATE event SET mac = zeroblob(32)")
        case "one_changed":
            tamper(path, f"UPDATE event SET actor = 'x' WHERE seq = {proven_to + 1}")
        case "cut_off":
            tables = ("attempt", "sale", "person", "otp_send", "other_event")
            tamper(
                path,
                f"DELETE FROM event WHERE seq > {proven_to}",
                *(f"DELETE FROM {each}" for each in tables),
            )
        case "tables":
            tamper(path, "DELETE FROM event")
        case "forged_tables":
            tamper(path, "DELETE FROM event")
            _forge(path)
        case "anchor":
            path.unlink()


def _forge(path: Path) -> None:
    """Whoever can write the file, and has no key, writes that everything was paid."""
    connection = sqlite3.connect(path)
    try:
        for place, snapshot in connection.execute("SELECT place, snapshot FROM attempt").fetchall():
            paid = msgspec.json.encode(replace(rows.attempt_of(snapshot), state=State.PAID)).decode()
            connection.execute("UPDATE attempt SET snapshot = ? WHERE place = ?", (paid, place))
        connection.commit()
    finally:
        connection.close()
