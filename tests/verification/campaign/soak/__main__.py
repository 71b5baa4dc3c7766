"""python -m tests.verification.campaign.soak [--payments 10000] [--minutes 60] [--resume]: one till sells for long."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import time
from pathlib import Path

from tests.support.figures import Figures, figures
from tests.support.sandbox import Sandbox
from tests.verification.campaign.soak.watch import Ended, Watch

WORK = Path("build/soak")


def soak(payments: int, minutes: float, folder: Path) -> Ended:
    """Sells so many in so long. A KeyboardInterrupt ends it early; what came until then is judged."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with Sandbox(config_dir=folder / "config", switches={"otp_sends": 10_000}) as sandbox:
        watch = Watch(sandbox, folder, payments, minutes * 60)
        try:
            with contextlib.suppress(KeyboardInterrupt):
                watch.sell()
            return watch.end()
        finally:
            watch.stop()


def note(known: Figures, ended: Ended, seconds: float) -> None:
    """One soak more in the figures."""
    known.add(
        {
            "soaks": 1,
            "payments": ended.payments,
            "paid": ended.paid,
            "rejected, failed or cancelled": ended.payments - ended.paid,
            "samples": ended.samples,
        },
        ended.worst,
        ended.findings,
        seconds,
    )


def main() -> int:
    """0 when nothing grew and nothing was lost."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.campaign.soak", description=__doc__)
    wanted.add_argument("--payments", type=int, default=10_000)
    wanted.add_argument("--minutes", type=float, default=60.0)
    wanted.add_argument("--resume", action="store_true", help="add to the figures of earlier soaks")
    options = wanted.parse_args()
    known, began = figures("soak", resume=options.resume), time.monotonic()
    ended = soak(options.payments, options.minutes, WORK)
    note(known, ended, time.monotonic() - began)
    print(*ended.findings, *ended.lines, known.line(), sep="\n")
    return 1 if known.findings else 0


if __name__ == "__main__":
    sys.exit(main())
