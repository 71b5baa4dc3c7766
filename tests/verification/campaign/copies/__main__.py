"""Figures in the last line.

python -m tests.verification.campaign.copies [--stories N | --minutes M] [--resume] [--workers 4]
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
from tests.verification.campaign.copies.case import Case, Outcome
from tests.verification.campaign.copies.counter import no_other_machine
from tests.verification.campaign.copies.story import story_of

WORK = Path("build/copies")


class Campaign:
    """Stories one after the other on each of some threads; a till mostly waits, so several share a core."""

    def __init__(self, known: Figures, limit: int, limit_s: float) -> None:
        self._known = known
        self._limit = limit
        self._by = time.monotonic() + limit_s
        self._began = time.monotonic()
        self._next = known.counts.get("stories", 0)
        self._given = 0
        self._lock = threading.Lock()
        self._broken: list[BaseException] = []
        self.stopping = threading.Event()

    def run(self, workers: int) -> None:
        """Until enough are told or the time is up; a story that was begun is told to its end."""
        lanes = [threading.Thread(target=self._lane, args=(number,)) for number in range(workers)]
        for lane in lanes:
            lane.start()
        try:
            for lane in lanes:
                lane.join()
        finally:
            self.stopping.set()
            for lane in lanes:
                lane.join()
        if self._broken:
            raise self._broken[0]

    def _seed(self) -> int | None:
        with self._lock:
            if self.stopping.is_set() or self._given >= self._limit or time.monotonic() > self._by:
                return None
            seed, self._next, self._given = self._next, self._next + 1, self._given + 1
            return seed

    def _lane(self, number: int) -> None:
        folder = WORK / f"lane-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            with Sandbox(config_dir=folder / "sandbox", switches={"approve_to_paid_s": 0}) as sandbox:
                while (seed := self._seed()) is not None:
                    self._tell(seed, sandbox, folder)
        except BaseException as error:
            self._broken.append(error)
            self.stopping.set()
            raise

    def _tell(self, seed: int, sandbox: Sandbox, lane: Path) -> None:
        folder = lane / f"story-{seed}"
        folder.mkdir(parents=True)
        sandbox.reset()
        story = story_of(seed, other_machines=not no_other_machine())
        try:
            outcome = Case(story, sandbox, lane / "sandbox", folder).run()
        except AssertionError as error:
            finding = f"{seed}: {story}: {error}"
            outcome = Outcome(story=story, findings=(finding,), processes=0, paid=0, damaged=0, told=0)
        if outcome.findings:
            folder.rename(WORK / f"finding-{seed}-{int(time.time())}")
        else:
            shutil.rmtree(folder)
        with self._lock:
            self._add(outcome)

    def _add(self, outcome: Outcome) -> None:
        now = time.monotonic()
        story = outcome.story
        self._known.add(
            {
                "stories": 1,
                "processes": outcome.processes,
                "payments paid": outcome.paid,
                "put back": int(story.fate == "put back"),
                "beside their twin": int(story.fate != "put back"),
                "on another machine": int(story.other_machine),
                "torn": outcome.damaged,
                "told of another copy": outcome.told,
            },
            findings=outcome.findings,
            seconds=now - self._began,
        )
        self._began = now
        for finding in outcome.findings:
            print(finding, flush=True)


def main() -> int:
    """0 when nothing was found."""
    wanted = argparse.ArgumentParser(prog="python -m tests.verification.campaign.copies", description=__doc__)
    wanted.add_argument("--stories", type=int, default=0, help="so many more (default: as the time allows)")
    wanted.add_argument("--minutes", type=float, default=0.0, help="so long (default: 3, or until --stories)")
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    wanted.add_argument("--workers", type=int, default=4, help="stories side by side (default: 4)")
    options = wanted.parse_args()
    minutes = options.minutes or (10_000.0 if options.stories else 3.0)
    known = figures("copies", resume=options.resume)
    try:
        Campaign(known, options.stories or 10**9, minutes * 60).run(options.workers)
    except KeyboardInterrupt:
        print("stopped", flush=True)
    why = no_other_machine()
    print(f"{known.line()}{f'; no other machine: {why}' if why else ''}")
    return 1 if known.findings else 0


if __name__ == "__main__":
    sys.exit(main())
