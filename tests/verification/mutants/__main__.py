"""python -m tests.verification.mutants [--minutes 4] [--resume] [--only flow]: who notices small wrong changes."""

from __future__ import annotations

import argparse
import signal
import sys
import time

import msgspec

from tests.support.figures import figures
from tests.verification.mutants.accepted import Page, accepted
from tests.verification.mutants.areas import AREAS, SAMPLE
from tests.verification.mutants.lines import examine
from tests.verification.mutants.mutant import NOTICED, Mutant, Verdict
from tests.verification.mutants.telling import meaning, score, table, told, too_little


def main() -> int:
    """0 when enough is noticed of each area."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.mutants", description=__doc__)
    wanted.add_argument("--minutes", type=float, help="for all areas together; without --resume, of a sample")
    wanted.add_argument("--resume", action="store_true", help="only what no earlier run has tried")
    wanted.add_argument("--only", choices=[area.name for area in AREAS], action="append")
    options = wanted.parse_args()
    for sign in (signal.SIGINT, signal.SIGTERM):
        # Started in the background it would ignore the one and die of the other, and leave a test run behind.
        signal.signal(sign, _stop)
    areas = [area for area in AREAS if not options.only or area.name in options.only]
    whole = sum(area.full_minutes for area in areas)
    began = time.monotonic()
    page = accepted()
    everything: list[Mutant] = []
    findings: list[str] = []
    scores: dict[str, int] = {}
    sampled = options.minutes is not None and not options.resume
    for area in areas:
        share = None if options.minutes is None else options.minutes * 60 * area.full_minutes / whole
        if sampled:
            area = msgspec.structs.replace(area, folder=SAMPLE)
        mutants = examine(area, share, resume=options.resume)
        unknown = map(told, page.unexplained(mutants))
        print(*unknown, *table(area.name, mutants, page), sep="\n", flush=True)
        scores[f"% {area.name}"] = int(score(meaning(mutants, page)))
        findings += too_little(area.name, mutants, page)
        everything += mutants
    total = figures("mutants_sample" if sampled else "mutants", resume=False)
    total.add(_counts(everything, page) | scores, findings=findings, seconds=time.monotonic() - began)
    print(*findings, total.line(), sep="\n", flush=True)
    return 1 if findings else 0


def _stop(sign: int, frame: object) -> None:
    del frame
    raise SystemExit(128 + sign)


def _counts(mutants: list[Mutant], page: Page) -> dict[str, int]:
    survivors = [mutant for mutant in mutants if mutant.verdict is Verdict.SURVIVED]
    return {
        "mutants": len(mutants),
        "noticed": sum(mutant.verdict in NOTICED for mutant in mutants),
        "survivors": len(survivors),
        "survivors without a reason": len(page.unexplained(survivors)),
        "untried": sum(mutant.verdict is Verdict.UNTRIED for mutant in mutants),
    }


if __name__ == "__main__":
    sys.exit(main())
