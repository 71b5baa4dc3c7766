"""Figures in the last line.

python -m tests.verification.campaign.kills [--kills N | --minutes M] [--resume] [--workers 4]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
from pathlib import Path

from tests.support.figures import Figures, figures
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills.career import Career, Outcome, prepared
from tests.verification.campaign.kills.points import ALL
from tests.verification.campaign.kills.tally import Tally, tally

WORK = Path("build/kills")
PATIENCES = (8, 20, 300)
"""Seconds until a till gives a payment up, career by career."""


class Campaign:
    """Careers one after the other on each of some threads; a till mostly waits, so several share a core."""

    def __init__(self, known: Figures, points: Tally, limit_kills: int, limit_s: float) -> None:
        self._known = known
        self._points = points
        self._limit_kills = limit_kills
        self._by = time.monotonic() + limit_s
        self._began = time.monotonic()
        self._kills = 0
        self._next = known.counts.get("careers", 0)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._broken: list[BaseException] = []

    def run(self, workers: int) -> None:
        """Until enough kills are made or the time is up. Raises what a thread met."""
        lanes = [threading.Thread(target=self._lane, args=(number,)) for number in range(workers)]
        for lane in lanes:
            lane.start()
        try:
            for lane in lanes:
                lane.join()
        finally:
            self._stopping.set()
            for lane in lanes:
                lane.join()
        if self._broken:
            raise self._broken[0]

    def _goes_on(self) -> bool:
        return not self._stopping.is_set() and self._kills < self._limit_kills and time.monotonic() < self._by

    def _lane(self, number: int) -> None:
        folder = WORK / f"lane-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            with Sandbox(config_dir=folder / "sandbox", switches={"otp_sends": 10_000}) as sandbox:
                while self._goes_on():
                    self._career(sandbox, folder)
        except BaseException as error:
            self._broken.append(error)
            self._stopping.set()
            raise

    def _career(self, sandbox: Sandbox, lane: Path) -> None:
        with self._lock:
            seed, self._next = self._next, self._next + 1
        folder = lane / f"career-{seed}"
        folder.mkdir(parents=True)
        sandbox.reset()
        config = prepared(lane / "sandbox", folder, PATIENCES[seed % len(PATIENCES)])
        outcome = Career(seed, sandbox, config, folder, self._goes_on).run()
        if outcome.findings:
            folder.rename(WORK / f"finding-{seed}-{int(time.time())}")
        else:
            shutil.rmtree(folder)
        with self._lock:
            self._add(outcome)

    def _add(self, outcome: Outcome) -> None:
        kills = sum(outcome.deaths.values())
        random = outcome.deaths["at random times"]
        self._kills += kills
        now = time.monotonic()
        self._known.add(
            {
                "kills": kills,
                "at named points": kills - random,
                "careers": 1,
                "payments": outcome.payments,
                "paid": outcome.paid,
            },
            {"back_s": max(outcome.back, default=0.0)},
            outcome.findings,
            now - self._began,
        )
        self._began = now
        self._points.add(outcome.deaths, outcome.back)
        for finding in outcome.findings:
            print(finding, flush=True)


def main() -> int:
    """0 when nothing was found."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.campaign.kills", description=__doc__)
    wanted.add_argument("--kills", type=int, default=0, help="so many more (default: as the time allows)")
    wanted.add_argument("--minutes", type=float, default=0.0, help="so long (default: 5, or until --kills)")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    wanted.add_argument(
        "--workers", type=int, default=4, help="tills side by side (default: 4, about a core)"
    )
    options = wanted.parse_args()
    minutes = options.minutes or (10_000.0 if options.kills else 5.0)
    known, points = figures("kills", resume=options.resume), tally(resume=options.resume)
    try:
        Campaign(known, points, options.kills or 10**9, minutes * 60).run(options.workers)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    print(points.table(ALL))
    print(f"{known.line()}; back within {points.back_s(0.5)} s (half), {points.back_s(0.95)} s (95 %)")
    return 1 if known.findings else 0


if __name__ == "__main__":
    sys.exit(main())
