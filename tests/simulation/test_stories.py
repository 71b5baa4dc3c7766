"""The canonical stories: each ends as the file says, whatever effect the till dies at, whatever call meets a fault."""

from __future__ import annotations

import pytest

from tests.simulation.canonical import Canonical, crash_points, end_of, several_faults, single_faults, stories
from tests.simulation.checker import judge
from tests.simulation.run import play

CALLS = range(1, 6)
"""The probe, the first send, the first asks; `make stories` goes through all of them."""


def _title(canonical: Canonical) -> str:
    return canonical.title.split(";")[0][:50]


def test_there_are_enough_of_them() -> None:
    """Forty at least, each with its own title."""
    assert len({canonical.title for canonical in stories()}) == len(stories()) >= 40


@pytest.mark.parametrize("canonical", stories(), ids=_title)
def test_a_story_ends_as_it_is_told(canonical: Canonical) -> None:
    """When nothing goes wrong."""
    run = play(canonical.story())
    assert judge(run.history) == []
    assert end_of(run) == canonical.end


@pytest.mark.parametrize("canonical", stories(), ids=_title)
def test_a_story_survives_a_crash_at_each_of_its_effects(canonical: Canonical) -> None:
    """Before and after the first, the second, … until there is none left."""
    count = 0
    for story, run in crash_points(canonical.story()):
        count += 1
        assert judge(run.history) == [], story.crashes
    assert count >= 10


@pytest.mark.parametrize("canonical", stories()[::6], ids=_title)
def test_a_story_survives_each_fault_at_its_first_calls(canonical: Canonical) -> None:
    """Every fault at every one of them."""
    for story in single_faults(canonical.story(), CALLS):
        assert judge(play(story).history) == [], story.faults


@pytest.mark.parametrize("canonical", stories(), ids=_title)
def test_a_story_survives_pairs_and_triples_of_faults(canonical: Canonical) -> None:
    """A few by chance."""
    for story in several_faults(canonical.story(), 8, 10, seed=1):
        assert judge(play(story).history) == [], story.faults
