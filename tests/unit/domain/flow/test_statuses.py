"""What each status means, and the code table's column for asks: one test a row."""

import pytest

from pos_app.domain.attempt import Flag, Reason, State
from pos_app.domain.replies import NoAnswer, Refused, Why
from tests.unit.domain.flow.story import NOT_FOUND, TIME_OUT, Story, report

INITIATED = report("Merchant Initiated")
FAIL = report("Verification Fail")


def waiting() -> Story:
    """The service has the payment, and an ask is under way."""
    story = Story.begun()
    story.initiated()
    story.wait(3)
    story.new.clear()
    return story


@pytest.mark.parametrize("name", ["Verification Success", "Customer Approved"])
def test_progress_is_shown_and_asked_about_every_second_for_half_a_minute(name: str) -> None:
    """WAITING; from when it first appears."""
    story = waiting()
    story.status(name)
    assert (story.state, story.attempt.service_status) == (State.WAITING, name)
    story.wait(60, asks=report(name))
    asks = [at for at in story.times("ask") if at > 3]
    assert 27 <= len([at for at in asks if at <= 33]) <= 33
    assert 13 <= len([at for at in asks if at > 34]) <= 16


def test_initiated_waits() -> None:
    """And sends nothing without a wish."""
    story = waiting()
    story.answered(INITIATED)
    story.stands_at(State.WAITING)
    story.expect()


def test_payment_success_is_paid() -> None:
    """The one way to PAID."""
    story = waiting()
    story.status("Payment Success")
    assert (story.state, story.attempt.service_status) == (State.PAID, "Payment Success")
    assert not story.attempt.lets_another_start
    assert not story.attempt.needs_answer
    assert story.attempt.released_at is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Payment Fail", Reason.PAYMENT_FAILED), ("Customer Reject", Reason.CUSTOMER_REJECTED)],
)
def test_a_failure_is_failed_with_its_reason(name: str, reason: Reason) -> None:
    """And opens the sale."""
    story = waiting()
    story.status(name)
    assert (story.state, story.attempt.reason) == (State.FAILED, reason)
    assert story.attempt.lets_another_start
    assert story.attempt.released_at == story.now


def test_verification_fail_is_not_final() -> None:
    """The customer may scan again."""
    story = waiting()
    story.wait(60, asks=FAIL)
    story.stands_at(State.WAITING)
    story.wait(3, asks=report("Payment Success"))
    story.stands_at(State.PAID)


def test_verification_fail_is_final_with_a_wish_a_late_cancel_and_seen_twice() -> None:
    """At least 10 s apart."""
    story = waiting()
    story.answered(FAIL)
    story.wish_cancel()
    story.cancelled(Refused("5006"))
    story.wait(9.9, asks=FAIL)
    story.stands_at(State.WAITING)
    story.wait(3, asks=FAIL)
    assert (story.state, story.attempt.reason) == (State.FAILED, Reason.VERIFICATION_FAILED)
    assert len(story.times("cancel")) == 1


def test_a_cancel_answered_5007_makes_a_failed_scan_no_end() -> None:
    """Only 5006 does: the customer may scan again, and until it comes cancel is sent again."""
    story = waiting()
    story.answered(FAIL)
    story.wish_cancel()
    story.wait(30, asks=FAIL, cancels=Refused("5007"))
    story.stands_at(State.WAITING)
    assert len(story.times("cancel")) >= 4
    story.wait(5, asks=FAIL, cancels=Refused("5006"))
    story.stands_at(State.FAILED)


def test_verification_fail_with_a_wish_gets_its_cancel_answered_first() -> None:
    """Without the 5006 it is not final, so cancel is sent again."""
    story = waiting()
    story.answered(FAIL)
    story.wish_cancel()
    story.wait(30, asks=FAIL, cancels=TIME_OUT)
    story.stands_at(State.WAITING)
    assert len(story.times("cancel")) >= 4


@pytest.mark.parametrize("says_final", [False, True])
def test_verification_fail_after_a_good_scan_is_an_old_answer(says_final: bool) -> None:
    """Found by seed 352221: stale replies said it for a minute, over a payment that had come to money."""
    story = Story.begun()
    story.rules = type(story.rules)(verification_fail_is_final=says_final)
    story.initiated()
    story.wait(3)
    story.status("Verification Success")
    story.wish_cancel()
    story.cancelled(Refused("5006"))
    story.wait(60, asks=FAIL)
    story.stands_at(State.WAITING)
    story.wait(10, asks=report("Payment Success"))
    story.stands_at(State.PAID)


def test_another_status_in_between_begins_the_two_verification_fails_anew() -> None:
    """The same status twice."""
    story = waiting()
    story.answered(FAIL)
    story.wish_cancel()
    story.cancelled(Refused("5006"))
    story.wait(9, asks=report("Verification Success"), cancels=Refused("5006"))
    story.wait(4, asks=FAIL, cancels=Refused("5006"))
    story.stands_at(State.WAITING)


