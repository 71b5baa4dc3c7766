"""An exercise by facts alone: which step comes next, what the sandbox is to do, what is right and what is a slip."""

from __future__ import annotations

import msgspec
import pytest

from pos_app.domain.attempt import Kind, State
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from pos_app.domain.views import DayView, PrintAnswered, PrintView
from pos_app.training.course import acts
from pos_app.training.course.exercises import (
    CANCEL_LOSES,
    CLOSE_DAY,
    COURSE,
    FIRST_PUSH,
    FIRST_QR,
    HAND_OVER,
    LATE,
    NO_ANSWER,
    NOBODY,
    NUMBER,
    PAPER_OUT,
    REJECTED,
    RESTARTED,
    SERVICE_DOWN,
    STRANGER,
    WRONG_NUMBER,
)
from pos_app.training.course.run import Outcome
from pos_app.training.course.scenario import Scenario
from pos_app.training.course.scene import Decision
from tests.unit.training.steps import KASUN, NIMALI, Till


def decide(on: Till, decision: Decision) -> None:
    on.hear(on.run.decide(decision))


def test_the_first_sale_goes_step_by_step_and_ends_right() -> None:
    on = Till(FIRST_QR)
    steps = [on.step]
    on.charge("a", "450.00", kind=Kind.QR)
    steps.append(on.step)
    on.ledger("a", "Verification Success")
    steps.append(on.step)
    on.ledger("a", "Payment Success")
    steps.append(on.step)
    on.become("a", state=State.PAID)
    steps.append(on.step)
    assert steps == ["charge", "scan", "approve", "wait", "goods"]
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT
    assert on.run.slip is None


def test_a_receipt_comes_out_once_there_is_paper_and_its_copy_behind_it() -> None:
    """Paper that came out counts only when nothing of this payment waits."""
    on = Till(PAPER_OUT)
    assert acts.Printer(paper=False) in on.acts()
    on.charge("a", "560.00", kind=Kind.QR)
    assert on.step == "wait"
    on.pay("a")
    job = PrintJob(number=1, paper=PaperKind.RECEIPT, about="SBX-a", state=JobState.HELD, why=Why.PAPER_OUT)
    on.see_terminal(printing=PrintView(printer="virtual", unprinted=(job,)))
    on.hear(on.run.see_paper(1))
    assert on.step == "paper", "what came out is of something else"
    on.see_terminal(printing=PrintView(printer="virtual"))
    assert on.step == "goods"
    decide(on, Decision.HAND_OVER)
    assert on.step == "copy"
    on.hear(on.run.see_paper(1))
    assert on.step == "copy", "a report, or a test page"
    on.hear(on.run.see(PrintAnswered(request_id="r", job=msgspec.structs.replace(job, number=3, copy=1))))
    assert on.run.outcome is Outcome.RIGHT


def test_a_day_is_closed_when_there_is_another_z_and_its_paper() -> None:
    on = Till(CLOSE_DAY)
    assert acts.Printer(paper=True) in on.acts()
    on.charge("a", "275.00", kind=Kind.QR)
    on.pay("a")
    decide(on, Decision.HAND_OVER)
    on.hear(on.run.see_paper(2))
    assert on.step == "close"
    on.see_terminal(day=DayView(number=2, last_z=1))
    assert on.run.outcome is Outcome.RIGHT


def test_an_exercise_waits_for_a_person_and_a_clean_sandbox() -> None:
    on = Till(FIRST_QR, signed_in=None)
    assert on.step == "sign_in"
    assert on.run.number == 0
    on.see_terminal(signed_in=NIMALI)
    assert on.step == "tidy"
    assert acts.CleanUp() in on.acts()
    on.hear(on.run.see_clean())
    assert on.step == "charge"
    assert (on.run.number, on.run.count) == (1, 5)


def test_it_waits_until_nothing_from_before_is_open() -> None:
    before = Till(FIRST_QR)
    before.charge("old", "450.00", kind=Kind.QR)
    open_one = before.attempts["old"]
    on = Till(SERVICE_DOWN, signed_in=None)
    on.see_terminal(signed_in=NIMALI, open=(open_one,))
    on.hear(on.run.see_clean())
    assert on.step == "tidy"
    assert not [act for act in on.acts() if isinstance(act, acts.Break)], (
        "the service must answer for it first"
    )
    on.see_terminal(open=())
    assert on.step == "charge"
    assert len([act for act in on.acts() if isinstance(act, acts.Break)]) == 2


def test_payments_that_are_not_of_the_exercise_change_nothing() -> None:
    on = Till(FIRST_QR)
    other = Till(FIRST_QR)
    other.charge("x", "999.00", kind=Kind.QR)
    on.hear(on.run.see_rows(()))
    on.become("x", other.attempts["x"], state=State.PAID)
    assert on.run.scene.changes == ()
    assert on.run.outcome is None


def test_a_decision_without_goods_on_the_counter_is_none() -> None:
    on = Till(FIRST_PUSH)
    assert not on.run.may_decide
    decide(on, Decision.HAND_OVER)
    assert on.run.scene.decided == ()


def test_a_payment_that_ends_without_money_is_done_again() -> None:
    on = Till(FIRST_PUSH)
    on.charge("a", "980.00", to=NUMBER)
    assert on.step == "approve"
    on.ledger("a", "Customer Reject")
    on.become("a", state=State.FAILED)
    assert (on.step, on.run.is_again) == ("charge", True)
    on.charge("b", "980.00", sale="a", to=NUMBER)
    assert (on.step, on.run.is_again) == ("approve", False)
    on.pay("b")
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT


