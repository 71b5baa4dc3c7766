"""The canonical stories: each ends as the file says, whatever effect the till dies at, whatever call meets a fault."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.verification.simulation.canonical import (
    Canonical,
    crash_points,
    end_of,
    ordered_pairs,
    single_faults,
    stories,
    triples,
)
from tests.verification.simulation.checker import judge
from tests.verification.simulation.run import play
from tests.verification.simulation.stories import Piece, pieces, tried

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


@pytest.mark.parametrize("canonical", stories()[::3], ids=_title)
def test_a_story_survives_a_crash_at_each_of_its_effects(canonical: Canonical) -> None:
    """Before and after the first, the second, … until there is none left."""
    count = 0
    for story, run in crash_points(canonical.story()):
        count += 1
        assert judge(run.history) == [], story.crashes
    assert count >= 10


@pytest.mark.parametrize("canonical", stories()[::9], ids=_title)
def test_a_story_survives_each_fault_at_its_first_calls(canonical: Canonical) -> None:
    """Every fault at every one of them."""
    for story in single_faults(canonical.story(), CALLS):
        assert judge(play(story).history) == [], story.faults


@pytest.mark.parametrize("canonical", stories(), ids=_title)
def test_a_story_survives_triples_of_faults(canonical: Canonical) -> None:
    """A few by chance."""
    for story in triples(canonical.story(), 8, 10, seed=1):
        assert judge(play(story).history) == [], story.faults


def test_a_push_survives_every_ordered_pair_of_faults_at_its_first_calls() -> None:
    """All of them are met: the first at the send, the second at the first ask."""
    met = set()
    for story in islice(ordered_pairs(stories()[0].story(), ("initiate", 1), ("status", 1)), 0, None, 7):
        run = play(story)
        assert judge(run.history) == [], story.faults
        met.add(tuple(run.hits[:2]))
    assert len(met) > 100


def test_stories_are_tried_piece_by_piece() -> None:
    """Each kind of piece plays what it says, and a second of the same place is not one of the first."""
    kinds = [each.kind for each in pieces(stories()[:2])]
    assert {"crashes", "singles", "pairs", "triples"} == set(kinds)
    share = tried(Piece(0, "crashes"))
    assert share.counts["crash points"] > 10
    assert not share.findings
