"""Crash points, single faults, ordered pairs, triples.

python -m tests.verification.simulation.stories [--minutes 5] [--resume]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from tests.support.figures import figures
from tests.verification.simulation.canonical import (
    Canonical,
    Place,
    crash_points,
    end_of,
    ordered_pairs,
    single_faults,
    stories,
    triples,
)
from tests.verification.simulation.checker import judge
from tests.verification.simulation.run import Run, play
from tests.verification.simulation.story import Story
from tests.verification.simulation.working import in_order

TRIPLES = 500
"""Of one story in one piece."""

TOLD = 5
"""Findings of one piece that are told in full; the others are counted by these."""

DONE = "pieces"

PLACES: tuple[tuple[Place, Place], ...] = (
    (("initiate", 1), ("status", 1)),
    (("initiate", 1), ("initiate", 2)),
    (("initiate", 1), ("cancel", 1)),
    (("status", 1), ("initiate", 2)),
    (("status", 1), ("status", 2)),
    (("status", 2), ("cancel", 1)),
    (("cancel", 1), ("status", 3)),
    (("cancel", 1), ("cancel", 2)),
)
"""Where a second fault has most to add: between the first send, the asks after it, a re-send and the cancels."""


class Piece(msgspec.Struct, frozen=True):
    """What one worker tries at a time, on one story; `turn` tells pieces of one kind apart."""

    story: int
    kind: str
    turn: int = 0


class Share(msgspec.Struct, frozen=True):
    """What one piece came to."""

    counts: dict[str, int]
    findings: list[str]
    seconds: float


def pieces(of: Sequence[Canonical]) -> Iterator[Piece]:
    """All there is to try, the broadest first; then triples as long as somebody wants more."""
    numbers = range(len(of))
    yield from (Piece(number, "crashes") for number in numbers)
    yield from (Piece(number, "pairs", turn) for turn in range(len(PLACES)) for number in numbers)
    yield from (Piece(number, "singles") for number in numbers)
    yield from (Piece(number, "triples") for number in numbers)


def more(of: Sequence[Canonical], since: int) -> Iterator[Piece]:
    """Triples not yet tried, without end."""
    turn = since
    while True:
        turn += 1
        yield from (Piece(number, "triples", turn) for number in range(len(of)))


def tried(piece: Piece) -> Share:
    """Plays and judges all of a piece."""
    canonical = stories()[piece.story]
    story, began = canonical.story(), time.process_time()
    run = play(story)
    findings = _end(canonical, run)
    match piece.kind:
        case "crashes":
            played: Iterable[tuple[Story, Run]] = crash_points(story)
            name = "crash points"
        case "pairs":
            played = _played(ordered_pairs(story, *PLACES[piece.turn]))
            name = "ordered pairs"
        case "singles":
            played = _played(single_faults(story, range(1, run.calls + 1)))
            name = "single faults"
        case _:
            played = _played(triples(story, run.calls, TRIPLES, piece.turn))
            name = "triples"
    counts: Counter[str] = Counter()
    for other, after in played:
        counts[name] += 1
        counts["of them with both met"] += piece.kind == "pairs" and len(after.hits) >= 2
        what = other.crashes or other.faults
        findings += [f"{canonical.title}: {what}: {each}" for each in judge(after.history)]
    return Share(dict(+counts), findings[:TOLD], time.process_time() - began)


def _end(canonical: Canonical, run: Run) -> list[str]:
    end = end_of(run)
    return [] if end == canonical.end else [f"{canonical.title}: ends {end}, not {canonical.end}"]


def _played(faulty: Iterable[Story]) -> Iterator[tuple[Story, Run]]:
    return ((story, play(story)) for story in faulty)


def main() -> int:
    """0 when every story holds."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.verification.simulation.stories", description=__doc__
    )
    wanted.add_argument(
        "--minutes", type=float, help="no new piece after this time; without: each piece once"
    )
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    wanted.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    options = wanted.parse_args()
    kept = figures("stories", resume=options.resume)
    todo = list(pieces(stories()))
    done = kept.counts.get(DONE, 0)
    rest = iter(todo[done:])
    if done >= len(todo) and options.minutes is not None:
        rest = more(stories(), done // len(stories()))
    kept.counts = {"stories": len(stories())} | kept.counts
    for share in in_order(tried, rest, options.workers, options.minutes):
        kept.add({DONE: 1, **share.counts}, None, share.findings, share.seconds)
        for finding in share.findings:
            sys.stdout.write(finding + "\n")
    sys.stdout.write(kept.line() + f" of work, {len(todo)} pieces make a whole\n")
    return 1 if kept.findings else 0


if __name__ == "__main__":
    sys.exit(main())
