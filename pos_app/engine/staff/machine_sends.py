"""How many codes by SMS this machine has sent, to which numbers, whatever data folder its tills work in.

A journal counts its own; whoever gives the till another folder begins that count anew, and this one not. No number
stands in the file: each is hashed, slowly, with a salt of the machine's. Where the file cannot be written the journal's
count holds alone, and whoever sends is told why.
"""

from __future__ import annotations

import json
import os
import secrets
from hashlib import scrypt
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.ages import Stamp
from pos_app.domain.unreadable import UNREADABLE
from pos_app.system.atomic_file import write_whole
from pos_app.system.one_at_a_time import alone_in
from pos_app.system.plain_file import read_plain

KEPT = 200
"""So many of the newest are kept: more than any limit looks back to."""

_SALT_BYTES = 16
_TURN_S = 2.0
"""A count takes some hundredths of a second."""


class _Send(msgspec.Struct, frozen=True):
    """One line. `number`: the hash of it."""

    number: str
    stamp: Stamp


class MachineSends:
    """The count in one file, of one environment; for one thread. Raises nothing."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._salt = b""
        self._hashes: dict[str, str] = {}

    def sends(self) -> list[tuple[str, Stamp]]:
        """The hashes and moments of the newest codes, oldest first; none where they cannot be read."""
        return [(each.number, each.stamp) for each in self._read()]

    def hash_of(self, number: str) -> str:
        """What stands for a number in the file, as long as the file's salt does."""
        if number not in self._hashes:
            # Some ten milliseconds: there are few enough numbers to try them all by a fast one.
            self._hashes[number] = scrypt(number.encode(), salt=self._salt, n=2**13, r=8, p=1, dklen=16).hex()
        return self._hashes[number]

    def count(self, number: str, stamp: Stamp) -> str:
        """Durably, before it is sent; why it could not be counted, "" when it was."""
        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A till on another data folder counts in the same file, and would put it back without our line.
            with alone_in(self.file.parent, _TURN_S):
                self._count(number, stamp)
        except OSError as error:
            return error.strerror or type(error).__name__
        return ""

    def _count(self, number: str, stamp: Stamp) -> None:
        known = self._read()
        line = msgspec.json.encode(_Send(self.hash_of(number), stamp)) + b"\n"
        if not self._is_whole() or len(known) >= 2 * KEPT:
            self._begin([*known[-KEPT:]], line)
        else:
            self._append(line)

    def _append(self, line: bytes) -> None:
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(self.file, flags)
        try:
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _begin(self, known: list[_Send], line: bytes) -> None:
        head = json.dumps({"salt": self._salt.hex()}).encode() + b"\n"
        lines = [head, *(msgspec.json.encode(each) + b"\n" for each in known), line]
        write_whole(self.file, b"".join(lines))

    def _is_whole(self) -> bool:
        """Whether a line may be added: the file's salt is the one in use, and no power cut has cut its last line."""
        text = self._text()
        return text.endswith(b"\n") and self._salt_of(text.splitlines()) == self._salt

    def _read(self) -> list[_Send]:
        lines = self._text().splitlines()
        salt = self._salt_of(lines) or self._salt or secrets.token_bytes(_SALT_BYTES)
        if salt != self._salt:
            self._salt, self._hashes = salt, {}
        found = []
        for line in lines[1:]:
            try:
                found.append(msgspec.json.decode(line, type=_Send))
            except UNREADABLE:
                continue  # cut off by a power cut, or no longer what was written
        return found

    def _text(self) -> bytes:
        try:
            return read_plain(self.file)
        except OSError:
            return b""

    @staticmethod
    def _salt_of(lines: list[bytes]) -> bytes:
        try:
            said: Any = json.loads(lines[0])
            salt = bytes.fromhex(said["salt"])
        except (IndexError, ValueError, TypeError, KeyError):
            return b""
        return salt if len(salt) == _SALT_BYTES else b""
