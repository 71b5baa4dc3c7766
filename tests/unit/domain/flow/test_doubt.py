"""Rule 3 and 19: re-sending the same bytes while nobody knows whether they arrived."""

import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.events import SignInRenewed
from pos_app.domain.replies import Refused
from tests.unit.domain.flow.story import (
    ACCEPTED,
    ID,
    NOT_FOUND,
    NOT_UNIQUE,
    TIME_OUT,
    UNAUTHORISED,
    Story,
    busy,
    http,
    report,
)


def in_doubt(kind: Kind = Kind.PUSH) -> Story:
    """The first send was not answered, at once."""
    story = Story.begun(kind)
    story.initiated(TIME_OUT)
    return story


def test_5009_re_sends_the_same_bytes_after_3_10_and_30_seconds() -> None:
    """Rule 3: three times, and an ask between each two."""
    story = in_doubt()
    story.wait(299, asks=NOT_FOUND, initiates=TIME_OUT)
    assert story.times("re-send") == [3, 10, 30]
    assert story.attempt.resends == 3
    words = [word for word, _ in story.sent_at]
    places = [place for place, word in enumerate(words) if word == "re-send"]
    assert all(words[place - 1] == "ask" for place in places)
    story.stands_at(State.IN_DOUBT)


def test_a_5009_that_left_before_the_re_send_came_back_re_sends_nothing() -> None:
    """Asking before each: an older ask does not count."""
    story = in_doubt()
    story.wait(3, asks=NOT_FOUND)
    assert story.times("re-send") == [3]
    story.wait(8)
    story.initiated(TIME_OUT)
    story.answered(NOT_FOUND)
    assert story.times("re-send") == [3]
    story.wait(0, asks=NOT_FOUND)
    assert story.times("re-send") == [3, 11]


def test_nothing_is_re_sent_later_than_a_minute_after_the_tap() -> None:
    """However late the first 5009 comes."""
    story = in_doubt()
    story.wait(60.2, asks=TIME_OUT)
    story.wait(200, asks=NOT_FOUND)
    assert not story.times("re-send")


def test_nothing_is_re_sent_without_5009() -> None:
    """Silence says nothing."""
    story = in_doubt()
    story.wait(120, asks=TIME_OUT)
    assert not story.times("re-send")


def test_a_doubt_of_five_minutes_is_unresolved() -> None:
    """Rule 3; and the till has let go, so money is late."""
    story = in_doubt()
    story.wait(300, asks=NOT_FOUND, initiates=TIME_OUT)
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.NO_ANSWER)
    story.wait(12, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)


def test_a_re_send_called_taken_is_asked_about() -> None:
    """5000 on a re-send means: it exists."""
    story = in_doubt()
    story.wait(3, asks=NOT_FOUND)
    story.initiated(NOT_UNIQUE)
    story.new.clear()
    story.wait(0)
    story.expect("ask")
    story.status("Merchant Initiated")
    story.stands_at(State.WAITING)


def test_a_re_send_that_is_accepted_brings_the_code() -> None:
    """Neither copy had arrived."""
    story = in_doubt(Kind.QR)
    story.wait(3, asks=NOT_FOUND, initiates=ACCEPTED)
    story.stands_at(State.WAITING)
    assert story.attempt.qr_showable


def test_a_refused_re_send_is_asked_about_and_is_no_refusal() -> None:
    """An earlier copy may be on its way."""
    story = in_doubt()
    story.wait(3.1, asks=NOT_FOUND, initiates=Refused("5003"))
    story.stands_at(State.IN_DOUBT)


def test_two_refused_re_sends_with_5009_between_are_unresolved() -> None:
    """Rule 4: a person has to look."""
    story = in_doubt()
    story.wait(10, asks=NOT_FOUND, initiates=Refused("5003"))
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.REFUSED_COPY)
    story.wait(60, asks=NOT_FOUND)
    assert len(story.times("re-send")) == 2


@pytest.mark.parametrize("kind", list(Kind))
def test_a_copy_sent_to_close_an_id_voids_its_refusal_by_http(kind: Kind) -> None:
    """The copy may come late: two asks answered 5009 no longer say that nothing can be charged."""
    story = Story.begun(kind)
    story.initiated(http(400))
    story.wait(1, asks=NOT_FOUND)
    story.wish_close()
    story.initiated(TIME_OUT)
    story.wait(20, asks=NOT_FOUND, initiates=TIME_OUT)
    story.stands_at(State.IN_DOUBT)
    assert not story.attempt.lets_another_start


def test_an_unknown_code_on_a_re_send_leaves_the_doubt() -> None:
    """Neither accepted nor refused."""
    story = in_doubt()
    story.wait(3, asks=NOT_FOUND, initiates=Refused("5999"))
    story.stands_at(State.IN_DOUBT)


@pytest.mark.parametrize("reply", [NOT_UNIQUE, Refused("5003"), TIME_OUT])
def test_a_late_answer_of_a_re_send_does_not_move_an_end(reply: Refused) -> None:
    """The ask was quicker."""
    story = in_doubt()
    story.wait(3, asks=NOT_FOUND)
    story.check_now()
    story.status("Customer Reject")
    story.initiated(reply)
    story.stands_at(State.FAILED)


def test_a_cancel_wish_stops_the_re_sends() -> None:
    """A push may ring: it is watched, and cancelled if it turns up."""
    story = in_doubt(Kind.PUSH)
    story.wish_cancel()
    story.wait(120, asks=NOT_FOUND)
    assert not story.times("re-send")
    assert not story.times("close")
    story.wait(3, asks=report("Merchant Initiated"))
    assert story.times("cancel")


def test_a_busy_service_is_not_hurried_for_a_re_send() -> None:
    """429 on the initiate: the ask waits as long as it was told, and so does the re-send."""
    story = Story.begun(Kind.PUSH)
    story.initiated(busy(12))
    story.wait(30, asks=NOT_FOUND, initiates=ACCEPTED)
    assert 12 <= story.times("ask")[0] <= 13.2
    assert story.times("re-send")[0] >= 12


def test_a_renewed_sign_in_re_sends_an_initiate_that_met_401_at_once() -> None:
    """Rule 19."""
    story = Story.begun(Kind.PUSH)
    story.initiated(UNAUTHORISED)
    story.wait(2)
    story.new.clear()
    story.tell(SignInRenewed(ID))
    story.expect("re-send")


def test_a_renewed_sign_in_re_sends_nothing_that_had_not_met_401() -> None:
    """Rule 3 asks first."""
    story = in_doubt()
    story.wait(2)
    story.answered(UNAUTHORISED)
    story.new.clear()
    story.tell(SignInRenewed(ID))
    assert story.new in ([], ["ask"])
    story.wait(0)
    story.expect("ask")


def test_a_renewed_sign_in_re_sends_nothing_a_minute_after_the_tap() -> None:
    """Rule 19: within 60 s of the tap."""
    story = Story.begun(Kind.PUSH)
    story.initiated(UNAUTHORISED)
    story.wait(61, asks=UNAUTHORISED)
    story.tell(SignInRenewed(ID))
    assert not story.times("re-send")


def test_a_renewed_sign_in_re_sends_nothing_after_a_cancel_wish() -> None:
    """I1c."""
    story = Story.begun(Kind.PUSH)
    story.initiated(UNAUTHORISED)
    story.wish_cancel()
    story.tell(SignInRenewed(ID))
    assert not story.times("re-send")
