"""Each harm must be told with its place.

python -m tests.verification.campaign.tampering [--flips N] [--minutes M] [--resume]
"""

from __future__ import annotations

import argparse
import contextlib
import random
import signal
import sys
import time
from types import FrameType

from tests.support.figures import Figures, figures
from tests.verification.campaign.tampering import harm
from tests.verification.campaign.tampering.judging import Bench
from tests.verification.campaign.tampering.specimens import Specimen, memory, specimens

DEFAULT_FLIPS = 5_000
_PIECE = 200
_BLOW_EVERY = 10
"""One harm of another kind to so many flips."""
_LONG_EVERY = 8
"""One of the long journals to so many short ones: they take ten times as long."""


class _Enough(BaseException):
    """The run is to end; what was counted stays."""


def _end(_number: int, _frame: FrameType | None) -> None:
    raise _Enough


def main() -> int:
    """0 when everything was told."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.verification.campaign.tampering", description=__doc__
    )
    wanted.add_argument(
        "--flips", type=int, help=f"so many flipped bits in this run (default: {DEFAULT_FLIPS})"
    )
    wanted.add_argument("--minutes", type=float, help="no further piece after so long")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    flips = options.flips or (sys.maxsize if options.minutes else DEFAULT_FLIPS)
    until = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    kept = figures("tampering", resume=options.resume)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    with contextlib.suppress(_Enough):
        _run(kept, flips, until)
    for finding in kept.findings[:40]:
        sys.stdout.write(f"{finding}\n")
    rate = kept.counts.get("flips", 0) / kept.seconds if kept.seconds else 0
    sys.stdout.write(f"{kept.line()}, {rate:.0f} flips/s\n")
    return 1 if kept.findings else 0


def _run(kept: Figures, flips: int, until: float) -> None:
    made = specimens()
    with memory() as folder:
        bench = Bench(folder)
        done = 0
        while done < flips and time.monotonic() < until:
            piece = min(_PIECE, flips - done)
            _piece(kept, bench, made, piece)
            done += piece


def _piece(kept: Figures, bench: Bench, made: list[Specimen], flips: int) -> None:
    # Where the figures stand is where the chance goes on: no run repeats another.
    chance = random.Random(f"tampering {kept.counts.get('flips', 0)}")
    began = time.monotonic()
    counts: dict[str, int] = {"flips": flips}
    findings = []
    for number in range(flips):
        long = number % _LONG_EVERY == 0
        specimen = chance.choice(made[6:] if long else made[:6])
        findings += _one(bench, specimen, harm.flip(chance, specimen), "flips", counts)
        if number % _BLOW_EVERY == 0:
            specimen = chance.choice(made)
            kind = chance.choice(harm.BLOWS)
            name = kind.__name__
            counts[name] = counts.get(name, 0) + 1
            findings += _one(bench, specimen, kind(chance, specimen), name, counts)
    kept.add(counts, findings=findings, seconds=time.monotonic() - began)


def _one(bench: Bench, specimen: Specimen, harmed: harm.Harm, kind: str, counts: dict[str, int]) -> list[str]:
    verdict = bench.judge(specimen, harmed.files, harmed.key)
    if verdict.told:
        key = f"{kind} told"
    elif verdict.touched:
        key = f"{kind} NOT told"
    else:
        key = f"{kind} without content"
    counts[key] = counts.get(key, 0) + 1
    return [f"{specimen.name}: {harmed.what}: {verdict.finding}"] if verdict.finding else []


if __name__ == "__main__":
    sys.exit(main())
