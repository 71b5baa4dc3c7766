"""One line at the end.

python -m tests.verification.campaign.proxy [--rounds N] [--minutes M] [--resume] [--case CELL NUMBER]
"""

from __future__ import annotations

import argparse
import signal
import sys
import time

from tests.support.figures import figures
from tests.verification.campaign.proxy import matrix
from tests.verification.campaign.proxy.campaign import Campaign, summary, table
from tests.verification.campaign.proxy.case import case_of
from tests.verification.campaign.proxy.faults import catalogue
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.story import play

DEFAULT_ROUNDS = 5
MOST_ROUNDS = 1_000_000


def main() -> int:
    """0 when nothing was found."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.campaign.proxy", description=__doc__)
    wanted.add_argument("--rounds", type=int, help=f"each cell so often (default: {DEFAULT_ROUNDS})")
    wanted.add_argument("--minutes", type=float, help="no further case after so long")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    wanted.add_argument("--case", nargs=2, metavar=("CELL", "NUMBER"), help="this one alone, as 21/S/push 17")
    options = wanted.parse_args()
    if options.case:
        return _again(options.case[0], int(options.case[1]))
    campaign = Campaign(figures("proxy", resume=options.resume))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: campaign.stop())
    rounds = options.rounds or (MOST_ROUNDS if options.minutes else DEFAULT_ROUNDS)
    until = time.monotonic() + options.minutes * 60 if options.minutes else float("inf")
    campaign.run(rounds, until)
    _say(
        *table(campaign.figures),
        *campaign.figures.findings[:40],
        campaign.footprint.line(),
        summary(campaign.figures).line(),
    )
    return 1 if campaign.figures.findings else 0


def _again(cell: str, number: int) -> int:
    known = {matrix.name(*each): each for each in matrix.cells()}
    with Shop() as shop:
        case = case_of(catalogue(shop.evil.address), number, known[cell])
        outcome = play(shop, shop.folder / "again", case)
        _say(f"{case}: {outcome.ended}", *outcome.findings, *shop.accidents.take())
    return 1 if outcome.findings else 0


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
