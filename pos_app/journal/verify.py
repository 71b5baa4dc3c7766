"""Whether every row is, to the last bit, what was written, in the order it was written, with none missing."""

from __future__ import annotations

import sqlite3

import msgspec

from pos_app.journal.chain import COLUMNS, Keys, follows

_TEXTS = ("wall", "kind", "subject", "actor", "path", "content")
_SELECT = ", ".join(f"CAST({name} AS BLOB)" if name in _TEXTS else name for name in COLUMNS)
TAIL = 200


class Head(msgspec.Struct, frozen=True):
    """The last row."""

    seq: int
    mac: bytes


class Report(msgspec.Struct, frozen=True):
    """`head` is the last row walked to, `broken_at` the first sequence number that is not as it was written;
    0 when all are."""

    head: Head
    checked: int
    broken_at: int = 0


def head(connection: sqlite3.Connection, keys: Keys) -> Head:
    """The journal's last row, or its beginning."""
    row = connection.execute("SELECT seq, mac FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(row[0], row[1]) if row else Head(0, keys.genesis)


def verify(connection: sqlite3.Connection, keys: Keys, from_seq: int = 1, at_most: int = -1) -> Report:
    """Walks the chain from a row towards the head. The row before `from_seq` is taken as it stands."""
    before, seq = keys.genesis, max(from_seq, 1) - 1
    if seq:
        row = connection.execute("SELECT mac FROM event WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            return Report(head(connection, keys), 0, seq)
        before = row[0]
    checked = 0
    sql = f"SELECT {_SELECT} FROM event WHERE seq > ? ORDER BY seq LIMIT ?"
    for row in connection.execute(sql, (seq, at_most)):
        if row[0] != seq + 1 or not follows(keys, before, row):
            return Report(Head(seq, before), checked, seq + 1)
        seq, before, checked = row[0], row[9], checked + 1
    return Report(Head(seq, before), checked)


def tail_fits(connection: sqlite3.Connection, keys: Keys) -> bool:
    """Whether the newest row was written with these keys."""
    last = head(connection, keys)
    return last.seq > 0 and not verify(connection, keys, last.seq).broken_at


def tail_problem(connection: sqlite3.Connection, keys: Keys, anchored: tuple[int, bytes] | None) -> str:
    """The check at start: the newest rows, and that nothing older than the anchor lies before us."""
    last = head(connection, keys)
    report = verify(connection, keys, max(1, last.seq - TAIL))
    if report.broken_at:
        return f"event {report.broken_at} is not as it was written"
    if anchored is None:
        return ""
    seq, mac = anchored
    if seq > last.seq:
        return f"the journal ends at event {last.seq}, older than last known ({seq})"
    row = connection.execute("SELECT mac FROM event WHERE seq = ?", (seq,)).fetchone()
    known = row[0] if row else (keys.genesis if seq == 0 else b"")
    return "" if known == mac else f"event {seq} is not the one last known"
