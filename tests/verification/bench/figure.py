"""A measured figure beside its floor, and the arithmetic all of them share."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import msgspec


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table. `goal` bounds ours ÷ floor, or `ours` itself when `absolute`."""

    name: str
    unit: str
    ours: float
    floor: float
    goal: float
    floor_is: str
    absolute: bool = False
    limited_by: str = ""

    @property
    def ratio(self) -> float:
        """Ours ÷ floor."""
        return self.ours / self.floor if self.floor else float("inf")

    @property
    def reached(self) -> bool:
        """Whether the goal holds in this run."""
        return (self.ours if self.absolute else self.ratio) <= self.goal


def median(values: list[float]) -> float:
    """The median; what the table quotes."""
    return statistics.median(values)


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` (0–1) of them lie."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def timed_ms(work: Callable[[], object]) -> float:
    """How long one call takes, in ms."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def interleaved(ours: Callable[[], float], floor: Callable[[], float], rounds: int) -> tuple[float, float]:
    """Medians of both, measured in turn so that a drift of the machine meets both alike."""
    pairs = [(ours(), floor()) for _ in range(rounds)]
    return median([pair[0] for pair in pairs]), median([pair[1] for pair in pairs])
