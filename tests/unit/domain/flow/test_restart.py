"""Rule 12: everything survives a restart; the till asks first and re-sends nothing by itself."""

import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.commands import Continue
from pos_app.domain.events import AnotherStarted, SignInRenewed
from pos_app.domain.flow import step
from pos_app.domain.replies import Refused
from tests.unit.domain.flow.story import (
    ID,
    NOT_FOUND,
    NOT_UNIQUE,
    START,
    TIME_OUT,
    UNAUTHORISED,
    Story,
    report,
)
from tests.unit.domain.flow.test_transitions import WAYS

INITIATED = report("Merchant Initiated")


@pytest.mark.parametrize("state", list(State))
def test_a_restart_asks_about_what_has_not_ended_and_sends_nothing(state: State) -> None:
    """An intent may or may not have left."""
    story = Story.begun()
    WAYS[state](story)
    before = story.attempt
    story.new.clear()
    story.restart()
    ended = before.is_final and state is not State.REFUSED
    assert story.new == ([] if ended else ["ask"])
    assert story.state is (State.IN_DOUBT if state is State.INTENT else state)


@pytest.mark.parametrize("kind", list(Kind))
def test_nothing_is_re_sent_by_itself_after_a_restart(kind: Kind) -> None:
    """Not on 5009, not on a renewed sign-in, not to close a QR, not on giving up."""
    story = Story.begun(kind)
    story.initiated(UNAUTHORISED)
    story.restart()
    story.wait(20, asks=NOT_FOUND)
    story.tell(SignInRenewed(ID))
    story.wait(400, asks=NOT_FOUND)
    assert not story.times("re-send")
    assert not story.times("close")
    story.stands_at(State.UNRESOLVED)


def test_a_wish_from_before_the_restart_re_sends_nothing_but_cancels() -> None:
    """Rule 6 goes on, 3a waits for a person."""
    story = Story.begun(Kind.QR)
    story.wish_cancel()
    story.restart()
    story.wait(10, asks=NOT_FOUND)
    assert not story.times("close")
    story.wait(3, asks=INITIATED)
    assert story.times("cancel")


def test_continue_re_sends_within_a_minute_of_the_tap() -> None:
    """The cashier chose; rule 3 goes on from there."""
    story = Story.begun(Kind.PUSH)
    story.restart(off_s=40)
    story.answered(NOT_FOUND)
    story.new.clear()
    story.wish_continue()
    story.expect("re-send", "ask")
    story.initiated()
    story.stands_at(State.WAITING)


def test_continue_only_asks_later_than_a_minute_after_the_tap() -> None:
    """Rule 12."""
    story = Story.begun(Kind.PUSH)
    story.restart(off_s=61)
    story.answered(NOT_FOUND)
    story.new.clear()
    story.wish_continue()
    story.expect("ask")
    story.wait(100, asks=NOT_FOUND)
    assert not story.times("re-send")


def test_close_makes_a_tombstone_whatever_its_age() -> None:
    """3a, for push and QR."""
    for kind in Kind:
        story = Story.begun(kind)
        story.restart(off_s=200)
        story.answered(NOT_FOUND)
        story.wish_close()
        story.initiated(NOT_UNIQUE)
        story.cancelled()
        story.wait(0, asks=report("Merchant Cancel"))
        story.stands_at(State.CANCELLED)


def test_money_from_while_the_till_was_off_is_found_by_the_first_ask() -> None:
    """Before anything else is decided: it was never let go of."""
    story = Story.begun(Kind.PUSH)
    story.initiated()
    story.restart(off_s=3_600)
    story.wait(1)
    assert story.attempt.gave_up_at is None
    story.status("Payment Success")
    story.stands_at(State.PAID)


def test_the_give_up_that_passed_while_the_till_was_off_follows_the_first_ask() -> None:
    """And its cancel."""
    story = Story.begun(Kind.PUSH)
    story.initiated()
    story.restart(off_s=3_600)
    story.answered(INITIATED)
    story.wait(0)
    assert story.attempt.gave_up_at == START + 3_600_000
    story.wait(0, asks=INITIATED)
    assert story.times("cancel") == [3_600]


@pytest.mark.parametrize("reply", [TIME_OUT, None])
def test_a_first_ask_without_an_answer_holds_the_give_up_for_five_seconds(reply: Refused | None) -> None:
    """At most."""
    story = Story.begun(Kind.PUSH)
    story.initiated()
    story.restart(off_s=3_600)
    story.wait(5, asks=reply)
    assert story.attempt.gave_up_at is not None


def test_an_old_doubt_is_unresolved_after_the_first_ask() -> None:
    """Never before it."""
    story = Story.begun(Kind.PUSH)
    story.restart(off_s=3_600)
    story.stands_at(State.IN_DOUBT)
    story.answered(NOT_FOUND)
    story.wait(0)
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.NO_ANSWER)


def test_the_two_minutes_more_are_not_given_twice() -> None:
    """Rule 7: once, restarts included."""
    story = Story.begun()
    story.initiated()
    story.wait(10, asks=report("Customer Approved"))
    story.restart()
    story.wait(500, asks=report("Customer Approved"))
    assert story.attempt.gave_up_at == START + 420_000


def test_the_three_re_sends_are_counted_across_a_restart() -> None:
    """The count is durable."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wait(31, asks=NOT_FOUND, initiates=TIME_OUT)
    story.restart()
    story.wish_continue()
    assert len(story.times("re-send")) == 3


def test_a_shown_qr_is_shown_again() -> None:
    """Its text is durable."""
    story = Story.begun(Kind.QR)
    story.initiated()
    story.restart(off_s=20)
    story.answered(INITIATED)
    assert story.attempt.qr_showable
    assert not story.times("cancel")


def test_a_later_attempt_releases_the_earlier() -> None:
    """Words: money that still comes for it is late."""
    story = Story.begun()
    story.initiated()
    story.tell(AnotherStarted(ID))
    assert story.attempt.released_at == story.now
    story.check_now()
    story.status("Payment Success")
    story.stands_at(State.PAID_LATE)


def test_two_more_minutes_that_have_passed_too_are_not_waited_for() -> None:
    """Off for an hour, with progress before."""
    story = Story.begun()
    story.initiated()
    story.wait(10, asks=report("Customer Approved"))
    story.restart(off_s=3_600)
    story.answered(INITIATED)
    story.wait(0)
    assert story.attempt.gave_up_at == story.now


def test_who_chose_to_go_on_is_written_though_nothing_changes() -> None:
    """Rule 12: what goes out again after a start does so at the word of somebody the journal names."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.restart(off_s=90)
    outcome = step(story.live, Continue(ID, "person-1"), story.now, story.rules)
    assert outcome.live.attempt == story.attempt
    assert outcome.durable
    story.tell(Continue(ID, "person-1"))
    assert not step(story.live, Continue(ID, "person-1"), story.now, story.rules).durable


def test_what_lay_open_while_the_till_was_off_is_looked_for_closely() -> None:
    """Found by seed 62181: its one ask of the start came back garbled, and the next was due in five minutes."""
    story = Story.begun()
    story.initiated()
    story.wait(400, asks=INITIATED)
    story.restart(off_s=11 * 3_600)
    story.answered(report("Merchant Cancel", external_id="SBX-T99999999-0001-1"))
    story.new.clear()
    story.wait(12)
    assert "ask" in story.new
