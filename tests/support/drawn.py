"""Characters as a till draws them for its ids, but the same in each run of a test."""

from __future__ import annotations

from hashlib import sha256

from pos_app.domain.ids import ALPHABET


class Dice:
    """`salt` tells apart what two runs of one till draw."""

    def __init__(self, salt: str) -> None:
        self._salt = salt
        self._thrown = 0

    def __call__(self, length: int) -> str:
        """So many characters, others each time."""
        self._thrown += 1
        digest = sha256(f"{self._salt}/{self._thrown}".encode()).digest()
        return "".join(ALPHABET[each % len(ALPHABET)] for each in digest[:length])
