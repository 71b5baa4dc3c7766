"""python -m tests.verification.mutants.seeds COUNT: plays the simulation's first seeds; 1 when one of them objects."""

from __future__ import annotations

import sys

from tests.verification.simulation.seeds import try_seeds

PIECE = 20


def main() -> int:
    """Stops at the first piece with a failure: whoever asks only wants to know whether."""
    count = int(sys.argv[1])
    return int(any(try_seeds(first, min(first + PIECE, count)).failures for first in range(0, count, PIECE)))


if __name__ == "__main__":
    sys.exit(main())
