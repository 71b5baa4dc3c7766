"""Whether every row is, to the last bit, what was written, in the order it was written, with none missing."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from pos_app.journal.anchor import Anchored
from pos_app.journal.chain import COLUMNS, Keys, canonical, follows
from pos_app.journal.errors import Trouble, trouble_of
from pos_app.journal.findings import MOST, Finding, changed_event, missing_events, unreadable_event

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM event"
_TEXTS = slice(2, 8)
TAIL = 200


class Text(bytes):
    """A column that SQLite holds as a text, so that a blob of the same bytes is not taken for it."""


_TEXT = {Text}


class Head(msgspec.Struct, frozen=True):
    """The last row."""

    seq: int
    mac: bytes


class Report(msgspec.Struct, frozen=True):
    """`head` is the last row walked to; `broken` is everything met on the way, up to a bound."""

    head: Head
    checked: int
    broken: tuple[Finding, ...] = ()

    @property
    def broken_at(self) -> int:
        """The first sequence number that is not as it was written; 0 when all are."""
        return self.broken[0].seq if self.broken else 0


def head(connection: sqlite3.Connection, keys: Keys) -> Head:
    """The journal's last row, or its beginning."""
    row = connection.execute("SELECT seq, mac FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(row[0], row[1]) if row else Head(0, keys.genesis)


@contextmanager
def typed(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """While it lasts, texts are read as the bytes they are, and known for texts."""
    before = connection.text_factory
    connection.text_factory = Text
    try:
        yield connection
    finally:
        connection.text_factory = before


def is_typed(row: tuple[Any, ...]) -> bool:
    """Whether the texts of a row are texts in the file."""
    return {*map(type, row[_TEXTS])} == _TEXT


class Walk:
    """One walk along the chain, from a row whose MAC is `before`; None: whatever comes next is taken as it stands."""

    def __init__(self, keys: Keys, seq: int, before: bytes | None) -> None:
        self._keys = keys
        self.seq = seq
        self.before = before
        self._instead: bytes | None = None
        self.checked = 0
        self.broken: list[Finding] = []

    def meet(self, row: tuple[Any, ...]) -> bool:
        """Takes the next row; whether it is proven."""
        seq, mac = row[0], row[9]
        self.checked += 1
        if seq == self.seq + 1 and is_typed(row) and self._follows(row):
            self._instead = None
            self.seq, self.before = seq, mac
            return True
        if seq > self.seq + 1:
            self._found(missing_events(self.seq + 1, seq - 1))
            self.before = None
        if self.before is None:
            self._instead = None
        else:
            self._found(changed_event(seq))
            self._instead = self._mac_of(row)
        self.seq, self.before = seq, mac if isinstance(mac, bytes) else b""
        return False

    def _follows(self, row: tuple[Any, ...]) -> bool:
        if self.before is not None and follows(self._keys, self.before, row):
            return True
        # Where only a row's MAC was changed, the next one follows what it should have been.
        return self._instead is not None and follows(self._keys, self._instead, row)

    def _mac_of(self, row: tuple[Any, ...]) -> bytes | None:
        try:
            return self._keys.mac(self.before or b"", canonical(row))
        except (struct.error, TypeError):
            return None

    def cannot_read(self, seq: int, error: sqlite3.Error) -> None:
        """A row that is there, or should be, and cannot be had."""
        self._found(unreadable_event(seq, error))
        self.seq, self.before, self._instead = seq, None, None

    def _found(self, finding: Finding) -> None:
        if len(self.broken) < MOST:
            self.broken.append(finding)

    def report(self) -> Report:
        """What it has come to."""
        return Report(Head(self.seq, self.before or b""), self.checked, tuple(self.broken))


def begun(connection: sqlite3.Connection, keys: Keys, from_seq: int) -> Walk:
    """A walk from this row on; the row before it is taken as it stands."""
    if from_seq <= 1:
        return Walk(keys, 0, keys.genesis)
    row = connection.execute("SELECT mac FROM event WHERE seq = ?", (from_seq - 1,)).fetchone()
    walk = Walk(keys, from_seq - 1, row[0] if row else None)
    if row is None:
        walk.broken.append(missing_events(from_seq - 1, from_seq - 1))
    return walk


def read_on(
    connection: sqlite3.Connection, walk: Walk, at_most: int = -1
) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """The walk's next rows, each with whether it is proven. What cannot be read is told one by one, to a bound.

    The connection is `typed` meanwhile.
    """
    left, tries = at_most, MOST
    while left and tries:
        try:
            for row in connection.execute(f"{_SELECT} WHERE seq > ? ORDER BY seq LIMIT ?", (walk.seq, left)):
                left -= 1
                yield row, walk.meet(row)
            return
        except sqlite3.DatabaseError as error:
            if trouble_of(error) is not Trouble.DAMAGED:
                raise
            tries -= 1
            left -= 1
            row = _single(connection, walk, error)
            if row is not None:
                yield row, walk.meet(row)


def _single(connection: sqlite3.Connection, walk: Walk, error: sqlite3.Error) -> tuple[Any, ...] | None:
    """The row behind which reading broke off: the driver loses a row when the next one cannot be read."""
    seq = walk.seq + 1
    try:
        row: tuple[Any, ...] | None = connection.execute(f"{_SELECT} WHERE seq = ?", (seq,)).fetchone()
    except sqlite3.DatabaseError as own:
        row, error = None, own
    if row is None:
        walk.cannot_read(seq, error)
    return row


def verify(connection: sqlite3.Connection, keys: Keys, from_seq: int = 1, at_most: int = -1) -> Report:
    """Walks the chain from a row towards the head. The row before `from_seq` is taken as it stands."""
    with typed(connection):
        walk = begun(connection, keys, from_seq)
        for _ in read_on(connection, walk, at_most):
            pass
    return walk.report()


def tail_fits(connection: sqlite3.Connection, keys: Keys) -> bool:
    """Whether the newest row was written with these keys."""
    last = head(connection, keys)
    return last.seq > 0 and not verify(connection, keys, last.seq).broken


def tail_findings(connection: sqlite3.Connection, keys: Keys, anchored: Anchored | None) -> list[Finding]:
    """The check at start: the newest rows, and that nothing older than the anchor lies before us."""
    report = verify(connection, keys, max(1, head(connection, keys).seq - TAIL))
    return [*report.broken, *anchor_findings(connection, keys, anchored)]


def anchor_findings(connection: sqlite3.Connection, keys: Keys, anchored: Anchored | None) -> list[Finding]:
    """Whether the journal is at least as new as its anchor, which was read before."""
    last = head(connection, keys).seq
    if anchored is None:
        return (
            [Finding("anchor", "is gone, or none of ours; the journal lies here without it")] if last else []
        )
    if anchored.seq > last:
        known = f"the journal ends at event {last}, older than last known ({anchored.seq})"
        return [Finding(f"event {last + 1}", f"is missing: {known}", last + 1)]
    row = connection.execute("SELECT mac FROM event WHERE seq = ?", (anchored.seq,)).fetchone()
    known_mac = row[0] if row else (keys.genesis if anchored.seq == 0 else b"")
    if known_mac == anchored.mac:
        return []
    return [Finding(f"event {anchored.seq}", "is not the one last known", anchored.seq)]
