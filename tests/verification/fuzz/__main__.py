"""Every place where the till reads, within the time.

python -m tests.verification.fuzz [--minutes 4] [--target NAME…] [--resume]
"""

from __future__ import annotations

import argparse
import platform
import sys

from tests.support.figures import Figures, figures
from tests.verification.fuzz.fuzzing import fuzz
from tests.verification.fuzz.targets import TARGETS

OWN = {"sandbox": 0.12, "machine": 0.12}
"""Targets with a run of their own, and their shares of the time."""
NAMES = (*TARGETS, *OWN)


def main() -> int:
    """0 when nothing was found."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.fuzz", description=__doc__)
    wanted.add_argument("--minutes", type=float, default=4.0, help="for all targets together (default: 4)")
    wanted.add_argument(
        "--target", action="append", choices=NAMES, help="one of them; more than once for more"
    )
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    shares = {name: TARGETS[name].share if name in TARGETS else OWN[name] for name in options.target or NAMES}
    whole = sum(shares.values())
    found = 0
    for name, share in shares.items():
        kept = figures(f"fuzz-{name}", resume=options.resume)
        try:
            _run(name, options.minutes * 60 * share / whole, kept)
        finally:
            print(kept.line(), flush=True)
        for line in kept.findings:
            print(f"  {line}", flush=True)
        found += len(kept.findings)
    return 1 if found else 0


def _run(name: str, seconds: float, kept: Figures) -> None:
    if name == "sandbox":
        from tests.verification.fuzz.sandbox_run import storm

        storm(seconds, kept)
    elif name == "machine":
        from tests.verification.fuzz.machine_run import drive

        drive(seconds, kept)
    else:
        if not can_guide():
            print(f"{name}: unguided, the engine is there on Linux x86-64 alone", flush=True)
        fuzz(TARGETS[name], seconds, kept, guided=can_guide())


def can_guide() -> bool:
    """Whether the fuzzing engine can be there."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


if __name__ == "__main__":
    sys.exit(main())
