"""What holds after every single event of every story: I5, I6, rule 10, and that values are what they say."""

from __future__ import annotations

from itertools import pairwise

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.effects import WakeAt
from pos_app.domain.events import StatusAnswered
from pos_app.domain.flow import TRANSITIONS, Live, Outcome
from pos_app.domain.replies import StatusReport


def check(before: Attempt, outcome: Outcome, event: object) -> None:
    """After every single event."""
    after = outcome.live.attempt
    _check_types(outcome)
    assert {effect.attempt_id for effect in outcome.effects} <= {before.attempt_id}
    for earlier, later in pairwise(outcome.path):
        assert State(later) in TRANSITIONS[State(earlier)]
    if outcome.path and event is not None:
        assert (outcome.path[0], outcome.path[-1]) == (before.state, after.state)
    assert outcome.durable or (after == before and event is not None), "an intent is written in any case"
    if after.state in MONEY and before.state not in MONEY:
        proof = event.reply if isinstance(event, StatusAnswered) else None
        assert isinstance(proof, StatusReport)
        assert (proof.name, proof.external_id) == ("Payment Success", after.attempt_id)
        assert proof.amount == after.amount
        assert after.state is (State.PAID if before.released_at is None else State.PAID_LATE)
    if after.is_open:
        assert any(isinstance(effect, WakeAt) for effect in outcome.effects), "open, but nothing is due"


def _check_types(outcome: Outcome) -> None:
    """The flow replaces fields by name; a None where a yes or no belongs would be taken for a no."""
    assert type(outcome.durable) is bool
    assert msgspec.convert(msgspec.to_builtins(outcome.live), Live) == outcome.live
    for effect in outcome.effects:
        assert msgspec.convert(msgspec.to_builtins(effect), type(effect)) == effect
