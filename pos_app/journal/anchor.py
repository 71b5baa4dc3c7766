"""The head last known, kept outside the database, so that an older copy or lost rows are noticed.

Two fixed slots are overwritten in turn: one torn write leaves the other, and no sync is needed, because an
older anchor is still a true one. It is written after the commit it speaks of, never before.
"""

from __future__ import annotations

import hmac
import os
import struct
from pathlib import Path

from pos_app.journal.chain import MAC_LENGTH, Keys

_FACT = struct.Struct(f">q{MAC_LENGTH}s")
_TAG_LENGTH = 24
SLOT_LENGTH = _FACT.size + _TAG_LENGTH


class Anchor:
    """The open anchor file of one journal."""

    def __init__(self, path: Path, keys: Keys) -> None:
        self._keys = keys
        self._descriptor: int | None = os.open(
            path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600
        )
        self._slot = 0

    def write(self, seq: int, mac: bytes) -> None:
        """Remembers the head; raises OSError."""
        if self._descriptor is None:
            raise ValueError("the anchor is closed")
        fact = _FACT.pack(seq, mac)
        self._slot = 1 - self._slot
        os.lseek(self._descriptor, self._slot * SLOT_LENGTH, os.SEEK_SET)
        os.write(self._descriptor, fact + self._keys.anchor_tag(fact)[:_TAG_LENGTH])

    def sync(self) -> None:
        """Onto the disk: at the file's making and at the end, never with a commit."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Closes the file; calling it again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def anchor_path(journal: Path) -> Path:
    """Where the anchor of a journal lies."""
    return journal.with_name(journal.name + ".anchor")


def read_anchor(path: Path, keys: Keys) -> tuple[int, bytes] | None:
    """The highest head a valid slot speaks of; None when there is no file or no slot of ours in it."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    facts = []
    for start in (0, SLOT_LENGTH):
        slot = data[start : start + SLOT_LENGTH]
        fact = slot[: _FACT.size]
        if len(slot) == SLOT_LENGTH and hmac.compare_digest(
            slot[_FACT.size :], keys.anchor_tag(fact)[:_TAG_LENGTH]
        ):
            facts.append(_FACT.unpack(fact))
    return max(facts, default=None)
