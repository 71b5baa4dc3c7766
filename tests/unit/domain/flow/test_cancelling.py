"""Rules 6, 3a and 3c: a cancel is a durable wish, an id can be closed, a lost QR text is replaced."""

import itertools

import pytest

from pos_app.domain.attempt import Flag, Kind, Reason, State
from pos_app.domain.commands import Close
from pos_app.domain.flow import step
from pos_app.domain.replies import Accepted, CancelReply, Refused
from tests.unit.domain.flow.story import (
    ACCEPTED,
    AMOUNT,
    ID,
    NOT_FOUND,
    NOT_UNIQUE,
    TIME_OUT,
    UNAUTHORISED,
    Story,
    busy,
    report,
)

INITIATED = report("Merchant Initiated")
CANCELLED = report("Merchant Cancel")


def waiting(kind: Kind = Kind.QR) -> Story:
    """The service has the payment."""
    story = Story.begun(kind)
    story.initiated()
    return story


def test_who_wanted_an_id_closed_is_written_though_a_wish_stands() -> None:
    """I1c: the bytes that go out again for it do so at the word of somebody the journal names."""
    story = Story.begun(Kind.PUSH)
    story.wish_cancel()
    outcome = step(story.live, Close(ID, "person-1"), story.now, story.rules)
    assert outcome.live.attempt == story.attempt
    assert outcome.durable
    story.tell(Close(ID, "person-1"))
    assert not step(story.live, Close(ID, "person-1"), story.now, story.rules).durable


def test_a_closing_copy_called_taken_sends_no_second_cancel_within_five_seconds() -> None:
    """Rule 6: an ask was quicker, saw the payment and had it cancelled; the copy's 5000 comes behind it."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wait(0.1, asks=NOT_FOUND)
    story.wish_close()
    story.wait(3, asks=INITIATED, cancels=Refused("5009"))
    story.initiated(NOT_UNIQUE)
    assert len(story.times("cancel")) == 1
    story.wait(6, asks=INITIATED)
    first, second = story.times("cancel")
    assert second - first >= 5


def test_a_cancel_goes_out_at_once_and_only_a_status_closes() -> None:
    """Rule 6: cancel's success proves nothing."""
    story = waiting()
    story.wish_cancel("person-2")
    story.expect("cancel")
    assert story.attempt.cancel_wish is not None
    assert story.attempt.cancel_wish.who == "person-2"
    story.cancelled()
    story.stands_at(State.WAITING)
    story.wait(0)
    story.expect("ask")
    story.status("Merchant Cancel")
    story.stands_at(State.CANCELLED)
    assert story.attempt.lets_another_start
    assert Flag.CANCEL_NOT_OURS not in story.attempt.flags


@pytest.mark.parametrize("reply", [NOT_FOUND, TIME_OUT, UNAUTHORISED, Refused("5006"), Refused("5999")])
def test_the_wish_sends_cancel_again_while_the_service_says_initiated(reply: CancelReply) -> None:
    """Rule 6: whatever the last one said, at least 5 s apart, for ever."""
    story = waiting()
    story.wish_cancel()
    story.wait(60, asks=INITIATED, cancels=reply)
    times = story.times("cancel")
    assert len(times) >= 8
    assert all(5 <= later - earlier <= 8 for earlier, later in itertools.pairwise(times))


def test_a_double_click_on_cancel_sends_one() -> None:
    """One in flight; and one wish."""
    story = waiting()
    story.wish_cancel()
    story.wish_cancel()
    story.expect("cancel")
    assert story.attempt.cancel_wish is not None


def test_the_wish_outlives_giving_up_and_a_restart() -> None:
    """It is durable, and sends again as soon as the service says initiated."""
    story = waiting()
    story.wish_cancel()
    story.wait(320, asks=INITIATED, cancels=TIME_OUT)
    story.restart()
    story.new.clear()
    story.answered(INITIATED)
    story.expect("cancel")


@pytest.mark.parametrize("code", ["5006", "5007"])
def test_a_cancel_that_came_too_late_is_asked_about_at_once(code: str) -> None:
    """Already being processed."""
    story = waiting()
    story.wish_cancel()
    story.cancelled(Refused(code))
    story.new.clear()
    story.wait(0)
    story.expect("ask")
    assert Flag.CANCEL_TOO_LATE in story.attempt.flags
    story.status("Payment Success")
    story.stands_at(State.PAID)
    assert story.attempt.needs_answer


@pytest.mark.parametrize("code", ["5008", "5011", "5012"])
def test_a_cancel_without_the_right_is_not_repeated(code: str) -> None:
    """Call the manager."""
    story = waiting()
    story.wish_cancel()
    story.wait(60, asks=INITIATED, cancels=Refused(code))
    assert story.times("cancel") == [0]
    assert Flag.CANCEL_NOT_ALLOWED in story.attempt.flags


