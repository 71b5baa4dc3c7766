"""What the process keeps as it is told more and more: its memory against the cases played. Judges, measures nothing."""

from __future__ import annotations

SETTLED = 300
"""Cases until the libraries are loaded."""

STRETCH = 200
MEMORY_MIB = 64.0
"""I12: how much a process may grow over all it was told; here it is ten tills."""

MOST_POINTS = 15


class Footprint:
    """The least of each stretch of cases: a moment needs more, 19 MiB for each passcode that is hashed just then."""

    def __init__(self) -> None:
        self.points: list[tuple[int, float]] = []
        """The case each stretch began with, and the least memory (MiB) in it; the last one may still go on."""

    def note(self, played: int, mib: float) -> None:
        """One measure, taken after so many cases."""
        if played < SETTLED:
            return
        if not self.points or played >= self.points[-1][0] + STRETCH:
            self.points.append((played, mib))
        else:
            began, least = self.points[-1]
            self.points[-1] = began, min(least, mib)

    @property
    def growth_mib(self) -> float:
        """Of the largest stretch that is over, since the first; 0 before there are two."""
        over = [mib for _, mib in self.points[:-1]]
        return max(over) - over[0] if over else 0.0

    def findings(self) -> list[str]:
        """What is too much."""
        if self.growth_mib <= MEMORY_MIB:
            return []
        return [f"I12 the process has grown by {self.growth_mib:.0f} MiB; {self.line()}"]

    def line(self) -> str:
        """Memory against cases, evenly picked from a long run."""
        step = -(-len(self.points) // MOST_POINTS) or 1
        told = [f"{mib:.0f} at {began:,}" for began, mib in self.points[::step]]
        return "memory against cases (MiB): " + (", ".join(told) or f"fewer than {SETTLED} cases")