def test_the_wrong_number_is_cancelled_before_the_right_one_is_asked() -> None:
    on = Till(WRONG_NUMBER)
    on.charge("a", "1500.00", to=STRANGER)
    assert on.step == "cancel"
    on.become("a", state=State.CANCELLED)
    assert on.step == "again"
    on.charge("b", "1500.00", sale="a", to=NUMBER)
    assert on.step == "wait"
    assert acts.Customer("approve") in on.acts()
    on.pay("b")
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT


def test_after_a_rejection_another_way_is_right() -> None:
    on = Till(REJECTED)
    on.charge("a", "620.00", to=NUMBER)
    assert acts.Customer("reject") in on.acts()
    on.become("a", state=State.FAILED)
    assert on.step == "other"
    on.charge("b", "620.00", sale="a", kind=Kind.QR)
    on.pay("b")
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT


def test_two_customers_are_not_mixed_up() -> None:
    on = Till(NO_ANSWER)
    on.charge("a", "1350.00", to=NUMBER)
    on.become("a", parked=True)
    assert on.step == "next"
    on.charge("b", "200.00", kind=Kind.QR)
    on.pay("b")
    assert on.step == "next_goods"
    decide(on, Decision.HAND_OVER)
    assert on.step == "cancel"
    on.become("a", state=State.CANCELLED)
    decide(on, Decision.NO_GOODS)
    assert on.run.outcome is Outcome.RIGHT


def test_waiting_is_a_decision_only_in_its_own_step() -> None:
    on = Till(LATE)
    on.charge("a", "2400.00", to=NUMBER)
    decide(on, Decision.WAIT)
    on.become("a", state=State.UNRESOLVED, released_at=5)
    assert on.step == "tempted"
    decide(on, Decision.WAIT)
    assert on.step == "late"


@pytest.mark.parametrize(
    ("scenario", "until"),
    [
        (REJECTED, "see"),
        (CANCEL_LOSES, "cancel"),
        (LATE, "give_up"),
        (SERVICE_DOWN, "doubt"),
        (HAND_OVER, "lock"),
    ],
    ids=lambda each: getattr(each, "key", each),
)
def test_whose_customer_is_played_has_no_phone_on_the_counter(scenario: Scenario, until: str) -> None:
    """Learners approved there as they had just learnt to: the exercise waited for ever, or was right without its
    trouble."""
    last = [each.key for each in scenario.all_steps].index(until)
    plays = [play.act for step in scenario.steps[: last - 1] for play in step.plays]
    phones = [act.number for act in (*scenario.set_up, *plays) if isinstance(act, acts.PhoneNumber)]
    assert phones == [NOBODY]


@pytest.mark.parametrize(("scenario", "step"), [(CANCEL_LOSES, "cancel"), (SERVICE_DOWN, "doubt")])
def test_what_cannot_be_taken_back_is_as_good_by_a_code(scenario: Scenario, step: str) -> None:
    """Who had shown a code, and cancelled it, was told to charge once more what was paid or not known: a slip."""
    on = Till(scenario)
    on.charge("a", str(scenario.customers[0].amount), kind=Kind.QR)
    assert on.step == step


def test_a_payment_that_is_lost_behind_the_lock_is_charged_again() -> None:
    """The colleague waited for ever for a payment that could not come any more."""
    on = Till(HAND_OVER)
    on.charge("a", "350.00", to=NUMBER)
    on.become("a", parked=True)
    on.see_terminal(locked=True)
    assert on.step == "other"
    on.become("a", state=State.FAILED)
    assert on.step == "charge"
    assert on.run.is_again


def test_the_service_is_mended_only_after_the_learner_waited() -> None:
    on = Till(SERVICE_DOWN)
    on.charge("a", "1100.00", to=NUMBER)
    on.ledger("a", "Payment Success")
    assert acts.Mend() not in on.acts()
    decide(on, Decision.WAIT)
    assert on.acts() == [acts.Mend()]


def test_a_colleague_goes_on() -> None:
    on = Till(HAND_OVER)
    on.charge("a", "350.00", to=NUMBER)
    on.become("a", parked=True)
    on.see_terminal(locked=True)
    on.pay("a")
    assert on.step == "other"
    on.see_terminal(locked=False)
    assert on.step == "other", "the same person is back"
    on.see_terminal(signed_in=KASUN)
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT


def test_a_restart_is_gone_on_from() -> None:
    on = Till(RESTARTED)
    on.charge("a", "880.00", to=NUMBER)
    assert acts.Restart() in on.acts()
    on.hear(on.run.see_restart(on.terminal.__class__()))
    assert on.step == "restart", "nobody is at the till yet"
    on.see_terminal(signed_in=NIMALI)
    assert on.step == "find"
    on.pay("a")
    decide(on, Decision.HAND_OVER)
    assert on.run.outcome is Outcome.RIGHT


def test_what_a_passed_step_wanted_later_is_not_done() -> None:
    on = Till(REJECTED)
    on.charge("a", "620.00", to=NUMBER)
    on.acts()
    on.become("a", state=State.FAILED)
    assert not any(play.after_s for play in on.plays)


def test_the_course_is_whole() -> None:
    for scenario in COURSE:
        keys = [step.key for step in scenario.all_steps]
        assert len(keys) == len(set(keys)), scenario.key
        assert {step.back_to for step in scenario.steps} - {""} <= set(keys)
        amounts = [customer.amount for customer in scenario.customers]
        assert len(amounts) == len(set(amounts)), "customers are told apart by their bills"
    assert len({scenario.key for scenario in COURSE}) == len(COURSE)
