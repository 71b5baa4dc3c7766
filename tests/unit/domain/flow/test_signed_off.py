"""What a manager signed off: it is not brought back for the same thing, but money under its id is new."""

from __future__ import annotations

from typing import Any

import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.flow import Live
from tests.unit.domain.flow.story import (
    ACCEPTED,
    AMOUNT,
    NEVER_LEFT,
    NOT_FOUND,
    NOT_UNIQUE,
    TIME_OUT,
    Story,
    attempt,
    report,
)


def waiting() -> Story:
    """The service has the payment, and an ask is under way."""
    story = Story.begun()
    story.initiated()
    story.wait(3)
    return story


@pytest.mark.parametrize("reason", [Reason.OTHER_AMOUNT, Reason.OTHER_TRANSACTION])
def test_what_was_signed_off_is_not_disputed_again_for_the_same_thing(reason: Reason) -> None:
    """The rechecks only repeat what the manager has seen."""
    changed = {"amount": AMOUNT + 1} if reason is Reason.OTHER_AMOUNT else {"merchant_id": "M-2"}
    story = waiting()
    for _ in range(3):
        story.status("Merchant Initiated", **changed)
        story.check_now()
    story.settle("not_paid")
    story.wait(1_000, asks=report("Merchant Initiated", **changed))
    story.stands_at(State.SIGNED_OFF)
    assert story.attempt.lets_another_start


@pytest.mark.parametrize("changed", [{"amount": AMOUNT + 1}, {"wallet_transaction_id": "W-2"}])
def test_money_under_an_id_signed_off_as_not_paid_comes_back_once(changed: dict[str, Any]) -> None:
    """Found by seed 163517: a wrong wallet id adopted once made every true reply another's, the paid one too."""
    story = waiting()
    for _ in range(3):
        story.status("Merchant Initiated", **changed)
        story.check_now()
    story.settle("not_paid")
    story.wait(70, asks=report("Payment Success", **changed))
    story.stands_at(State.DISPUTED)
    story.settle("not_paid")
    story.wait(1_000, asks=report("Payment Success", **changed))
    story.stands_at(State.SIGNED_OFF)


@pytest.mark.parametrize("action", ["paid", "not_paid"])
@pytest.mark.parametrize("listed", ["Payment Success", "Merchant Initiated"])
def test_what_a_manager_said_of_a_payment_not_proven_ours_is_not_taken_back(action: str, listed: str) -> None:
    """It was entered from the service's list: that its own till was paid for it is noted, and no money of ours."""
    entered = attempt(
        Kind.PUSH,
        state=State.DISPUTED,
        reason=Reason.NOT_PROVEN_OURS,
        service_status=listed,
        recovered=True,
    )
    story = Story(Live(entered))
    story.restart()
    story.settle(action)
    story.stands_at(State.SIGNED_OFF)
    answered = story.attempt.resolution
    story.answered(report("Payment Success"))
    story.wait(1_000, asks=report("Payment Success"))
    story.stands_at(State.SIGNED_OFF)
    assert story.attempt.service_status == "Payment Success"
    assert story.attempt.resolution == answered
    assert not story.attempt.needs_answer


def closing() -> Story:
    """A push in doubt that nobody could settle by asking; bytes that are to close its id are under way."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wait(400, asks=NOT_FOUND, initiates=TIME_OUT)
    story.stands_at(State.UNRESOLVED)
    story.new.clear()
    story.wish_close()
    story.expect("close")
    return story


@pytest.mark.parametrize("reply", [ACCEPTED, NOT_UNIQUE])
def test_bytes_that_close_an_id_are_followed_by_their_cancel_though_it_was_signed_off(reply: Any) -> None:
    """Rule 3a: they have made the phone ring, and the next attempt may begin now."""
    story = closing()
    story.settle("not_paid")
    story.stands_at(State.SIGNED_OFF)
    story.new.clear()
    story.initiated(reply)
    story.expect("cancel")
    story.cancelled()
    story.wait(0)
    story.status("Merchant Cancel")
    story.stands_at(State.SIGNED_OFF)
    assert len(story.times("cancel")) == 1


def test_what_was_signed_off_holds_the_bytes_back_that_were_to_close_it() -> None:
    """A manager's word needs no proof by the service: none of them leaves that has not left."""
    story = closing()
    assert story.held_back == 0
    story.settle("not_paid")
    assert story.held_back == 1
    story.initiated(NEVER_LEFT)
    story.stands_at(State.SIGNED_OFF)
    assert not story.times("cancel")


def test_an_answer_to_the_first_bytes_cancels_nothing_that_was_signed_off() -> None:
    """They were to close nothing, and what the service has under this id may be another's."""
    story = Story.begun(Kind.PUSH)
    story.wait(5, asks=report("Merchant Initiated", amount=2 * AMOUNT))
    story.stands_at(State.DISPUTED)
    story.settle("not_paid")
    story.initiated(ACCEPTED)
    story.stands_at(State.SIGNED_OFF)
    assert not story.times("cancel")


@pytest.mark.parametrize("reply", [ACCEPTED, NOT_UNIQUE])
def test_what_was_signed_off_as_paid_is_cancelled_by_nothing(reply: Any) -> None:
    """Somebody has seen the money."""
    story = closing()
    story.settle("paid")
    story.initiated(reply)
    story.wait(1_000, asks=report("Merchant Initiated"))
    assert not story.times("cancel")
