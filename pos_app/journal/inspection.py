"""A look at every byte that means something: schema, identity, anchor, chain, tables and their indexes.

Reads over a connection of its own, piece by piece, while the till goes on writing over another. Mends nothing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from pos_app.journal.anchor import Anchored, anchor_path, read_anchor
from pos_app.journal.chain import Keys
from pos_app.journal.connections import open_to_read
from pos_app.journal.errors import Reading, Trouble, trouble_of
from pos_app.journal.files import found_path
from pos_app.journal.findings import CHANGED, MOST, Finding
from pos_app.journal.schema import schema_findings
from pos_app.journal.tables import COMPARED, Row, Tables, plainly
from pos_app.journal.verify import Walk, anchor_findings, read_on, typed, verify

SLICE = 250
NEWEST = 50
WAIT_S = 1.0
STEPS = 100_000
"""So many steps of SQLite's are at most made after a stop: a millisecond or two."""


class Piece(msgspec.Struct, frozen=True):
    """What one piece of the work came to; `rows` of the chain were walked."""

    rows: int = 0
    findings: tuple[Finding, ...] = ()


class Inspection:
    """One journal to be looked over by whoever has its key. `stop` may be called by any thread."""

    def __init__(self, path: Path, keys: Keys, steps: int = STEPS) -> None:
        self._path = path
        self._keys = keys
        self._steps = steps
        self._stopped = False

    def stop(self) -> None:
        """What is under way ends soon; `pieces` with it."""
        self._stopped = True

    def findings(self) -> list[Finding]:
        """All of it in one go. Raises JournalTrouble when the environment fails."""
        return [finding for piece in self.pieces() for finding in piece.findings][:MOST]

    def write_down(self, findings: Sequence[Finding]) -> None:
        """So that the next start looks everything over before it believes anything. Raises OSError."""
        with found_path(self._path).open("a", encoding="utf-8") as mark:
            mark.writelines(f"{finding}\n" for finding in findings)
            mark.flush()
            os.fsync(mark.fileno())

    def pieces(self) -> Generator[Piece, None, None]:
        """Piece by piece; between two nothing is held. Raises JournalTrouble when the environment fails."""
        with Reading():
            connection = open_to_read(self._path, wait_s=WAIT_S, own_thread=False)
            try:
                connection.set_progress_handler(lambda: self._stopped, self._steps)
                with typed(connection):
                    yield from self._of(connection)
            except sqlite3.OperationalError:
                if not self._stopped:
                    raise
            finally:
                connection.close()

    def _of(self, connection: sqlite3.Connection) -> Iterator[Piece]:
        yield _ahead(connection, self._path, self._keys)
        walk = Walk(self._keys, 0, self._keys.genesis)
        while (piece := _slice(connection, walk)).rows:
            yield piece
        yield piece
        yield _structure(connection)
        if not walk.broken:
            yield from _compared(connection)


def start_findings(connection: sqlite3.Connection, keys: Keys) -> list[Finding]:
    """What stands open, what was written last, and who the people are: a start decides on nothing else.

    Each event that made a person what they are now is proven by itself, however old it is: its MAC follows the one
    before it. That none of theirs was taken out of the middle is found by the walk along the whole chain.
    """
    found: list[Finding] = []
    with typed(connection), _damage_at("tables", found):
        tables = Tables(connection)
        people, events = tables.people()
        found += [*tables.newest(NEWEST), *people]
        for seq in events:
            found += verify(connection, keys, seq, 1).broken
    return found


def _ahead(connection: sqlite3.Connection, path: Path, keys: Keys) -> Piece:
    found = list(schema_findings(connection))
    anchored = _anchored(path, keys)
    with _damage_at("meta", found):
        found += _identity_findings(connection, keys)
    with _damage_at("event table", found):
        found += anchor_findings(connection, keys, anchored)
    found += spoilt_parts(anchored)
    return Piece(0, tuple(found))


def _anchored(path: Path, keys: Keys) -> Anchored | None:
    anchored = read_anchor(anchor_path(path), keys)
    if anchored is None or anchored.spoilt:
        # It may have been in the middle of being written.
        anchored = read_anchor(anchor_path(path), keys)
    return anchored


def _identity_findings(connection: sqlite3.Connection, keys: Keys) -> list[Finding]:
    found = [plainly(row) for row in connection.execute("SELECT * FROM meta").fetchall()]
    if len(found) == 1:
        only, environment, installation_id, tag = found[0]
        own = only == 1 and environment == keys.environment.value and isinstance(installation_id, str)
        if own and tag == keys.meta_tag(environment, installation_id):
            return []
    return [Finding("meta", CHANGED)]


def spoilt_parts(anchored: Anchored | None) -> list[Finding]:
    """A power cut may do this, too; the next start writes them anew."""
    spoilt = anchored.spoilt if anchored is not None else ()
    return [Finding(part, CHANGED, tables_only=True) for part in spoilt]


def _slice(connection: sqlite3.Connection, walk: Walk) -> Piece:
    """The next rows of the chain."""
    before, told = walk.checked, len(walk.broken)
    for _ in read_on(connection, walk, SLICE):
        pass
    return Piece(walk.checked - before, tuple(walk.broken[told:]))


def _compared(connection: sqlite3.Connection) -> Iterator[Piece]:
    """Events and tables against each other, each slice as of one moment."""
    tables = Tables(connection)
    for table in COMPARED:
        after: Row | None = ()
        while after is not None:
            piece, after = _compare(connection, tables, table, after)
            yield piece


def _compare(
    connection: sqlite3.Connection, tables: Tables, table: str, after: Row
) -> tuple[Piece, Row | None]:
    found: list[Finding] = []
    behind: Row | None = None
    connection.execute("BEGIN")
    try:
        with _damage_at(f"table {table}", found):
            more, behind = tables.compare(table, after, SLICE)
            found += more
    finally:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
    return Piece(0, tuple(found)), behind


def _structure(connection: sqlite3.Connection) -> Piece:
    """Pages, order and indexes, as SQLite checks them. Nothing is made anew on pages that two tables share."""
    found: list[Finding] = []
    with _damage_at("file", found):
        said = [plainly(row)[0] for row in connection.execute(f"PRAGMA integrity_check({MOST})").fetchall()]
        told = [" ".join(str(each).split()) for each in said if each != "ok"]
        found += [Finding("file", f"is damaged: {each}") for each in told]
    return Piece(0, tuple(found))


@contextmanager
def _damage_at(place: str, found: list[Finding]) -> Iterator[None]:
    """What cannot be read there becomes a finding; the environment's failures pass."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # An SQL error is a table that is gone, or no more as our queries know it.
        is_other = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
        if not is_other and trouble_of(error) is not Trouble.DAMAGED:
            raise
        found.append(Finding(place, f"cannot be read: {error}"))
    except (ValueError, OverflowError) as error:
        found.append(Finding(place, f"cannot be read: {error}"))
