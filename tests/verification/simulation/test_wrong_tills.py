"""Every wrong till is caught: in a bounded number of seeds or by a directed story that the right one passes."""

from __future__ import annotations

import pytest

from tests.verification.simulation.checker import judge
from tests.verification.simulation.directed import DIRECTED, FOUND
from tests.verification.simulation.run import play
from tests.verification.simulation.wrong_tills import WRONG_TILLS, hunt, trap

SEEDS = 400
"""The slowest to be caught needs a quarter of them."""


def test_there_are_enough_of_them() -> None:
    """At least 25."""
    assert len(WRONG_TILLS) >= 25
    assert set(DIRECTED) <= set(WRONG_TILLS)


@pytest.mark.parametrize("name", WRONG_TILLS)
def test_a_wrong_till_is_caught(name: str) -> None:
    """By the judge."""
    caught = trap(name) if name in DIRECTED else hunt(name, most=SEEDS)
    assert caught.invariants, f"{name} passed {caught.seeds} seeds"


@pytest.mark.parametrize("name", DIRECTED)
def test_the_right_till_passes_the_story_that_catches_the_wrong_one(name: str) -> None:
    """Else the catch would prove nothing."""
    assert judge(play(DIRECTED[name]).history) == []


@pytest.mark.parametrize("name", FOUND)
def test_what_the_simulation_once_found_stays_mended(name: str) -> None:
    """Each bug found leaves its story behind."""
    assert judge(play(FOUND[name]).history) == []
