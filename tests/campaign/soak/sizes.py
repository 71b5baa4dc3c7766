"""How large a process is from outside, and whether a measure grows: a line through what follows the warm-up."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

WARM_UP = 0.25
"""This share of the samples is not looked at: caches fill, panels are built."""


class Bound(msgspec.Struct, frozen=True):
    """What a measure may gain from the end of the warm-up to the end: so much, or this share of its size."""

    name: str
    unit: str
    gain: float
    share: float = 0.0


class Drift(msgspec.Struct, frozen=True):
    """The fitted line's gain between the warm-up and the end, and the line's value at its beginning."""

    gain: float
    start: float


def sample(pid: int) -> tuple[float, float, float]:
    """Resident memory (MiB), open descriptors, threads. Raises OSError when the process is gone."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    return memory, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))  # noqa: PTH208


def drift(values: Sequence[float]) -> Drift:
    """Least squares over samples taken at even intervals. Needs two of them after the warm-up."""
    rest = list(values[int(len(values) * WARM_UP) :])
    count = len(rest)
    if count < 2:
        raise ValueError(f"{len(values)} samples are too few for a line")
    middle, mean = (count - 1) / 2, sum(rest) / count
    spread = sum((place - middle) ** 2 for place in range(count))
    slope = sum((place - middle) * (value - mean) for place, value in enumerate(rest)) / spread
    return Drift(slope * (count - 1), mean - slope * middle)


def grows(values: Sequence[float], bound: Bound) -> str:
    """What is wrong with a measure; "" when it is flat within its bound."""
    found = drift(values)
    allowed = max(bound.gain, bound.share * found.start)
    if found.gain <= allowed:
        return ""
    return f"{bound.name} grew by {found.gain:.1f} {bound.unit} from {found.start:.1f}; {allowed:.1f} are allowed"
