"""The table of wrong tills, by what each is caught and how fast.

python -m tests.verification.simulation.planted [--seeds 20000]
"""

from __future__ import annotations

import argparse
import sys

from tests.verification.simulation.directed import DIRECTED
from tests.verification.simulation.wrong_tills import WRONG_TILLS, hunt, trap

BESIDE = 300
"""Seeds tried for what a directed story catches as well: how often chance finds it is told, and needed no further."""


def main() -> int:
    """0 when every wrong till is caught."""
    wanted = argparse.ArgumentParser(prog="planted", description=__doc__)
    wanted.add_argument("--seeds", type=int, default=5_000, help="heavy seeds tried at the most for each")
    options = wanted.parse_args()
    by_seeds, got_away = 0, []
    for name in WRONG_TILLS:
        caught = hunt(name, most=min(options.seeds, BESIDE) if name in DIRECTED else options.seeds)
        sys.stdout.write(caught.line() + "\n")
        by_seeds += bool(caught.invariants)
        if name in DIRECTED:
            trapped = trap(name)
            sys.stdout.write(trapped.line() + "\n")
            caught = trapped if trapped.invariants else caught
        if not caught.invariants:
            got_away.append(name)
        sys.stdout.flush()
    missed = f", missed: {', '.join(got_away)}" if got_away else ""
    total = len(WRONG_TILLS)
    sys.stdout.write(
        f"{total - len(got_away)} of {total} wrong tills caught, {by_seeds} of them by seeds{missed}\n"
    )
    return 1 if got_away else 0


if __name__ == "__main__":
    sys.exit(main())
