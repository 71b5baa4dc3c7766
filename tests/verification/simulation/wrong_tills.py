"""All wrong tills by name, and the hunt for each: how many seeds until the judge objects, and to what."""

from __future__ import annotations

import time
from types import ModuleType

import msgspec

from tests.verification.simulation import (
    wrong_answers,
    wrong_codes,
    wrong_days,
    wrong_deeds,
    wrong_drains,
    wrong_folders,
    wrong_lists,
    wrong_notes,
    wrong_papers,
    wrong_people,
    wrong_rights,
    wrong_stores,
)
from tests.verification.simulation.checker import judge
from tests.verification.simulation.directed import DIRECTED
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.planting import Plant, planted
from tests.verification.simulation.run import play


def _plants(module: ModuleType) -> dict[str, Plant]:
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__
    }


WRONG_TILLS: dict[str, Plant] = {
    **_plants(wrong_answers),
    **_plants(wrong_deeds),
    **_plants(wrong_codes),
    **_plants(wrong_rights),
    **_plants(wrong_folders),
    **_plants(wrong_people),
    **_plants(wrong_days),
    **_plants(wrong_papers),
    **_plants(wrong_lists),
    **_plants(wrong_notes),
    **_plants(wrong_drains),
    **_plants(wrong_stores),
}


class Catch(msgspec.Struct, frozen=True):
    """How a wrong till was caught: after so many seeds, by these invariants. No invariant: it got away."""

    name: str
    seeds: int
    seconds: float
    invariants: tuple[str, ...] = ()

    def line(self) -> str:
        """One row of the table."""
        how = ", ".join(self.invariants) or "NOT CAUGHT"
        by = f"{self.seeds:5} seeds" if self.seeds else "directed   "
        return f"{self.name:36} {by} {self.seconds:7.2f} s  {how}"


def trap(name: str) -> Catch:
    """The directed story for this bug."""
    began = time.perf_counter()
    with planted(WRONG_TILLS[name]):
        found = judge(play(DIRECTED[name]).history)
    invariants = tuple(sorted({violation.invariant for violation in found}))
    return Catch(name, 0, time.perf_counter() - began, invariants)


def hunt(name: str, *, most: int, start: int = 1) -> Catch:
    """Heavy seeds, one after the other, until one shows the bug."""
    began = time.perf_counter()
    with planted(WRONG_TILLS[name]):
        for count in range(1, most + 1):
            found = judge(play(story_of(start + 2 * (count - 1))).history)
            if found:
                invariants = tuple(sorted({violation.invariant for violation in found}))
                return Catch(name, count, time.perf_counter() - began, invariants)
    return Catch(name, most, time.perf_counter() - began)
