"""How large a process is from outside, and whether a measure grows: a line through what follows the warm-up."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

SAMPLE_S = 2.0
IN_HAND_S = 17 * 60.0
"""So long a payment stays in the till's hands: it is asked about once more a quarter of an hour after its end."""

SHARE = 0.25
"""The warm-up of a run that is too short to let go of its first payments."""


class Bound(msgspec.Struct, frozen=True):
    """What a measure may gain between the warm-up and the end: so much, and so much for each payment in hand.

    The latter in runs alone in which payments are only taken in hand and none is let go of yet.
    """

    name: str
    unit: str
    gain: float
    each: float = 0.0


SURE = 3.0
"""Standard errors of a gain, beyond which it is no chance: threads of a pool come and go, and a short run sees few."""


class Drift(msgspec.Struct, frozen=True):
    """The fitted line's gain between the warm-up and the end, and the line's value at its beginning.

    `error`: the gain's standard error, by how far the samples lie from the line.
    """

    gain: float
    start: float
    error: float


def sample(pid: int) -> tuple[float, float, float]:
    """Resident memory (MiB), open descriptors, threads. Raises OSError when the process is gone."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    return memory, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))  # noqa: PTH208


def is_long(samples: int) -> bool:
    """Whether the till has come to let go of payments as fast as it takes them in hand."""
    return samples * SAMPLE_S > 1.4 * IN_HAND_S


def warm_up(samples: int) -> int:
    """How many of the first samples are not looked at: caches fill, panels are built, payments pile up."""
    return int(IN_HAND_S / SAMPLE_S) if is_long(samples) else int(samples * SHARE)


def drift(values: Sequence[float]) -> Drift:
    """Least squares over samples taken at even intervals. Needs two of them after the warm-up."""
    rest = list(values[warm_up(len(values)) :])
    count = len(rest)
    if count < 2:
        raise ValueError(f"{len(values)} samples are too few for a line")
    middle, mean = (count - 1) / 2, sum(rest) / count
    spread = sum((place - middle) ** 2 for place in range(count))
    slope = sum((place - middle) * (value - mean) for place, value in enumerate(rest)) / spread
    start = mean - slope * middle
    off = sum((value - start - slope * place) ** 2 for place, value in enumerate(rest)) / max(1, count - 2)
    return Drift(slope * (count - 1), start, math.sqrt(off / spread) * (count - 1))


def grows(values: Sequence[float], bound: Bound, payments: int) -> str:
    """What is wrong with a measure over a run of so many payments; "" when it is flat within its bound."""
    found = drift(values)
    allowed = bound.gain + (0.0 if is_long(len(values)) else bound.each * payments)
    if found.gain - SURE * found.error <= allowed:
        return ""
    grown = f"{found.gain:.1f} ± {SURE * found.error:.1f} {bound.unit}"
    return f"{bound.name} grew by {grown} from {found.start:.1f}; {allowed:.1f} are allowed"
