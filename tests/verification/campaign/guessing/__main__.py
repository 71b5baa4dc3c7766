"""Guesses at passcodes and codes.

python -m tests.verification.campaign.guessing [--minutes 3] [--seed N] [--resume]
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.support.figures import figures
from tests.verification.campaign.guessing.attack import evening

PIECE = 20


def main() -> int:
    """0 when no evening gave more tries, sooner tries or more messages than the limits."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.verification.campaign.guessing", description=__doc__
    )
    wanted.add_argument("--minutes", type=float, default=3.0)
    wanted.add_argument("--seed", type=int, help="this evening alone, with what was done in it")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    if options.seed is not None:
        attack = evening(options.seed)
        print(*attack.done, *attack.oracle.wrong, sep="\n")
        return 1 if attack.oracle.wrong else 0
    known = figures("guessing", resume=options.resume)
    ends = time.monotonic() + options.minutes * 60
    seed = known.counts.get("evenings", 0)
    while time.monotonic() < ends:
        began, findings, kills, deeds = time.monotonic(), [], 0, 0
        for _ in range(PIECE):
            attack = evening(seed)
            kills, deeds = kills + attack.victim.kills, deeds + len(attack.done)
            findings += [f"evening {seed}: {each}" for each in attack.oracle.wrong]
            seed += 1
        counts = {"evenings": PIECE, "deeds": deeds, "kills": kills}
        known.add(counts, findings=findings, seconds=time.monotonic() - began)
    print(*known.findings, known.line(), sep="\n")
    return 1 if known.findings else 0


if __name__ == "__main__":
    sys.exit(main())
