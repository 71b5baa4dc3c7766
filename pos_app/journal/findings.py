"""What an inspection found: where, and what is wrong there. Says nothing of what is to be done."""

from __future__ import annotations

import sqlite3

import msgspec

MOST = 100
"""So many findings are named; a file that is worse is worse in every part."""


class Finding(msgspec.Struct, frozen=True):
    """`place` is "event 107", "attempt T7K3M9QRD-0123-1", "index attempt_by_time", "anchor slot 2" …

    `seq`: the event's number, where the place is an event; `tables_only`: the events themselves are as they
    were written, and what is wrong can be made anew from them.
    """

    place: str
    what: str
    seq: int = 0
    tables_only: bool = False

    def __str__(self) -> str:
        return f"{self.place} {self.what}"


CHANGED = "is not as it was written"


def changed_event(seq: int) -> Finding:
    """A row that was changed."""
    return Finding(f"event {seq}", CHANGED, seq)


def missing_events(first: int, last: int) -> Finding:
    """A gap."""
    if first == last:
        return Finding(f"event {first}", "is missing", first)
    return Finding(f"events {first} to {last}", "are missing", first)


def unreadable_event(seq: int, error: sqlite3.Error) -> Finding:
    """A row, or the page it lies on, that SQLite cannot read."""
    return Finding(f"event {seq}", f"cannot be read: {error}", seq)


def text_of(findings: tuple[Finding, ...] | list[Finding], most: int = 5) -> str:
    """The first few, for a person."""
    told = "; ".join(map(str, findings[:most]))
    return told + (f"; and {len(findings) - most} more" if len(findings) > most else "")
