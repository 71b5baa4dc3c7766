"""An update in the middle of it all: a crash at each effect of a till that closes, and updates by the hundred."""

from __future__ import annotations

import pytest

from tests.verification.simulation.canonical import crash_points
from tests.verification.simulation.checker import judge
from tests.verification.simulation.directed import OF_UPDATES
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.history import Closing
from tests.verification.simulation.run import play

SEEDS = [seed for seed in range(1, 1_400) if seed % 12 in (5, 8)]


@pytest.mark.parametrize("name", OF_UPDATES)
def test_killed_at_any_point_while_it_closes(name: str) -> None:
    """Before and after each commit and each call: what is under way is taken up, and nobody pays twice."""
    crashed = 0
    for story, run in crash_points(OF_UPDATES[name]):
        assert judge(run.history) == [], story.crashes
        crashed += 1
    assert crashed > 10


def test_the_till_is_asked_becomes_clear_and_is_replaced() -> None:
    """Else the judge would have nothing to look at."""
    (asked,) = play(OF_UPDATES["ends_under_a_customer"]).history.closings
    assert asked.clear_at is not None
    assert asked.clear_at > 11_000  # the customer pays at the eleventh second


def test_updates_of_many_shops() -> None:
    """Ordinary ones and heavy weather; some become clear, some not in their time."""
    closings: list[Closing] = []
    for seed in SEEDS:
        history = play(story_of(seed)).history
        assert judge(history) == [], seed
        closings += history.closings
    clear = sum(each.clear_at is not None for each in closings)
    assert len(closings) > 300
    assert 50 < clear < len(closings) - 20
