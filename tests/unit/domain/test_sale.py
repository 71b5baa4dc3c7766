"""Rules 5 and 9: what a sale's attempts allow, and when it was paid twice."""

from typing import Any

import pytest

from pos_app.domain.attempt import Attempt, CancelWish, Resolution, State
from pos_app.domain.sale import is_overpaid, may_start_another
from tests.unit.domain.flow.story import attempt

LETS = {State.NOT_SENT, State.FAILED, State.CANCELLED}


def of(state: State, **facts: Any) -> Attempt:
    """An attempt in this state."""
    return attempt(state=state, **facts)


@pytest.mark.parametrize("state", list(State))
def test_another_attempt_needs_every_earlier_one_closed(state: State) -> None:
    """Rule 5: one that may still take money is enough to stop it."""
    assert may_start_another((of(State.FAILED), of(state))) is (state in LETS)
    assert may_start_another((of(state), of(State.FAILED))) is (state in LETS)


def test_a_sale_without_attempts_may_start_one() -> None:
    """The first."""
    assert may_start_another(())


def test_a_refusal_must_be_opened_and_a_sign_off_must_say_not_paid() -> None:
    """Rules 4 and 5."""
    assert may_start_another((of(State.REFUSED, refusal_opened=True),))
    for action, may in (("paid", False), ("not_paid", True)):
        assert may_start_another((of(State.SIGNED_OFF, resolution=Resolution(action, "N", "r", 1)),)) is may


@pytest.mark.parametrize(
    ("states", "overpaid"),
    [
        ([State.PAID], False),
        ([State.PAID, State.FAILED], False),
        ([State.PAID, State.DISPUTED], False),
        ([State.PAID_LATE, State.PAID], True),
        ([State.PAID_LATE, State.PAID_LATE, State.CANCELLED], True),
    ],
)
def test_two_that_took_money_are_one_too_many(states: list[State], overpaid: bool) -> None:
    """Rule 9."""
    assert is_overpaid(tuple(of(state) for state in states)) is overpaid


@pytest.mark.parametrize("state", list(State))
def test_a_qr_is_shown_while_it_waits_and_not_a_moment_longer(state: State) -> None:
    """Gone from every screen in any other state, and with a cancel wish."""
    assert of(state, qr_text="text").qr_showable is (state is State.WAITING)
    assert not of(state).qr_showable


@pytest.mark.parametrize("state", list(State))
def test_a_person_has_to_settle_what_the_till_cannot(state: State) -> None:
    """Unresolved and disputed always; late money until it is answered; money with a wish to cancel too."""
    command, answer = CancelWish("person-1", 1), Resolution("complete", "N", "r", 1)
    asks = {State.UNRESOLVED, State.DISPUTED}
    assert of(state).needs_answer is (state in asks | {State.PAID_LATE})
    assert of(state, cancel_wish=command).needs_answer is (state in asks | {State.PAID_LATE, State.PAID})
    assert of(state, cancel_wish=command, resolution=answer).needs_answer is (state in asks)


def test_a_sign_off_without_its_answer_opens_nothing() -> None:
    """Nobody has said that no money can come of it."""
    assert not may_start_another((of(State.SIGNED_OFF),))


def test_a_qr_with_a_cancel_wish_is_shown_no_more() -> None:
    """The customer must not scan what is being cancelled."""
    assert not of(State.WAITING, qr_text="text", cancel_wish=CancelWish("person-1", 1)).qr_showable
