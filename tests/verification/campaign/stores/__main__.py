"""Figures in the last line.

python -m tests.verification.campaign.stores [--rounds N | --minutes M] [--resume]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.support.figures import Figures, figures
from tests.verification.campaign.stores.chaos import Round, fresh
from tests.verification.campaign.stores.store import Store

ROUNDS_A_STORE = 20
"""Then a new one: a store grows, and what is put back with it."""


def play(known: Figures, most: int, limit_s: float) -> None:
    """Rounds one after the other, until enough are over or the time is up."""
    by, given = time.monotonic() + limit_s, 0
    with tempfile.TemporaryDirectory(prefix="pos-chaos-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        folder.chmod(0o755)
        while given < most and time.monotonic() < by:
            store = Store(fresh(folder / "stores") / "store")
            store.init()
            store.start()
            try:
                for _ in range(min(ROUNDS_A_STORE, most - given)):
                    if time.monotonic() >= by:
                        break
                    _round(known, store, folder)
                    given += 1
            finally:
                store.end()


def _round(known: Figures, store: Store, folder: Path) -> None:
    began, seed = time.monotonic(), known.counts.get("rounds", 0)
    own = fresh(folder / "round")
    played = Round(seed, store, own)
    played.play()
    for finding in played.findings:
        print(finding, flush=True)
    shutil.rmtree(own, ignore_errors=True)
    seconds = time.monotonic() - began
    known.add({"rounds": 1, **played.counts}, {"round_s": seconds}, played.findings, seconds)


def main() -> int:
    """0 when nothing was found."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.campaign.stores", description=__doc__)
    wanted.add_argument("--rounds", type=int, default=0, help="so many more (default: as the time allows)")
    wanted.add_argument("--minutes", type=float, default=0.0, help="so long (default: 1, or until --rounds)")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    minutes = options.minutes or (10_000.0 if options.rounds else 1.0)
    known = figures("stores", resume=options.resume)
    try:
        play(known, options.rounds or 10**9, minutes * 60)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    print(known.line())
    return 1 if known.findings else 0


if __name__ == "__main__":
    sys.exit(main())
