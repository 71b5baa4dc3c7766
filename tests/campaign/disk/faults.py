"""python -m tests.campaign.disk.faults [--points N | --minutes M] [--resume]: real tills on disks that fail at write n.

For each deed and each way to fail, n = 1, 2, 3 … until a run has met no fault: those are all the points there are. They
are tried in turns, so that a short run has tried the first ones of each. --resume goes on behind those tried before.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

import msgspec

from tests.campaign.disk.deeds import DEEDS
from tests.campaign.disk.faulty import KINDS, Point, Tried, attempt_at
from tests.support.figures import KEPT, Figures, figures
from tests.support.sandbox import Sandbox

SIDE_BY_SIDE = 6
"""A payment is mostly waiting for its first ask: one core carries this many."""
_TURNS = KEPT / "disk-turns.json"


class Turns(msgspec.Struct):
    """The next n of each deed and kind; 0 when all its points were tried."""

    next: dict[str, int] = {}

    def points(self) -> Iterator[Point]:
        """Each deed and kind in turn, over and over, until all are through."""
        while True:
            tried = 0
            for deed, kind in itertools.product(DEEDS, KINDS):
                name = f"{deed}, {kind}"
                n = self.next.get(name, 1)
                if n:
                    tried += 1
                    self.next[name] = n + 1
                    yield Point(deed, kind, n)
            if not tried:
                return

    def keep(self, under_way: Iterable[Point]) -> None:
        """So that a run that is broken off tries again what it had not finished."""
        kept = dict(self.next)
        for point in under_way:
            name = f"{point.deed}, {point.kind}"
            kept[name] = min(kept[name] or point.n, point.n)
        _TURNS.write_bytes(msgspec.json.encode(Turns(kept)))

    def missed(self, point: Point) -> None:
        """The run was over before its n-th write."""
        self.next[f"{point.deed}, {point.kind}"] = 0


def main() -> int:
    """0 when no point found anything."""
    wanted = argparse.ArgumentParser(prog="faults", description=__doc__)
    wanted.add_argument("--points", type=int, default=0, help="end after so many (default: all)")
    wanted.add_argument("--minutes", type=float, default=0.0)
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    turns = Turns(next={})
    if options.resume and _TURNS.exists():
        turns = msgspec.json.decode(_TURNS.read_bytes(), type=Turns)
    found = figures("disk", resume=options.resume)
    run(turns, found, options.points, options.minutes * 60)
    print(*found.findings[:20], found.line(), sep="\n", flush=True)
    return 1 if found.findings else 0


def run(turns: Turns, found: Figures, most: int, seconds: float) -> None:
    """Points side by side until there are so many, or the time is over, or all are tried."""
    ends = time.monotonic() + seconds if seconds else float("inf")
    with tempfile.TemporaryDirectory(prefix="disk-") as kept, ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        config = Path(kept) / "config"
        config.mkdir()
        switches = {"approve_to_paid_s": 0, "otp_sends": 100_000}
        with Sandbox(config_dir=config, switches=switches) as sandbox:
            under_way: dict[Future[Tried], Point] = {}
            points = zip(itertools.count(), turns.points(), strict=False)
            for count, point in points:
                folder, number = Path(kept) / f"{count}", f"+9477{count:07d}"
                under_way[pool.submit(attempt_at, point, folder, sandbox, config, number)] = point
                if len(under_way) >= SIDE_BY_SIDE:
                    _collect(under_way, turns, found)
                if (most and count + 1 >= most) or time.monotonic() >= ends:
                    break
            while under_way:
                _collect(under_way, turns, found)


def _collect(under_way: dict[Future[Tried], Point], turns: Turns, found: Figures) -> None:
    """Waits for one and adds it to the figures."""
    began = time.monotonic()
    for over in wait(under_way, return_when=FIRST_COMPLETED).done:
        point, tried = under_way.pop(over), over.result()
        if not tried.hit:
            turns.missed(point)
        counts = Counter(
            {"points": int(tried.hit), "runs": 1, "sent": tried.sent, point.deed: int(tried.hit)}
        )
        found.add(counts, findings=tried.findings, seconds=time.monotonic() - began)
        turns.keep(under_way.values())


if __name__ == "__main__":
    sys.exit(main())
