"""A shop's month, told and judged: python -m tests.verification.month [--days 30] [--payments 9000] [--keep FOLDER]."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path
from tempfile import mkdtemp

from tests.support.in_memory import in_memory
from tests.verification.month.books import judge
from tests.verification.month.plan import plan
from tests.verification.month.shop import Shop


def main() -> int:
    """0 when every rupee of the month is where it is said to be."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.month", description=__doc__)
    wanted.add_argument("--days", type=int, default=30)
    wanted.add_argument("--payments", type=int, default=9_000)
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--keep", type=Path, help="the journal and the saved files stay in this folder")
    options = wanted.parse_args()
    if options.days < 3:
        wanted.error("a month has three days at the least: one to lose, one to find, one of calm")
    folder = options.keep or Path(mkdtemp(dir=in_memory()))
    shop = Shop(plan(options.days, options.payments, options.seed), folder)
    began = time.monotonic()

    def told(day: int) -> None:
        zs = sum(len(book.zs) for book in shop.books)
        sys.stdout.write(f"day {day + 1}: {zs} Zs, {time.monotonic() - began:.0f} s\n")
        sys.stdout.flush()

    try:
        shop.play(told)
        verdict = judge(shop)
    finally:
        shop.close()
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write("\n".join([*verdict.told, *verdict.findings, f"{len(verdict.findings)} findings", ""]))
    return 1 if verdict.findings else 0


if __name__ == "__main__":
    sys.exit(main())