def test_verification_fail_is_final_where_the_setting_says_so() -> None:
    """verification_fail_is_final."""
    story = Story.begun()
    story.rules = type(story.rules)(verification_fail_is_final=True)
    story.initiated()
    story.wait(3, asks=FAIL)
    assert (story.state, story.attempt.reason) == (State.FAILED, Reason.VERIFICATION_FAILED)


def test_verification_fail_of_a_dispute_or_an_end_moves_nothing() -> None:
    """Older replies."""
    story = waiting()
    story.status("Customer Reject")
    story.wait(11, asks=FAIL)
    assert Flag.STATUS_REGRESSED in story.attempt.flags
    assert story.attempt.reason is Reason.CUSTOMER_REJECTED


@pytest.mark.parametrize(
    "name",
    [
        "payment success",
        "PAYMENT SUCCESS",
        "Payment  Success",
        " Payment Success",
        "Payment Success ",
        "\u0420ayment Success",
        "Paid",
        "Merchant Cancelled",
        "Refund",
    ],
)
def test_an_unknown_status_is_kept_asked_about_and_unresolved_at_three_minutes(name: str) -> None:
    """Rule 11: case, spaces and look-alike letters make a name unknown."""
    story = waiting()
    story.status(name)
    assert (story.state, story.attempt.service_status) == (State.WAITING, name)
    assert Flag.UNKNOWN_STATUS in story.attempt.flags
    story.wait(179, asks=report(name))
    story.stands_at(State.WAITING)
    story.wait(2, asks=report(name))
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.UNKNOWN_STATUS)


def test_a_known_status_ends_the_unknown_minutes() -> None:
    """The three minutes are in a row."""
    story = waiting()
    story.wait(100, asks=report("Pondering"))
    story.wait(10, asks=INITIATED)
    story.wait(100, asks=report("Pondering"))
    story.stands_at(State.WAITING)


@pytest.mark.parametrize("code", ["5001", "5015"])
def test_three_misconfigured_asks_are_unresolved(code: str) -> None:
    """The state is kept until then."""
    story = waiting()
    for _ in range(2):
        story.answered(Refused(code))
        story.check_now()
    story.stands_at(State.WAITING)
    story.answered(Refused(code))
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.MISCONFIGURED)


@pytest.mark.parametrize("code", ["5000", "5002", "5003", "5006", "5008", "5011", "5012", "5999"])
def test_other_refusals_of_an_ask_keep_the_state(code: str) -> None:
    """And asking goes on."""
    story = waiting()
    story.answered(Refused(code))
    story.stands_at(State.WAITING)
    story.wait(60, asks=Refused(code))
    story.stands_at(State.WAITING)
    assert len(story.times("ask")) > 20


def test_5009_of_a_shown_id_is_stale_and_asked_by_the_wallet_id_too() -> None:
    """Rule 3b: the state stays, nothing is re-sent."""
    story = waiting()
    story.answered(NOT_FOUND)
    story.stands_at(State.WAITING)
    story.wait(7, asks=NOT_FOUND)
    assert story.new[:3] == ["ask by wallet", "ask", "ask by wallet"]
    story.wait(2.2, asks=report("Payment Success"))
    story.stands_at(State.PAID)


@pytest.mark.parametrize(
    "reply",
    [
        TIME_OUT,
        NoAnswer(Why.UNREADABLE, sent=True, http_status=200),
        NoAnswer(Why.SIGN_IN, sent=True, http_status=401),
        NoAnswer(Why.FORBIDDEN, sent=True, http_status=403),
        NoAnswer(Why.HTTP, sent=True, http_status=502),
        NoAnswer(Why.CONNECT, sent=False),
    ],
)
def test_no_answer_to_an_ask_keeps_the_state(reply: NoAnswer) -> None:
    """However long it lasts, until the till lets go."""
    story = waiting()
    story.wait(280, asks=reply)
    story.stands_at(State.WAITING)


def test_a_refused_sign_in_is_flagged() -> None:
    """Rule 19: the payment stays open."""
    story = waiting()
    story.answered(NoAnswer(Why.SIGN_IN, sent=True, http_status=401))
    assert Flag.SIGN_IN_REFUSED in story.attempt.flags


@pytest.mark.parametrize("end", ["Payment Fail", "Customer Reject", "Merchant Cancel"])
def test_an_end_without_money_never_goes_back(end: str) -> None:
    """An older reply, or another end, is a flag."""
    for later in ("Merchant Initiated", "Customer Approved", "Verification Fail"):
        story = waiting()
        story.status(end)
        state = story.state
        story.wait(11, asks=report(later))
        assert story.state is state
        assert Flag.STATUS_REGRESSED in story.attempt.flags
    for later in {"Payment Fail", "Customer Reject", "Merchant Cancel"} - {end}:
        story = waiting()
        story.status(end)
        before = (story.state, story.attempt.reason)
        story.wait(11, asks=report(later))
        assert (story.state, story.attempt.reason) == before
        assert Flag.CONTRADICTED in story.attempt.flags


def test_the_same_end_again_is_no_contradiction() -> None:
    """Every recheck says it."""
    story = waiting()
    story.status("Customer Reject")
    story.wait(1_000, asks=report("Customer Reject"))
    assert not story.attempt.flags
