"""What would have cost money, by facts alone: goods for nothing, money taken twice, another amount, another phone."""

from __future__ import annotations

import pytest

from pos_app.domain.attempt import CancelWish, Kind, State
from pos_app.i18n.words.training import words
from pos_app.training.coach.model import telling, verdict
from pos_app.training.course.acts import Trusting
from pos_app.training.course.exercises import (
    CANCEL_LOSES,
    FIRST_PUSH,
    LATE,
    NO_ANSWER,
    NUMBER,
    SERVICE_DOWN,
    STRANGER,
    WRONG_NUMBER,
)
from pos_app.training.course.run import Outcome
from pos_app.training.course.scene import Decision
from pos_app.training.course.slips import Slip
from tests.support.published import config
from tests.unit.training.steps import COMPLETE, NIMALI, REFUND, Till


def decide(on: Till, decision: Decision) -> None:
    on.hear(on.run.decide(decision))


def test_goods_for_no_money_are_a_slip_at_any_step() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "980.00", to=NUMBER)
    on.ledger("a", "Payment Success")
    decide(on, Decision.HAND_OVER)
    assert on.run.slip is Slip.HANDED_UNPAID, "only the till's own PAID counts"
    assert on.run.outcome is Outcome.SLIPPED


def test_nothing_counts_after_the_end() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "980.00", to=NUMBER)
    decide(on, Decision.HAND_OVER)
    on.pay("a")
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.SLIPPED


@pytest.mark.parametrize("amount", ["98.00", "9800.00", "980.01"])
def test_another_amount_than_the_bill_is_a_slip_once_it_is_paid(amount: str) -> None:
    on = Till(FIRST_PUSH)
    on.acts()
    on.charge("a", amount, to=NUMBER)
    assert (on.run.slip, on.step) == (None, "charge"), "it can still be noticed"
    assert on.acts() == [Trusting("SBX-a")]
    on.ledger("a", "Customer Approved")
    assert on.run.slip is Slip.OTHER_AMOUNT


def test_a_wrong_amount_that_is_noticed_and_cancelled_is_to_the_learner_s_credit() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "98.00", to=NUMBER)
    on.become("a", cancel_wish=CancelWish(who=NIMALI.person_id, at=5))
    assert on.run.scene.unnoticed == ()
    on.become("a", state=State.CANCELLED)
    assert (on.run.outcome, on.step) == (None, "charge")
    assert telling(on.run, config()).note == words.NOTICED
    on.charge("b", "980.00", to=NUMBER)
    on.pay("b")
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT
    assert verdict(on.run).why == f"{words.RIGHTS['first_push']} {words.NOTICED_TOO}"


def test_what_the_till_gave_up_by_itself_was_noticed_by_nobody() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "98.00", to=NUMBER)
    on.become("a", state=State.CANCELLED, gave_up_at=9)
    assert not on.run.scene.noticed
    assert telling(on.run, config()).note == ""


def test_beside_a_wrong_amount_that_is_open_the_right_one_is_a_slip() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "98.00", to=NUMBER)
    on.charge("b", "980.00", to=NUMBER)
    assert on.run.slip is Slip.CHARGED_TWICE


def test_another_number_than_the_customer_said() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "980.00", to=STRANGER)
    assert on.run.slip is Slip.OTHER_NUMBER


@pytest.mark.parametrize(("to", "slip"), [(NUMBER, Slip.CHARGED_TWICE), (STRANGER, Slip.CHARGED_TWICE)])
def test_beside_an_open_request_a_second_one_is_a_slip(to: str, slip: Slip) -> None:
    on = Till(WRONG_NUMBER)
    on.charge("a", "1500.00", to=STRANGER)
    on.charge("b", "1500.00", to=to)
    assert on.run.slip is slip


def test_the_wrong_number_twice() -> None:
    on = Till(WRONG_NUMBER)
    on.charge("a", "1500.00", to=STRANGER)
    on.become("a", state=State.CANCELLED)
    on.charge("b", "1500.00", sale="a", to=STRANGER)
    assert on.run.slip is Slip.OTHER_NUMBER


def test_a_code_that_was_taken_back_is_no_request_to_a_number() -> None:
    """The number that the customer had said, and the coach, was called another one than they had said."""
    on = Till(WRONG_NUMBER)
    on.charge("a", "1500.00", kind=Kind.QR)
    on.become("a", state=State.CANCELLED)
    on.charge("b", "1500.00", sale="a", to=STRANGER)
    assert on.run.slip is None
    assert on.step == "cancel"
    on.become("b", state=State.CANCELLED)
    on.charge("c", "1500.00", sale="a", to=NUMBER)
    assert on.run.slip is None
    assert on.step == "wait"


def test_the_first_customer_s_goods_go_for_nothing() -> None:
    on = Till(NO_ANSWER)
    on.charge("a", "1350.00", to=NUMBER)
    on.become("a", parked=True)
    on.charge("b", "200.00", kind=Kind.QR)
    on.pay("b")
    decide(on, Decision.HAND_OVER)
    decide(on, Decision.HAND_OVER)
    assert on.run.slip is Slip.HANDED_UNPAID


@pytest.mark.parametrize(
    ("resolution", "decision", "slip"),
    [
        (COMPLETE, Decision.HAND_OVER, None),
        (REFUND, Decision.NO_GOODS, None),
        (COMPLETE, Decision.NO_GOODS, Slip.SENT_AWAY_PAID),
        (REFUND, Decision.HAND_OVER, Slip.HANDED_REFUNDED),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_goods_follow_what_was_said_of_the_money(
    resolution: object, decision: Decision, slip: Slip | None, late: bool
) -> None:
    on = Till(LATE if late else CANCEL_LOSES)
    if late:
        on.charge("a", "2400.00", to=NUMBER)
        on.become("a", state=State.UNRESOLVED, released_at=5)
        decide(on, Decision.WAIT)
        assert on.step == "late"
        on.pay("a", State.PAID_LATE, released_at=5)
    else:
        on.charge("a", "730.00", to=NUMBER)
        on.pay("a")
    on.become("a", resolution=resolution)
    assert on.step == "goods"
    decide(on, decision)
    assert on.run.slip is slip
    assert on.run.outcome is (Outcome.RIGHT if slip is None else Outcome.SLIPPED)


def test_while_not_known_the_same_amount_again_is_a_slip() -> None:
    on = Till(LATE)
    on.charge("a", "2400.00", to=NUMBER)
    on.become("a", state=State.UNRESOLVED, released_at=5)
    on.charge("b", "2400.00", kind=Kind.QR)
    assert on.run.slip is Slip.CHARGED_TWICE


def test_a_customer_who_has_paid_is_not_sent_away() -> None:
    on = Till(SERVICE_DOWN)
    on.charge("a", "1100.00", to=NUMBER)
    on.ledger("a", "Payment Success")
    assert on.step == "screenshot"
    decide(on, Decision.NO_GOODS)
    assert on.run.slip is Slip.SENT_AWAY_PAID
