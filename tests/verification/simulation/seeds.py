"""Seeds by the thousand: each is played twice, judged, and counted; some once more on the real journal."""

from __future__ import annotations

import gc
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace

from tests.verification.simulation.checker import judge
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.on_disk import on_disk
from tests.verification.simulation.run import Run, play
from tests.verification.simulation.story import CrashAt, Story

ON_DISK = 101
"""One seed in so many is played on SQLite as well; odd, so that ordinary and heavy ones take turns."""


class Failure(msgspec.Struct, frozen=True):
    """A seed that did not hold, and what did not."""

    seed: int
    what: tuple[str, ...]


class Figures(msgspec.Struct):
    """What a number of seeds came to; figures of several runs are added up. `seconds` are one core's."""

    seeds: int = 0
    ordinary: int = 0
    on_disk: int = 0
    torn: int = 0
    seconds: float = 0
    events: int = 0
    ordinary_sales: int = 0
    paid: int = 0
    waits: int = 0
    alerts: int = 0
    blocked: int = 0
    failures: list[Failure] = []
    faults: dict[str, int] = {}

    def add(self, other: Figures) -> None:
        """Both together."""
        for name in self.__struct_fields__:
            if name not in ("failures", "faults"):
                setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures = [*self.failures, *other.failures]
        self.faults = dict(Counter(self.faults) + Counter(other.faults))

    def line(self) -> str:
        """One line for the end of a run."""
        seconds, per = self.seconds or 1, 1_000 / max(self.ordinary_sales, 1)
        return (
            f"simulation: {self.seeds:,} seeds, each twice, {self.events:,} events, "
            f"{self.on_disk:,} of them on SQLite too, {self.torn:,} torn commits, "
            f"{len(self.failures)} violations; {self.seeds / seconds:.0f} seeds and "
            f"{2 * self.events / seconds:,.0f} events a second a core; {len(self.faults)} faults × operations, "
            f"the rarest {min(self.faults.values(), default=0):,} times; "
            f"of 1,000 sales in the ordinary shop {self.paid * per:.1f} paid, {self.waits * per:.1f} in doubt, "
            f"{self.alerts * per:.1f} alerts, {self.blocked * per:.1f} blocked"
        )


def try_seeds(start: int, end: int) -> Figures:
    """The seeds from `start` up to `end`."""
    figures = Figures(failures=[], faults={})
    hits: Counter[str] = Counter()
    began = time.process_time()
    gc.disable()
    try:
        for seed in range(start, end):
            _try(seed, figures, hits)
    finally:
        gc.enable()
    figures.faults = dict(hits)
    figures.seconds = time.process_time() - began
    return figures


def _try(seed: int, figures: Figures, hits: Counter[str]) -> None:
    story = story_of(seed)
    run = play(story)
    what = [str(violation) for violation in judge(run.history)]
    if run.trace != play(story).trace:
        what.append("played again, it went another way")
    if seed % ON_DISK == 0:
        # Most die in a commit too, so that there is one to be torn.
        deaths = (*story.crashes, CrashAt(2 + seed // ON_DISK % 20, after=False))
        mortal = replace(story, crashes=deaths)
        with TemporaryDirectory() as folder:
            differs, torn = on_disk(mortal, play(mortal).trace, Path(folder))
        what += differs
        figures.on_disk += 1
        figures.torn += torn
    if what:
        figures.failures.append(Failure(seed, tuple(what)))
    if seed % 2 == 0 and not story.staffed:
        # Who had to come back to a locked till says nothing of the rules of payment.
        _count(figures, story, run)
    figures.seeds += 1
    figures.events += run.events
    hits.update(f"{fault} × {operation}" for operation, fault in run.hits)


def _count(figures: Figures, story: Story, run: Run) -> None:
    """How often the rules made somebody of the ordinary shop wait, look or give way."""
    figures.ordinary += 1
    figures.ordinary_sales += len(story.sales)
    paid, waits, alerts = set(), set(), set()
    for journal in run.history.journals.values():
        for each in journal:
            attempt = each.record.attempt
            if attempt is None:
                continue
            if "PAID" in each.record.path:
                paid.add(attempt.sale_id)
            if {"IN_DOUBT", "UNRESOLVED"}.intersection(each.record.path):
                waits.add(attempt.sale_id)
            if attempt.needs_answer:
                alerts.add(attempt.sale_id)
    figures.paid += len(paid)
    figures.waits += len(waits)
    figures.alerts += len(alerts)
    figures.blocked += len({place for place, why in run.declined if why != "looks_like_one_already_open"})
