"""Seeds on all cores; or --seed 4711 told.

python -m tests.verification.simulation [--seeds 20000] [--minutes 8] [--resume]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

import msgspec

from tests.support.figures import KEPT
from tests.verification.simulation.checker import judge
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.run import play
from tests.verification.simulation.seeds import Figures, try_seeds
from tests.verification.simulation.shrink import shortest
from tests.verification.simulation.telling import happened, told
from tests.verification.simulation.working import in_order

RESULTS = KEPT / "simulation.json"
SHARE = 250
"""Seeds a worker takes at a time."""


def main() -> int:
    """0 when every seed held."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.simulation", description=__doc__)
    wanted.add_argument("--seeds", type=int, default=20_000, help="at the most")
    wanted.add_argument("--minutes", type=float, help="no more seeds are taken after this time")
    wanted.add_argument("--seed", type=int, help="play this one and tell it")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    wanted.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    options = wanted.parse_args()
    if options.seed is not None:
        return tell(options.seed)
    figures = Figures(failures=[], faults={})
    if options.resume and RESULTS.exists():
        figures = msgspec.json.decode(RESULTS.read_bytes(), type=Figures)
    before, start = len(figures.failures), figures.seeds
    shares = _shares(start, start + options.seeds)
    for share in in_order(_share, shares, options.workers, options.minutes):
        figures.add(share)
        save(figures)
    for failure in figures.failures[before : before + 3]:
        tell(failure.seed)
    say(figures.line())
    return 1 if figures.failures else 0


def _shares(start: int, end: int) -> Iterator[tuple[int, int]]:
    for first in range(start, end, SHARE):
        yield first, min(first + SHARE, end)


def _share(bounds: tuple[int, int]) -> Figures:
    return try_seeds(*bounds)


def save(figures: Figures) -> None:
    """So that a run that is broken off counts as far as it came."""
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    fresh = RESULTS.with_suffix(".new")
    fresh.write_bytes(msgspec.json.format(msgspec.json.encode(figures)))
    fresh.replace(RESULTS)


def tell(seed: int) -> int:
    """The shortest story that shows what is wrong with a seed; the whole one when nothing is."""
    story = story_of(seed)
    found = judge(play(story).history)
    if found:
        story = shortest(story, found[0])
    history = play(story).history
    found = judge(history)
    say(f"seed {seed}", *told(story), *happened(history), *map(str, found))
    return 1 if found else 0


def say(*lines: str) -> None:
    """Written at once, for a run may be broken off."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
