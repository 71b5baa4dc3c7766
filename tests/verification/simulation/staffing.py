"""A story in a shop where people sign in: they come, lock, switch, guess, and leave in the middle of payments."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tests.verification.simulation.folders import HOME
from tests.verification.simulation.losing import THINNED
from tests.verification.simulation.story import Act, Story

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


def guessed(story: Story, dice: Random) -> Story:
    """Somebody guesses a passcode there, can write the journal's file, and wants tries or people forgotten."""
    whose, span = dice.randrange(3), story.stop_at
    acts = [Act(span + 1_000, "come", value=whose), Act(span + 3_000, "lock")]
    at = span + 5_000
    for _ in range(dice.choice((1, 2, 3, 4, 6))):
        acts.append(Act(at, "guess", value=whose))
        at += dice.choice((1_000, 11_000, 61_000))
    if dice.random() < 0.6:
        # For so long that no start looks back to it.
        for other in range(90):
            at += 2_000
            acts.append(Act(at, "come", value=(whose + 1 + other % 2) % 3))
    at += 5_000
    acts.append(Act(at, "thin", value=dice.choice(THINNED)))
    for _ in range(dice.randrange(1, 5)):
        at += dice.choice((5_000, 20_000, 40_000))
        verb = dice.choice(("come", "come", "come", "guess", "enrol", "enrol", "code"))
        acts.append(Act(at, verb, value=dice.choice((whose, dice.randrange(3)))))
    return replace(story, acts=(*story.acts, *acts), stop_at=at + _MEANWHILE, origin=HOME)