def test_a_cancel_during_the_first_send_goes_out_when_it_is_accepted() -> None:
    """One call after the other; no bytes after the wish."""
    story = Story.begun()
    story.wish_cancel()
    story.expect()
    story.initiated()
    story.expect("cancel")


def test_a_cancelled_end_takes_no_wish() -> None:
    """Nothing is left to be cancelled."""
    story = waiting()
    story.check_now()
    story.status("Customer Reject")
    story.wish_cancel()
    assert story.attempt.cancel_wish is None


def test_a_busy_service_is_left_alone_after_a_cancel() -> None:
    """429 on cancel: the ask waits too."""
    story = waiting()
    story.wish_cancel()
    story.cancelled(busy(9))
    story.wait(20, asks=INITIATED)
    assert 9 <= story.times("ask")[0] <= 9.9


def test_a_cancel_by_somebody_else_is_flagged() -> None:
    """`Merchant Cancel` closes even when we never asked for it."""
    story = waiting()
    story.check_now()
    story.answered(CANCELLED)
    story.stands_at(State.CANCELLED)
    assert Flag.CANCEL_NOT_OURS in story.attempt.flags


@pytest.mark.parametrize("reply", [ACCEPTED, NOT_UNIQUE])
def test_a_qr_in_doubt_is_closed_by_the_same_bytes_and_a_cancel_at_once(reply: Accepted | Refused) -> None:
    """Rule 3a: on success and on 5000 alike."""
    story = Story.begun(Kind.QR)
    story.initiated(TIME_OUT)
    story.new.clear()
    story.wish_cancel()
    story.expect("close")
    story.initiated(reply)
    story.expect("cancel")
    story.cancelled()
    story.wait(0, asks=CANCELLED)
    story.stands_at(State.CANCELLED)


def test_a_wish_during_a_first_send_that_fails_closes_the_qr() -> None:
    """The doubt comes after the wish."""
    story = Story.begun(Kind.QR)
    story.wish_cancel()
    story.initiated(TIME_OUT)
    assert story.new[0] == "close"


def test_closing_is_tried_again_until_it_is_answered() -> None:
    """At least 5 s apart, and only after 5009."""
    story = Story.begun(Kind.QR)
    story.initiated(TIME_OUT)
    story.wish_cancel()
    story.wait(30, asks=NOT_FOUND, initiates=TIME_OUT)
    times = story.times("close")
    assert len(times) >= 4
    assert all(later - earlier >= 5 for earlier, later in itertools.pairwise(times))


def test_closing_ends_when_the_copies_are_refused() -> None:
    """A refused copy makes no tombstone: a person has to look."""
    story = Story.begun(Kind.QR)
    story.initiated(TIME_OUT)
    story.wish_cancel()
    story.wait(120, asks=NOT_FOUND, initiates=Refused("5003"))
    assert len(story.times("close")) == 2
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.REFUSED_COPY)


def test_a_push_in_doubt_is_closed_only_when_it_is_asked_for() -> None:
    """Rule 3a: the phone may ring."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wish_cancel()
    story.wait(10, asks=NOT_FOUND)
    assert not story.times("close")
    story.wish_close()
    assert story.times("close") == [10]
    story.initiated(NOT_UNIQUE)
    assert story.times("cancel") == [10]


def test_an_unresolved_id_can_still_be_closed() -> None:
    """Rule 3a makes an end of what nobody could find."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wait(301, asks=NOT_FOUND, initiates=TIME_OUT)
    story.stands_at(State.UNRESOLVED)
    story.wish_close()
    story.wait(1, asks=CANCELLED, initiates=NOT_UNIQUE, cancels=TIME_OUT)
    story.stands_at(State.CANCELLED)


def test_a_disputed_payment_is_cancelled_while_the_service_says_initiated() -> None:
    """The customer is being asked for another amount; the wish stands."""
    story = waiting()
    story.check_now()
    story.status("Merchant Initiated", amount=AMOUNT + 1)
    story.stands_at(State.DISPUTED)
    story.wish_cancel()
    story.wait(60, asks=report("Merchant Initiated", amount=AMOUNT + 1), cancels=TIME_OUT)
    assert len(story.times("cancel")) >= 4
    story.stands_at(State.DISPUTED)


def test_a_dispute_about_another_transaction_cancels_nothing() -> None:
    """It may be somebody else's."""
    story = waiting()
    for _ in range(3):
        story.check_now()
        story.status("Merchant Initiated", merchant_id="M-2")
    story.wish_cancel()
    story.wait(60, asks=report("Merchant Initiated", merchant_id="M-2"))
    assert not story.times("cancel")
