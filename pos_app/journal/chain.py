"""The keys of a journal and the chain of MACs over its rows. Knows bytes only: no SQL, no file."""

from __future__ import annotations

import hmac
import struct
from collections.abc import Sequence
from typing import Any

from pos_app.domain.attempt import Environment
from pos_app.domain.receipt import code_of

MAC_LENGTH = 32
KEY_LENGTH = 32

COLUMNS = ("seq", "at", "wall", "kind", "subject", "actor", "path", "content", "sealed", "mac")
"""The event table's columns in the order of every row tuple of this package."""

_HEADER = struct.Struct(">qq7q")
_ABSENT = -1


class Keys:
    """What is derived from the journal's key: one key per purpose, so that no MAC can stand in for another."""

    def __init__(self, key: bytes, environment: Environment) -> None:
        if len(key) < KEY_LENGTH:
            raise ValueError(f"a journal key has at least {KEY_LENGTH} bytes")
        self._chain = derive(key, b"chain")
        self._anchor = derive(key, b"anchor")
        self._meta = derive(key, b"meta")
        self._digest = derive(key, b"digest")
        self._machine = derive(key, b"machine")
        self._z = derive(key, b"z")
        self._receipt = derive(key, b"receipt")
        self.seal = derive(key, b"seal")
        self.device = derive(key, b"device")
        """The seed of the key that signs what leaves for a store: it lies where the journal's key does."""
        self.environment = environment
        self.genesis = hmac.digest(self._chain, b"genesis:" + environment.value.encode(), "sha256")

    def __repr__(self) -> str:
        return "Keys(…)"

    def mac(self, before: bytes, canonical: bytes) -> bytes:
        """A row's MAC from the MAC of the row before it and its own canonical bytes."""
        return hmac.digest(self._chain, before + canonical, "sha256")

    def anchor_tag(self, fact: bytes) -> bytes:
        """What proves that an anchor was written by us."""
        return hmac.digest(self._anchor, fact, "sha256")

    def meta_tag(self, environment: str, installation_id: str) -> bytes:
        """What binds a file to its environment, installation and key."""
        return hmac.digest(self._meta, f"{environment}\0{installation_id}".encode(), "sha256")

    def machine(self, machine_id: str) -> str:
        """A keyed hash (32 hex characters) of a machine's id, "" for none: the id itself is nobody else's to know."""
        if not machine_id:
            return ""
        return hmac.digest(self._machine, machine_id.encode("utf-8", "backslashreplace"), "sha256").hex()[:32]

    def z_digest(self, text: str) -> str:
        """What is printed on a Z (32 hex characters): nobody without the key makes paper that this journal knows."""
        return hmac.digest(self._z, text.encode(), "sha256").hex()[:32]

    def receipt_code(self, text: str) -> str:
        """What is printed on a receipt: nobody without the key makes paper that this journal knows."""
        return code_of(hmac.digest(self._receipt, text.encode(), "sha256"))

    def digest(self, text: str) -> str:
        """A keyed hash (32 hex characters) that tells equal numbers apart without holding them."""
        return hmac.digest(self._digest, text.encode("utf-8", "backslashreplace"), "sha256").hex()[:32]


def derive(key: bytes, purpose: bytes) -> bytes:
    """One purpose's key."""
    return hmac.digest(key, b"pos_app journal " + purpose, "sha256")


def canonical(row: Sequence[Any]) -> bytes:
    """A row (COLUMNS without mac; texts as UTF-8 bytes) as bytes in which no two different rows are equal.

    Raises struct.error or TypeError when a column does not have its type: the row was changed.
    """
    seq, at, wall, kind, subject, actor, path, content, sealed = row[:9]
    header = _HEADER.pack(
        seq,
        at,
        len(wall),
        len(kind),
        len(subject),
        len(actor),
        len(path),
        len(content),
        _ABSENT if sealed is None else len(sealed),
    )
    return b"".join((header, wall, kind, subject, actor, path, content, sealed or b""))


def follows(keys: Keys, before: bytes, row: Sequence[Any]) -> bool:
    """Whether the row is, to the last bit, what was written after the row whose MAC is `before`."""
    mac = row[9]
    if not isinstance(mac, bytes):
        return False
    try:
        return hmac.compare_digest(mac, keys.mac(before, canonical(row)))
    except (struct.error, TypeError):
        return False
