"""Real tills on disks that fail at write n.

python -m tests.verification.campaign.disk.faults [--points N | --minutes M] [--resume]

For each deed and each way to fail, every n until a run has met no fault: those are all the points there are. They are
tried in turns and with gaps that later passes fill, so that a short run has tried some of each and of all their length.
--resume goes on behind those tried before.
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

from tests.support.figures import KEPT, Figures, figures
from tests.support.sandbox import Sandbox
from tests.verification.campaign.disk import layer
from tests.verification.campaign.disk.deeds import DEEDS
from tests.verification.campaign.disk.faulty import KINDS, Point, Tried, attempt_at
from tests.verification.campaign.disk.windows import WINDOWS, attempt_window

SIDE_BY_SIDE = 6
"""A payment is mostly waiting for its first ask: one core carries this many."""
WINDOW_EVERY = 60
"""Points to one try of the window."""
_TURNS = KEPT / "disk-turns.json"
FIRSTS = (1, 5, 3, 7, 2, 6, 4, 8)
"""n = 1, 9, 17, …, then n = 5, 13, …: all of them in the end, and far apart while there is not the time."""
ALL = tuple(itertools.product(DEEDS, KINDS))


class Turn(msgspec.Struct):
    """Where the points of one deed and kind have come to: the next n, and how many passes are behind it."""

    n: int = 1
    passed: int = 0

    @property
    def over(self) -> bool:
        """Whether every n was tried."""
        return self.passed == len(FIRSTS)

    def is_of_this_pass(self, n: int) -> bool:
        """Several are under way at a time: the last of a pass may come back after the pass is over."""
        return not self.over and n % len(FIRSTS) == FIRSTS[self.passed] % len(FIRSTS)

    def missed(self, n: int) -> None:
        """The run was over before its n-th write: so are all further ones of this pass."""
        if self.is_of_this_pass(n):
            self.passed += 1
            self.n = FIRSTS[self.passed] if not self.over else 0


class Turns(msgspec.Struct):
    """The turns of all deeds and kinds by their names."""

    of: dict[str, Turn] = {}

    def points(self) -> Iterator[Point]:
        """Each deed and kind in turn, over and over, until all are through."""
        while any(not self._turn(deed, kind).over for deed, kind in ALL):
            for deed, kind in ALL:
                turn = self._turn(deed, kind)
                if not turn.over:
                    n, turn.n = turn.n, turn.n + len(FIRSTS)
                    yield Point(deed, kind, n)

    def _turn(self, deed: str, kind: str) -> Turn:
        return self.of.setdefault(f"{deed}, {kind}", Turn())

    def missed(self, point: Point) -> None:
        """The run was over before its n-th write."""
        self._turn(point.deed, point.kind).missed(point.n)

    def keep(self, under_way: Iterable[Point]) -> None:
        """So that a run that is broken off tries again what it had not finished."""
        kept = {name: Turn(turn.n, turn.passed) for name, turn in self.of.items()}
        for point in under_way:
            turn = kept[f"{point.deed}, {point.kind}"]
            if turn.is_of_this_pass(point.n):
                turn.n = min(turn.n, point.n)
        _TURNS.parent.mkdir(parents=True, exist_ok=True)
        _TURNS.write_bytes(msgspec.json.encode(Turns(kept)))


def main() -> int:
    """0 when no point found anything."""
    wanted = argparse.ArgumentParser(prog="faults", description=__doc__)
    wanted.add_argument("--points", type=int, default=0, help="end after so many (default: all)")
    wanted.add_argument("--minutes", type=float, default=0.0)
    wanted.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    options = wanted.parse_args()
    turns = Turns(of={})
    if options.resume and _TURNS.exists():
        turns = msgspec.json.decode(_TURNS.read_bytes(), type=Turns)
    found = figures("disk", resume=options.resume)
    run(turns, found, options.points, options.minutes * 60)
    print(*found.findings[:20], found.line(), sep="\n", flush=True)
    return 1 if found.findings else 0


def run(turns: Turns, found: Figures, most: int, seconds: float) -> None:
    """Points side by side until there are so many, or the time is over, or all are tried."""
    layer.built()
    ends = time.monotonic() + seconds if seconds else float("inf")
    with tempfile.TemporaryDirectory(prefix="disk-") as kept:
        config = Path(kept) / "config"
        config.mkdir()
        switches = {"approve_to_paid_s": 0, "otp_sends": 100_000}
        with (
            Sandbox(config_dir=config, switches=switches) as sandbox,
            ThreadPoolExecutor(SIDE_BY_SIDE) as pool,
        ):
            under_way: dict[Future[Tried], Point] = {}
            points = zip(itertools.count(), turns.points(), strict=False)
            for count, point in points:
                folder, number = Path(kept) / f"{count}", f"+9477{count:07d}"
                under_way[pool.submit(attempt_at, point, folder, sandbox, config, number)] = point
                if len(under_way) >= SIDE_BY_SIDE:
                    _collect(under_way, turns, found)
                if count % WINDOW_EVERY == WINDOW_EVERY // 2:
                    _window(Path(kept), found)
                if (most and count + 1 >= most) or time.monotonic() >= ends:
                    break
            while under_way:
                _collect(under_way, turns, found)


def _window(kept: Path, found: Figures) -> None:
    """The next of the ways for the window, in turn."""
    began, done = time.monotonic(), found.counts.get("windows", 0)
    kind, when = WINDOWS[done % len(WINDOWS)]
    findings = attempt_window(kind, when, kept / f"window-{done}")
    found.add({"windows": 1}, findings=findings, seconds=time.monotonic() - began)


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
