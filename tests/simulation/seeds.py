"""Seeds by the thousand: each is played twice, judged, and counted; what is found is told as briefly as can be."""

from __future__ import annotations

import time
from collections import Counter

import msgspec

from tests.simulation.checker import judge
from tests.simulation.generate import story_of
from tests.simulation.run import Run, play
from tests.simulation.story import Story
from tests.simulation.verdict import Violation


class Failure(msgspec.Struct, frozen=True):
    """A seed that did not hold, and what did not."""

    seed: int
    what: tuple[str, ...]


class Figures(msgspec.Struct):
    """What a number of seeds came to; figures of several runs are added up."""

    seeds: int = 0
    ordinary: int = 0
    seconds: float = 0
    events: int = 0
    failures: list[Failure] = []
    known: list[Failure] = []
    """Seeds that met the one hole that is known and open; it is told apart, and told."""
    ordinary_sales: int = 0
    paid: int = 0
    waits: int = 0
    alerts: int = 0
    blocked: int = 0
    faults: dict[str, int] = {}

    def add(self, other: Figures) -> None:
        """Both together."""
        for name in (
            "seeds",
            "ordinary",
            "seconds",
            "events",
            "ordinary_sales",
            "paid",
            "waits",
            "alerts",
            "blocked",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failures = [*self.failures, *other.failures]
        self.known = [*self.known, *other.known]
        self.faults = dict(Counter(self.faults) + Counter(other.faults))

    def line(self) -> str:
        """One line for the end of a run."""
        rate = self.seeds / self.seconds if self.seconds else 0
        per = 1_000 / max(self.ordinary_sales, 1)
        return (
            f"{self.seeds} seeds, each twice, {rate:.0f} seeds/s/core, {self.events} events, "
            f"{len(self.failures)} violations, "
            f"{len(self.known)} times the known hole (I10, a pushed clock); of 1,000 sales in the ordinary shop "
            f"{self.paid * per:.1f} paid, {self.waits * per:.1f} in doubt, "
            f"{self.alerts * per:.1f} alerts, {self.blocked * per:.1f} blocked"
        )


def try_seeds(start: int, end: int) -> Figures:
    """The seeds from `start` up to `end`."""
    figures = Figures(failures=[], known=[], faults={})
    hits: Counter[str] = Counter()
    began = time.perf_counter()
    for seed in range(start, end):
        story = story_of(seed)
        run, again = play(story), play(story)
        figures.seeds += 1
        figures.events += run.events
        violations = judge(run.history)
        what = [str(violation) for violation in violations]
        if run.trace != again.trace:
            what.append("played again, it went another way")
        if what:
            known = len(what) == len(violations) and is_known(story, violations)
            (figures.known if known else figures.failures).append(Failure(seed, tuple(what)))
        if seed % 2 == 0:
            _count(figures, story, run)
        hits.update(f"{fault} × {operation}" for operation, fault in run.hits)
    figures.faults = dict(hits)
    figures.seconds = time.perf_counter() - began
    return figures


def is_known(story: Story, violations: list[Violation]) -> bool:
    """More codes than the limit because somebody pushed the clock forward and the till started again."""
    pushed = any(act.verb == "push_clock" and act.value > 0 for act in story.acts)
    return pushed and all(violation.invariant == "I10" for violation in violations)


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
