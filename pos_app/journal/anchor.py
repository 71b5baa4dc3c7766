"""The head last known, kept outside the database, so that an older copy or lost rows are noticed.

Two slots are overwritten in turn, after each commit and never before it: no sync is needed, because an older
anchor is still a true one. The third is written only together with a sync, when the file is made and at the
end: so a power cut, which may tear both of the others, never leaves a journal without its anchor.
"""

from __future__ import annotations

import hmac
import os
import struct
from pathlib import Path

import msgspec

from pos_app.journal.chain import MAC_LENGTH, Keys
from pos_app.system.plain_file import read_plain

_FACT = struct.Struct(f">q{MAC_LENGTH}s")
_TAG_LENGTH = 24
SLOT_LENGTH = _FACT.size + _TAG_LENGTH
_SYNCED = 2
SLOTS = 3
_IDENTITY = SLOTS * SLOT_LENGTH


class Anchored(msgspec.Struct, frozen=True):
    """What an anchor file says: the highest head in a slot of ours, and which parts are none of ours."""

    seq: int
    mac: bytes
    installation_id: str = ""
    spoilt: tuple[str, ...] = ()


class Anchor:
    """The open anchor file of one journal."""

    def __init__(self, path: Path, keys: Keys, installation_id: str) -> None:
        self._keys = keys
        self._identity = installation_id.encode()
        self._descriptor: int | None = os.open(
            path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600
        )
        self._slot = 0

    def write(self, seq: int, mac: bytes) -> None:
        """Remembers the head; raises OSError."""
        self._slot = 1 - self._slot
        self._put(self._slot, seq, mac)

    def _put(self, slot: int, seq: int, mac: bytes) -> None:
        if self._descriptor is None:
            raise ValueError("the anchor is closed")
        fact = _FACT.pack(seq, mac)
        os.lseek(self._descriptor, slot * SLOT_LENGTH, os.SEEK_SET)
        os.write(self._descriptor, fact + self._keys.anchor_tag(fact)[:_TAG_LENGTH])

    def sync(self, seq: int, mac: bytes) -> None:
        """Remembers the head for good, in every slot. Raises OSError."""
        if self._descriptor is None:
            return
        self._put(0, seq, mac)
        self._put(1, seq, mac)
        os.lseek(self._descriptor, _IDENTITY, os.SEEK_SET)
        os.write(self._descriptor, self._keys.anchor_tag(self._identity)[:_TAG_LENGTH] + self._identity)
        # The others first: while the third is on its way, they are there.
        os.fsync(self._descriptor)
        self._put(_SYNCED, seq, mac)
        os.fsync(self._descriptor)

    def identify(self, installation_id: str) -> None:
        """The installation's new id; written at the next `sync`."""
        self._identity = installation_id.encode()

    def close(self) -> None:
        """Closes the file; calling it again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def anchor_path(journal: Path) -> Path:
    """Where the anchor of a journal lies."""
    return journal.with_name(journal.name + ".anchor")


def read_anchor(path: Path, keys: Keys) -> Anchored | None:
    """What the file says; None when there is none, or no slot of ours in it. Raises OSError."""
    try:
        data = read_plain(path)
    except FileNotFoundError:
        return None
    facts, spoilt = [], []
    for number in range(SLOTS):
        slot = data[number * SLOT_LENGTH : (number + 1) * SLOT_LENGTH]
        if len(slot) == SLOT_LENGTH and _is_ours(slot[: _FACT.size], slot[_FACT.size :], keys):
            facts.append(_FACT.unpack(slot[: _FACT.size]))
        else:
            spoilt.append(f"anchor slot {number + 1}")
    tag, identity = data[_IDENTITY : _IDENTITY + _TAG_LENGTH], data[_IDENTITY + _TAG_LENGTH :]
    if not _is_ours(identity, tag, keys):
        identity = b""
        spoilt.append("anchor identity")
    if not facts:
        return None
    seq, mac = max(facts)
    return Anchored(seq, mac, identity.decode("ascii"), tuple(spoilt))


def claimed_installation(path: Path) -> str:
    """Whose it says it is, where that cannot be proven (its key is gone); "" where it says nothing readable."""
    try:
        return read_plain(path)[_IDENTITY + _TAG_LENGTH :].decode("ascii")
    except (OSError, ValueError):
        return ""


def _is_ours(fact: bytes, tag: bytes, keys: Keys) -> bool:
    return hmac.compare_digest(tag, keys.anchor_tag(fact)[:_TAG_LENGTH])
