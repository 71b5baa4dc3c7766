"""From the process's start, by this process's clock, to the first paint of the till that can be used."""

from __future__ import annotations

from tests.verification.bench.data import data_folder
from tests.verification.bench.figure import Figure, interleaved
from tests.verification.bench.playing import shop
from tests.verification.bench.processes import bare_window, till

ROUNDS = 15


def measure(*, quick: bool = False) -> list[Figure]:
    """Median of the starts, in turn with a bare window's."""
    with shop(data_folder()) as (_sandbox, arguments):

        def ours() -> float:
            with till("", arguments) as process:
                return process.first_paint_ms

        def bare() -> float:
            with bare_window() as process:
                return process.first_paint_ms

        ours(), bare()
        mine, floor = interleaved(ours, bare, 3 if quick else ROUNDS)
    return [
        Figure(
            name="start to first paint",
            unit="ms",
            ours=mine,
            floor=floor,
            goal=1.25,
            floor_is="bare QMainWindow process, as pip installs it",
            limited_by="Python's own loading: our 215 modules 40 ms (their classes more than their reading), the 1,195 "
            "names of the Qt namespace 11, msgspec 7, the grammar 4; the journal's opening 6, the window 20",
        )
    ]
