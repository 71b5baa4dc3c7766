"""The window's longest stall in a minute of polling, beside its longest in an idle minute of the same run."""

from __future__ import annotations

from tests.verification.bench.figure import Figure
from tests.verification.bench.playing import played


def measure(*, quick: bool = False) -> list[Figure]:
    """The longest of each minute."""
    measured = played("stalls", quick=quick)
    return [
        Figure(
            name="longest stall while polling",
            unit="ms",
            ours=measured["polling"][-1],
            floor=measured["idle"][-1],
            goal=2,
            floor_is="idle minute of the same run",
            limited_by="one sample each: the machine's own hiccups; run it again on a quiet one",
        )
    ]
