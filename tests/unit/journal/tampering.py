"""A journal with a little of everything, and somebody who can write its file but has no key. Judges nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pos_app.domain.attempt import State
from pos_app.domain.record import Record
from pos_app.journal import Journal
from tests.support.builders import WALL, attempt, ended, intent, person


def fill(journal: Journal) -> None:
    """Events 1 to 11: three sales, the third waiting; a person twice; two codes sent; a sale's own note."""
    for number in (1, 2):
        journal.append([intent(number)])
        journal.append([ended(attempt(number), State.PAID, number * 1000 + 500)])
    journal.append([intent(3)])
    for name in ("Person 1", "Nimali"):
        journal.append([_note("PERSON_CHANGED", "p1", person=person(1, name=name))])
    for digest in ("d1", "d2"):
        journal.append([_note("OTP_SEND", digest)])
    first = intent(1)
    journal.append([_note("SALE_SIGNED", "0001", sale=first.sale), _note("TILL_STARTED", "till")])


def _note(kind: str, subject: str, **facts: object) -> Record:
    return Record(kind=kind, subject=subject, actor="p1", at=5_000, wall=WALL, **facts)  # type: ignore[arg-type]


def tamper(path: Path, *statements: str) -> None:
    """Changes rows, and leaves the triggers as they were."""
    connection = sqlite3.connect(path)
    triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in [*statements, *(sql for _, sql in triggers)]:
        connection.execute(statement)
    connection.commit()
    connection.close()
