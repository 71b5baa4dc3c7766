"""Plays every cell of the matrix so many times, adds up, and prints the table.

python -m tests.verification.matrix
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.support.figures import Figures, figures
from tests.verification.matrix.cells import Case, cases
from tests.verification.matrix.play import play
from tests.verification.matrix.table import table

SHOWN = 20
CELL = "cell "
FAILED = "failed "


def main() -> int:
    """1 when a cell is not as the matrix demands, or was never played."""
    parser = argparse.ArgumentParser(prog="python -m tests.verification.matrix", description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="how often each cell is played, for each kind")
    parser.add_argument("--resume", action="store_true", help="add to the figures of earlier runs")
    told = parser.parse_args()
    kept = figures("matrix", resume=told.resume)
    first = _rounds(kept)
    try:
        for seed in range(first, first + told.times):
            _round(kept, seed)
    except KeyboardInterrupt:
        print("broken off; what was played is kept")
    counts = _of(kept, CELL)
    failed = _of(kept, FAILED)
    print(table(counts, failed))
    for finding in kept.findings[:SHOWN]:
        print(finding)
    print(_line(kept, counts))
    return 1 if kept.findings or any(case.cell not in counts for case in cases()) else 0


def _rounds(kept: Figures) -> int:
    return kept.counts.get("rounds", 0)


def _of(kept: Figures, prefix: str) -> dict[str, int]:
    return {key.removeprefix(prefix): count for key, count in kept.counts.items() if key.startswith(prefix)}


def _round(kept: Figures, seed: int) -> None:
    """Every case once; it counts as one piece of work."""
    began = time.perf_counter()
    counts: dict[str, int] = {"rounds": 1}
    findings: list[str] = []
    for case in cases():
        counts[CELL + case.cell] = counts.get(CELL + case.cell, 0) + 1
        problems = _played(case, seed)
        if problems:
            counts[FAILED + case.cell] = counts.get(FAILED + case.cell, 0) + 1
            findings.append(f"{case.name}, seed {seed}: {problems[0]}"[:600])
    kept.add(counts, findings=findings, seconds=time.perf_counter() - began)


def _played(case: Case, seed: int) -> list[str]:
    try:
        return play(case, seed)
    except (AssertionError, LookupError, AttributeError, TypeError, ValueError) as error:
        return [f"{type(error).__name__}: {error}"]


def _line(kept: Figures, counts: dict[str, int]) -> str:
    played = sum(counts.values())
    least = min(counts.values(), default=0)
    speed = played / kept.seconds if kept.seconds else 0
    return (
        f"matrix: {len(counts)} cells, each at least {least:,} times, {played:,} in all, "
        f"{len(kept.findings)} findings, {kept.seconds:.0f} s, {speed:.0f} a second"
    )


if __name__ == "__main__":
    sys.exit(main())
