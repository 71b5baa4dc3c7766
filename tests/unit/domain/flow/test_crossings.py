"""Replies, wishes and times that cross: what must not happen twice, and what must happen nevertheless."""

from __future__ import annotations

import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.events import ConnectionReturned, SignInRenewed
from pos_app.domain.replies import Refused
from tests.unit.domain.flow.story import (
    ID,
    NEVER_LEFT,
    NOT_FOUND,
    NOT_UNIQUE,
    TIME_OUT,
    UNAUTHORISED,
    Story,
    busy,
    http,
    report,
)

INITIATED = report("Merchant Initiated")
OTHER_AMOUNT = report("Merchant Initiated", amount=report("").amount * 2)  # type: ignore[operator]


def waiting() -> Story:
    """The service has the payment, and the first ask is under way."""
    story = Story.begun()
    story.initiated()
    story.wait(3)
    story.new.clear()
    return story


def gap(story: Story) -> float:
    """Until the till wakes (s)."""
    assert story.wake_at is not None
    return (story.wake_at - story.now) / 1000


def backed_off() -> Story:
    """Many asks met silence; one is under way."""
    story = waiting()
    story.wait(40, asks=TIME_OUT)
    story.wait(11)
    assert story.in_flight["ask"]
    return story


def test_an_adopted_id_is_paid_like_any_other() -> None:
    """Rule 18 looks once; what it found to be ours stays ours."""
    story = Story.begun(Kind.PUSH)
    story.initiated(NOT_UNIQUE)
    story.wait(0)
    story.answered(INITIATED)
    story.check_now()
    story.status("Payment Success", invoice_number="")
    story.stands_at(State.PAID)


def test_a_silent_initiate_is_asked_about_again_and_again() -> None:
    """Its 5009 means nothing while the initiate is under way."""
    story = Story.begun()
    story.wait(12, asks=NOT_FOUND)
    assert len(story.times("ask")) >= 4
    story.stands_at(State.INTENT)


def test_between_two_tries_to_connect_nothing_is_asked() -> None:
    """There is nothing to ask about."""
    story = Story.begun()
    story.initiated(NEVER_LEFT)
    story.wait(0.9)
    story.expect()
    story.wait(0.1)
    story.expect("initiate")


def test_no_copy_leaves_beside_the_one_under_way() -> None:
    """A wish while a re-send is on its way waits for it."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.wait(3.5, asks=NOT_FOUND)
    story.new.clear()
    story.wish_cancel()
    story.expect()
    assert story.held_back == 1
    story.initiated(TIME_OUT)
    story.expect("close")
    story.wish_cancel()
    assert story.held_back == 1, "what is to close the id is held back by no wish"


def test_a_re_send_that_was_held_back_leaves_the_doubt_of_the_first() -> None:
    """The first may have arrived; a QR is then closed by itself."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.wait(3.5, asks=NOT_FOUND)
    story.wish_cancel()
    story.new.clear()
    story.initiated(NEVER_LEFT)
    story.stands_at(State.IN_DOUBT)
    story.expect("close")


def test_an_http_refusal_of_what_people_look_at_moves_nothing() -> None:
    """Five minutes of doubt, then 404 twice: it stays unresolved."""
    story = Story.begun(Kind.PUSH)
    story.initiated(http(404))
    story.wait(310, asks=TIME_OUT)
    story.stands_at(State.UNRESOLVED)
    story.wait(60, asks=http(404))
    story.stands_at(State.UNRESOLVED)


def test_two_refused_closing_copies_without_5009_between_leave_the_doubt() -> None:
    """Nothing says that the earlier copy is not there already."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    for _ in range(2):
        story.wish_close()
        story.initiated(Refused("5003"))
        story.wait(0)
        if story.in_flight["ask"]:
            story.answered(TIME_OUT)
        story.now += 6_000
    assert len(story.times("close")) == 2
    story.stands_at(State.IN_DOUBT)


def test_a_payment_signed_off_for_its_amount_is_cancelled_by_nobody() -> None:
    """A person has answered for it."""
    story = waiting()
    story.answered(OTHER_AMOUNT)
    story.settle("paid")
    story.stands_at(State.SIGNED_OFF)
    story.live = type(story.live)(story.attempt)
    story.check_now()
    story.answered(OTHER_AMOUNT)
    assert not story.times("cancel")


def test_a_disputed_payment_with_a_wish_is_not_cancelled_once_it_is_signed_off() -> None:
    """The wish ends with the attempt."""
    story = waiting()
    story.wish_cancel()
    story.answered(OTHER_AMOUNT)
    story.cancelled()
    story.settle("not_paid")
    story.stands_at(State.SIGNED_OFF)
    sent = story.times("cancel")
    story.now += 60_000
    if not story.in_flight["ask"]:
        story.check_now()
    story.answered(OTHER_AMOUNT)
    assert story.times("cancel") == sent


def test_a_lost_code_is_replaced_once() -> None:
    """However often the service says that it is cancelled."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.wait(0)
    story.answered(INITIATED)
    story.cancelled()
    story.wait(0)
    story.status("Merchant Cancel")
    story.check_now()
    story.status("Merchant Cancel")
    assert len(story.times("open next")) == 1


