"""A failing seed is told as the shortest story that still fails."""

from __future__ import annotations

from tests.verification.simulation.checker import judge
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.planting import planted
from tests.verification.simulation.run import play
from tests.verification.simulation.shrink import shortest
from tests.verification.simulation.wrong_tills import WRONG_TILLS


def test_a_failing_story_loses_what_it_does_not_need() -> None:
    """What is left still fails in the same way, and is a sale and hardly more."""
    with planted(WRONG_TILLS["code_5009_is_failed"]):
        seed, found = next(
            (seed, found) for seed in range(1, 200, 2) if (found := judge(play(story_of(seed)).history))
        )
        story = story_of(seed)
        short = shortest(story, found[0])
        assert found[0].invariant in {violation.invariant for violation in judge(play(short).history)}
    assert short.size < story.size
    assert len(short.faults) + len(short.windows) + len(short.crashes) + len(short.acts) <= 4
    assert judge(play(short).history) == []
