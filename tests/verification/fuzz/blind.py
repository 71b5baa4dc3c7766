"""Changes bytes without knowing what they mean, for when no fuzzing engine does it; reproducible by its dice."""

from __future__ import annotations

import random
from collections.abc import Sequence


def blind(
    data: bytes, most: int, dice: random.Random, words: Sequence[bytes], others: Sequence[bytes]
) -> bytes:
    """One change: a bit, a byte, a piece gone, twice or elsewhere, a word, the end of another input."""
    at = dice.randrange(len(data) + 1)
    end = min(len(data), at + dice.randrange(1, 9))
    match dice.randrange(8):
        case 0 if at < len(data):
            return data[:at] + bytes((data[at] ^ 1 << dice.randrange(8),)) + data[at + 1 :]
        case 1:
            return data[:at] + dice.randbytes(end - at) + data[end:]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return (data[:end] + data[at:])[:most]
        case 4 | 5 if words:
            return (data[:at] + dice.choice(words) + data[at if dice.random() < 0.5 else end :])[:most]
        case 6 if others:
            other = dice.choice(others)
            return (data[:at] + other[dice.randrange(len(other) + 1) :])[:most]
        case _:
            return (data[:at] + dice.randbytes(1) + data[at:])[:most]
