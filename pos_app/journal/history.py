"""All payments of a kind, to be scrolled through: where each block of them begins, and a block when it is looked at.

Over a connection of its own, and on whatever thread. It holds no transaction: what a reading counts ends with the
newest payment of its begin, and a block goes on where the one before it ended, however long somebody looks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import CLOCK_MOVED, DAY, is_set_back
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.search import DAY_MS, Meant, day_ms, is_behind
from pos_app.journal import rows
from pos_app.journal.errors import Reading
from pos_app.journal.queries import Queries
from pos_app.journal.reading import connect_to_read

BLOCK = 100
"""So many rows are read in one go: a few screens of them."""

_SCANNED = 500
"""So many payments are looked at between two words of how far it is."""

_TELL_EVERY = 200
"""Blocks, of those that the index alone tells."""

_AT = tuple[int, int]
"""A place in the list: (tapped_at, place); the rows behind it are older."""

_BEHIND = "tapped_at <= ? AND (tapped_at, place) < (?, ?)"
_NEWEST_FIRST = "ORDER BY tapped_at DESC, place DESC"
_BY_TIME = "FROM attempt INDEXED BY attempt_by_time"


class Found(NamedTuple):
    """So many are found among the `scanned` newest."""

    payments: int
    scanned: int
    is_over: bool


class History:
    """One journal. `look` through it first, then read `rows` of what it has found so far; one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._meant = Meant()
        self._digest = ""
        self._begins: list[_AT] = []

    def look(self, meant: Meant, digest: str = "") -> Iterator[Found]:
        """How many there are, told ever again until it is over; where each block begins is remembered meanwhile.

        Nothing left out: a million take a tenth of a second; else every payment is read. Raises JournalTrouble.
        """
        self._meant, self._digest, self._begins = meant, digest, []
        with Reading(), closing(connect_to_read(self._path)) as connection:
            yield from self._all(connection) if meant.is_all else self._some(connection)

    def rows(self, block: int) -> list[Attempt]:
        """The payments of a block, the newest first; none behind the end. Raises JournalTrouble."""
        if not 0 <= block < len(self._begins):
            return []
        found: list[Attempt] = []
        at = self._begins[block]
        with Reading(), closing(connect_to_read(self._path)) as connection:
            while len(found) < BLOCK:
                page = _page(connection, at, BLOCK if self._meant.is_all else _SCANNED)
                found += [each for each, _ in page if self._meant.has(each, self._digest)]
                if not page or self._is_before(page[-1][0]):
                    break
                at = page[-1][1]
        return found[:BLOCK]

    def noted(self, attempts: Sequence[Attempt]) -> dict[str, Decimal]:
        """What the refund notes of these payments come to, by payment. Raises JournalTrouble."""
        with Reading(), closing(connect_to_read(self._path)) as connection:
            return Queries(connection).noted_of([each.attempt_id for each in attempts])

    def _all(self, connection: sqlite3.Connection) -> Iterator[Found]:
        """By the index alone, in steps of a block."""
        sql = f"SELECT tapped_at, place {_BY_TIME} WHERE {_BEHIND} {_NEWEST_FIRST} LIMIT 1 OFFSET ?"
        at, count = _newest(connection), 0
        while at is not None:
            self._begins.append(at)
            behind = connection.execute(sql, (at[0], *at, BLOCK - 1)).fetchone()
            if behind is None:
                left = len(_places(connection, at))
                count += left
                if not left:
                    self._begins.pop()
                break
            at = (int(behind[0]), int(behind[1]))
            count += BLOCK
            if len(self._begins) % _TELL_EVERY == 0:
                yield Found(count, count, is_over=False)
        yield Found(count, count, is_over=True)

    def _some(self, connection: sqlite3.Connection) -> Iterator[Found]:
        at, count, scanned = self._first(connection), 0, 0
        while at is not None:
            page = _page(connection, at, _SCANNED)
            for attempt, own in page:
                if self._meant.has(attempt, self._digest):
                    if count % BLOCK == 0:
                        self._begins.append(at)
                    count += 1
                at = own
            scanned += len(page)
            if len(page) < _SCANNED or self._is_before(page[-1][0]):
                break
            yield Found(count, scanned, is_over=False)
        yield Found(count, scanned, is_over=True)

    def _first(self, connection: sqlite3.Connection) -> _AT | None:
        """Till time is not the wall's: two days more are looked through than were asked for, and one for the zone.

        Where the wall clock was ever set back by more, till time went on ahead of it: all that is newer is looked at.
        """
        newest = _newest(connection)
        if newest is None or not self._meant.latest or _was_ahead(connection):
            return newest
        return min(newest, (day_ms(self._meant.latest) + 4 * DAY_MS, 0))

    def _is_before(self, attempt: Attempt) -> bool:
        """Whether no older one can be of the days that are meant."""
        return bool(self._meant.earliest) and is_behind(attempt, self._meant.earliest)


def _was_ahead(connection: sqlite3.Connection) -> bool:
    """Whether till time may have been days ahead of the wall's. A damaged journal's payments came without its word."""
    sql = """SELECT event.kind, event.content FROM other_event JOIN event USING (seq)
    WHERE other_event.subject IN (?, ?) AND event.kind IN (?, ?)"""
    for kind, text in connection.execute(sql, (DAY, JOURNAL, CLOCK_MOVED, REBUILT)):
        moved = rows.content_of(text).event
        if kind == REBUILT or is_set_back(str(moved.get("from")), str(moved.get("to")), timedelta(days=2)):
            return True
    return False


def _newest(connection: sqlite3.Connection) -> _AT | None:
    """A place before the newest payment there is."""
    found = connection.execute(f"SELECT tapped_at, place {_BY_TIME} {_NEWEST_FIRST} LIMIT 1").fetchone()
    return None if found is None else (int(found[0]), int(found[1]) + 1)


def _places(connection: sqlite3.Connection, at: _AT) -> list[Any]:
    sql = f"SELECT place {_BY_TIME} WHERE {_BEHIND} {_NEWEST_FIRST} LIMIT ?"
    return connection.execute(sql, (at[0], *at, BLOCK)).fetchall()


def _page(connection: sqlite3.Connection, at: _AT, limit: int) -> list[tuple[Attempt, _AT]]:
    sql = f"""SELECT CAST(snapshot AS BLOB), tapped_at, place {_BY_TIME}
    WHERE {_BEHIND} {_NEWEST_FIRST} LIMIT ?"""
    found = connection.execute(sql, (at[0], *at, limit))
    return [(rows.attempt_of(snapshot), (tapped_at, place)) for snapshot, tapped_at, place in found]
