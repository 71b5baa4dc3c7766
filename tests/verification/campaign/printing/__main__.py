"""Figures in the last line.

python -m tests.verification.campaign.printing [--careers N | --minutes M] [--resume] [--workers 2]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
from pathlib import Path

import msgspec

from pos_app.ui.paper.offscreen import drawing
from tests.support.figures import Figures, figures
from tests.support.sandbox import Sandbox
from tests.verification.campaign.kills.career import Outcome, prepared
from tests.verification.campaign.printing.career import Career, Printed
from tests.verification.campaign.printing.device import Device

WORK = Path("build/printing")
GIVE_UP_S = 20


class Campaign:
    """Careers one after the other on each of some threads, each with a sandbox and a printer of its own."""

    def __init__(self, known: Figures, limit: int, limit_s: float) -> None:
        self._known = known
        self._limit = limit
        self._by = time.monotonic() + limit_s
        self._began = time.monotonic()
        self._next = known.counts.get("careers", 0)
        self._given = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._broken: list[BaseException] = []

    def run(self, workers: int) -> None:
        """Until enough are over or the time is up. Raises what a thread met."""
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
        return not self._stopping.is_set() and time.monotonic() < self._by

    def _seed(self) -> int | None:
        with self._lock:
            if not self._goes_on() or self._given >= self._limit:
                return None
            seed, self._next, self._given = self._next, self._next + 1, self._given + 1
            return seed

    def _lane(self, number: int) -> None:
        folder = WORK / f"lane-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        device = Device(folder / "printer")
        try:
            with Sandbox(config_dir=folder / "sandbox", switches={"approve_to_paid_s": 0}) as sandbox:
                device.switch_on()
                while (seed := self._seed()) is not None:
                    self._career(seed, sandbox, device, folder)
        except BaseException as error:
            self._broken.append(error)
            self._stopping.set()
            raise
        finally:
            device.kill()

    def _career(self, seed: int, sandbox: Sandbox, device: Device, lane: Path) -> None:
        folder = lane / f"career-{seed}"
        folder.mkdir(parents=True)
        sandbox.reset()
        config = prepared(lane / "sandbox", folder, GIVE_UP_S)
        career = Career(seed, sandbox, config, folder, self._goes_on, device)
        outcome = career.run()
        if outcome.findings:
            folder.rename(WORK / f"finding-{seed}-{int(time.time())}")
        else:
            shutil.rmtree(folder)
        with self._lock:
            self._add(outcome, career.printed)

    def _add(self, outcome: Outcome, printed: Printed | None) -> None:
        now = time.monotonic()
        on_paper = msgspec.structs.asdict(printed) if printed is not None else {}
        self._known.add(
            {
                "careers": 1,
                "kills of the till": sum(outcome.deaths.values()),
                "of them at random times": outcome.deaths["at random times"],
                "payments": outcome.payments,
                "paid": outcome.paid,
                **{name.replace("_", " "): count for name, count in on_paper.items()},
            },
            findings=outcome.findings,
            seconds=now - self._began,
        )
        self._began = now
        for finding in outcome.findings:
            print(finding, flush=True)


def main() -> int:
    """0 when nothing was found."""
    wanted = argparse.ArgumentParser(
        prog="python -m tests.verification.campaign.printing", description=__doc__
    )
    wanted.add_argument("--careers", type=int, default=0, help="so many more (default: as the time allows)")
    wanted.add_argument("--minutes", type=float, default=0.0, help="so long (default: 3, or until --careers)")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    wanted.add_argument("--workers", type=int, default=2, help="tills side by side (default: 2)")
    options = wanted.parse_args()
    minutes = options.minutes or (10_000.0 if options.careers else 3.0)
    known = figures("printing", resume=options.resume)
    try:
        with drawing():
            Campaign(known, options.careers or 10**9, minutes * 60).run(options.workers)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    print(known.line())
    return 1 if known.findings else 0


if __name__ == "__main__":
    sys.exit(main())
