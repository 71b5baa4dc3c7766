"""A story in a shop where people sign in: they come, lock, switch, guess, and leave in the middle of payments."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tests.simulation.story import Act, Story

VERBS = (
    "lock",
    "lock",
    "come",
    "come",
    "come",
    "sign_out",
    "guess",
    "code",
    "as_another",
    "approve",
    "approve",
)
_MEANWHILE = 40_000
"""Most payments are over by then."""


def staffed(story: Story, dice: Random) -> Story:
    """The same sales and weather, at tills where nobody sells without having signed in."""
    acts = [Act(dice.randrange(900), "come", till, value=dice.randrange(3)) for till in range(story.tills)]
    for place, plan in enumerate(story.sales):
        for _ in range(dice.choice((0, 1, 2, 4, 7))):
            at = plan.at + dice.randrange(_MEANWHILE)
            acts.append(Act(at, dice.choice(VERBS), plan.till, place, dice.randrange(6)))
    return replace(story, acts=(*story.acts, *acts), staffed=True)
