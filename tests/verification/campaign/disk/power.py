"""Power cuts by the thousand, each examined.

python -m tests.verification.campaign.disk.power [--images N | --minutes M] [--resume]

A recording at a time: tills of the simulation, seed by seed, on good disks and on failing ones, and now and then a
real till with the sandbox. `--seed N` tries one seed whole; --plant normal shows that a lost commit is found.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.support.figures import Figures, figures
from tests.support.sandbox import Sandbox
from tests.verification.campaign.disk.images import lay, quick_folder
from tests.verification.campaign.disk.recording import RecordError, Recording, cuts, of_real_till, of_seed

OF_A_RECORDING = 240
REAL_EVERY = 12
FAILS = ("sync 5", "write 28", "write 5", "write -1", "write 30")


def main() -> int:
    """0 when every image was what it should be."""
    wanted = argparse.ArgumentParser(prog="power", description=__doc__)
    wanted.add_argument("--images", type=int, default=0, help="end after so many (default: 2000)")
    wanted.add_argument("--minutes", type=float, default=0.0)
    wanted.add_argument("--resume", action="store_true", help="add to the figures of the last run")
    wanted.add_argument("--seed", type=int, help="this one, every image of it")
    wanted.add_argument("--plant", action="append", default=[], choices=("often", "normal", "ahead"))
    options = wanted.parse_args()
    name = "power" if options.seed is None else "power-seed"
    with Campaign(figures(name, resume=options.resume)) as campaign:
        if options.seed is not None:
            recording = of_seed(options.seed, campaign.fresh("seed"), options.plant)
            campaign.take(recording, Random(options.seed), 0)
        else:
            campaign.run(options.images or (0 if options.minutes else 2_000), options.minutes * 60)
    found = campaign.found
    print(*found.findings[:20], found.line(), sep="\n", flush=True)
    return 1 if found.findings else 0


class Campaign:
    """Owns the folder of the runs, the sandbox of the real tills, and the figures."""

    def __init__(self, found: Figures) -> None:
        self.found = found
        _clear_after_the_killed()
        self._kept = tempfile.TemporaryDirectory(prefix=f"power-{os.getpid()}-", dir=quick_folder())
        self._folder = Path(self._kept.name)
        self._sandbox: Sandbox | None = None
        self._count = 0

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sandbox is not None:
            self._sandbox.stop()
        self._kept.cleanup()

    def fresh(self, name: str) -> Path:
        """A new folder."""
        self._count += 1
        return self._folder / f"{name}-{self._count}"

    def run(self, images: int, seconds: float) -> None:
        """Recordings one after the other until there are so many images, or the time is over."""
        before, began = self.found.counts.get("images", 0), time.monotonic()
        for number in self._numbers():
            recording = self._record(number)
            self.take(recording, Random(number), OF_A_RECORDING)
            enough = images and self.found.counts.get("images", 0) - before >= images
            if enough or (seconds and time.monotonic() - began >= seconds):
                return

    def _numbers(self) -> Iterator[int]:
        number = self.found.counts.get("recordings", 0)
        while True:
            yield number
            number += 1

    def _record(self, number: int) -> Recording:
        if number % REAL_EVERY == REAL_EVERY - 1:
            return of_real_till(self.fresh("till"), self._served(), self._config)
        dice = Random(number)
        plants = ["often"] if dice.random() < 0.5 else []
        fail = ""
        if dice.random() < 0.4:
            first = dice.randrange(1, 250)
            fail = f"{dice.choice(FAILS)} {first if dice.random() < 0.7 else first // 6 + 1} {dice.randrange(1, 4)}"
        return of_seed(number, self.fresh("seed"), plants, fail)

    @property
    def _config(self) -> Path:
        return self._folder / "config"

    def _served(self) -> Sandbox:
        if self._sandbox is None:
            self._config.mkdir()
            switches = {"approve_to_paid_s": 0, "otp_sends": 10_000}
            self._sandbox = Sandbox(config_dir=self._config, switches=switches).start()
        return self._sandbox

    def take(self, recording: Recording, dice: Random, most: int) -> None:
        """Examines the images of a recording, adds them to the figures, and throws the recording away."""
        began = time.monotonic()
        counts: Counter[str] = Counter({"recordings": 1, "images": 0, "of a real till": 0})
        findings = []
        try:
            for place, cut, files, judge in cuts(recording, self._config, dice, most):
                with tempfile.TemporaryDirectory(dir=self._folder) as folder:
                    lay(files, Path(folder))
                    found = judge(Path(folder))
                findings += [f"{place}, {cut}: {text.replace(folder, '')}" for text in found]
                counts.update(["images", cut.value, *(["of a real till"] if recording.real else [])])
        except RecordError as error:
            findings.append(str(error))
        self.found.add(counts, findings=findings, seconds=time.monotonic() - began)


def _clear_after_the_killed() -> None:
    """What a campaign that was killed has left in memory; its process id is in the name."""
    for left in (quick_folder() or Path(tempfile.gettempdir())).glob("power-*-*"):
        if not Path(f"/proc/{left.name.split('-')[1]}").exists():
            shutil.rmtree(left, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