def test_a_renewed_sign_in_re_sends_once() -> None:
    """The copy met silence, not 401."""
    story = Story.begun()
    story.initiated(UNAUTHORISED)
    story.tell(SignInRenewed(ID))
    story.initiated(TIME_OUT)
    story.new.clear()
    story.tell(SignInRenewed(ID))
    assert "re-send" not in story.new


def test_a_renewed_sign_in_asks_nothing_about_an_end() -> None:
    """Its next check comes when it is due."""
    story = waiting()
    story.status("Payment Fail")
    due = story.wake_at
    story.tell(SignInRenewed(ID))
    assert story.wake_at == due


def test_after_continue_the_next_re_send_is_counted_from_the_start() -> None:
    """The doubt is as old as the start: ten seconds after it, not after the reply to the first copy."""
    story = Story.begun()
    story.now += 2_000
    story.initiated(TIME_OUT)
    story.restart()
    story.wish_continue()
    story.now += 5_000
    story.initiated(TIME_OUT)
    story.wait(10, asks=NOT_FOUND)
    assert story.times("re-send") == [2, 12]


def test_giving_up_in_doubt_closes_a_code_at_once() -> None:
    """Back to back with the last ask, whatever that says."""
    story = Story.begun(give_up_after_ms=60_000)
    story.initiated(TIME_OUT)
    story.wait(59.999, asks=TIME_OUT)
    story.new.clear()
    story.wait(0.001)
    assert story.new == ["ask", "close"]


@pytest.mark.parametrize("again", ["answer", "check", "refusal", "connection", "sign-in", "give up"])
def test_a_silence_after_it_is_the_first_one_again(again: str) -> None:
    """The back-off begins anew: about a second, not ten."""
    story = backed_off()
    if again == "answer":
        story.answered(INITIATED)
        story.check_now()
    elif again == "check":
        story.answered(TIME_OUT)
        story.check_now()
    elif again == "refusal":
        story.answered(NOT_FOUND)
        story.wait(2.3)
    elif again == "connection":
        story.answered(TIME_OUT)
        story.tell(ConnectionReturned(ID, story.now))
        story.wait(0)
    elif again == "sign-in":
        story.answered(TIME_OUT)
        story.tell(SignInRenewed(ID))
        story.wait(0)
    else:
        story.wait(299.999 - story.seconds, asks=TIME_OUT)
        story.wait(0.001)
    assert story.in_flight["ask"]
    story.answered(TIME_OUT)
    assert 0.9 <= gap(story) <= 1.1


def test_check_now_forgets_how_busy_the_service_was() -> None:
    """The next ask after a silence comes in a second, not in a minute."""
    story = waiting()
    story.answered(busy(60))
    story.check_now()
    story.answered(TIME_OUT)
    assert 0.9 <= gap(story) <= 1.1


def test_a_refusal_ends_the_slowness() -> None:
    """Whoever answers 5009 is not busy any more."""
    story = waiting()
    story.answered(busy(60))
    story.wait(66)
    story.answered(NOT_FOUND)
    assert gap(story) <= 3.3


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (report("Payment Success", amount=None), Reason.UNREADABLE),
        (Refused("5001"), Reason.MISCONFIGURED),
    ],
)
def test_bad_answers_are_counted_from_nothing_after_a_good_one(bad: object, reason: Reason) -> None:
    """Two, a good one, two: nobody is called. A third: somebody is."""
    story = waiting()
    for reply in (bad, bad, INITIATED, bad, bad):
        story.answered(reply)  # type: ignore[arg-type]
        story.stands_at(State.WAITING)
        story.check_now()
    story.answered(bad)  # type: ignore[arg-type]
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, reason)


def test_a_status_without_an_amount_is_readable_unless_it_is_money() -> None:
    """Only Payment Success needs it."""
    story = waiting()
    for _ in range(4):
        story.status("Merchant Initiated", amount=None)
        story.check_now()
    story.stands_at(State.WAITING)
    story.status("Customer Reject", amount=None)
    story.stands_at(State.FAILED)


def test_a_success_between_makes_the_next_contradiction_the_first() -> None:
    """It counts at once, however soon it comes."""
    story = waiting()
    story.status("Payment Success")
    for seconds, name in ((0, "Payment Fail"), (1, "Payment Success"), (1, "Payment Fail")):
        story.now += seconds * 1000
        story.check_now()
        story.status(name)
    for _ in range(2):
        story.now += 10_000
        story.check_now()
        story.status("Payment Fail")
    story.stands_at(State.DISPUTED)
