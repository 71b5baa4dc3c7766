"""Rule 3c: a QR text that cannot be shown is cancelled, and another attempt takes its place."""

import pytest

from pos_app.domain.attempt import Flag, Kind, State
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import Accepted, Refused
from tests.unit.domain.flow.story import ID, NOT_FOUND, TIME_OUT, WALLET, Story, report

INITIATED = report("Merchant Initiated")


CANCELLED = report("Merchant Cancel")


def waiting(kind: Kind = Kind.QR) -> Story:
    """The service has the payment."""
    story = Story.begun(kind)
    story.initiated()
    return story


@pytest.mark.parametrize("text", ["", "x" * 2_954, "é" * 1_477])
def test_a_lost_qr_text_is_cancelled_and_replaced_without_a_touch(text: str) -> None:
    """Rule 3c: empty, or more bytes than a code can hold."""
    story = Story.begun(Kind.QR)
    story.new.clear()
    story.initiated(Accepted(WALLET, ID, text))
    story.expect("cancel")
    assert Flag.QR_LOST in story.attempt.flags
    assert story.attempt.cancel_wish is not None
    assert story.attempt.cancel_wish.who == TERMINAL
    story.cancelled()
    story.wait(0)
    story.new.clear()
    story.answered(CANCELLED)
    story.expect("open next")


def test_the_longest_text_a_code_can_hold_is_shown() -> None:
    """2,953 bytes."""
    story = Story.begun(Kind.QR)
    story.initiated(Accepted(WALLET, ID, "x" * 2_953))
    assert story.attempt.qr_showable


def test_a_lost_reply_of_a_qr_is_replaced_too() -> None:
    """The ask finds it; nobody can scan it."""
    story = Story.begun(Kind.QR)
    story.initiated(TIME_OUT)
    story.wait(0, asks=INITIATED)
    assert story.times("cancel") == [0]
    story.wait(2, cancels=TIME_OUT, asks=CANCELLED)
    assert story.times("open next")


def test_a_qr_that_an_ask_found_first_is_lost_only_when_its_reply_is() -> None:
    """The initiate may still bring the text."""
    story = Story.begun(Kind.QR)
    story.wait(5, asks=INITIATED)
    assert not story.times("cancel")
    story.initiated(TIME_OUT)
    assert story.times("cancel") == [5]


def test_a_push_has_no_text_to_lose() -> None:
    """Rule 3c is about QR alone."""
    story = Story.begun(Kind.PUSH)
    story.initiated(Accepted(WALLET, ID))
    story.wait(60, asks=INITIATED)
    assert not story.times("cancel")


@pytest.mark.parametrize("who", ["person-1", TERMINAL])
def test_a_persons_cancel_of_a_lost_qr_opens_no_other(who: str) -> None:
    """Also at the command line, where the terminal itself is the owner."""
    story = Story.begun(Kind.QR)
    story.initiated(Accepted(WALLET, ID, ""))
    story.wish_cancel(who)
    story.cancelled()
    story.wait(0, asks=CANCELLED)
    story.stands_at(State.CANCELLED)
    assert not story.times("open next")


def test_a_lost_qr_opens_no_other_after_giving_up() -> None:
    """The customer has gone."""
    story = Story.begun(Kind.QR, give_up_after_ms=2_000)
    story.initiated(Accepted(WALLET, ID, ""))
    story.wait(5, asks=INITIATED, cancels=TIME_OUT)
    story.wait(20, asks=CANCELLED)
    story.stands_at(State.CANCELLED)
    assert not story.times("open next")


def test_a_lost_qr_opens_no_other_after_a_restart() -> None:
    """Rule 12: nothing starts by itself; the cancel still goes out."""
    story = Story.begun(Kind.QR)
    story.restart()
    story.answered(INITIATED)
    assert story.times("cancel")
    story.cancelled()
    story.wait(0, asks=CANCELLED)
    story.stands_at(State.CANCELLED)
    assert not story.times("open next")


def test_a_refused_qr_that_turns_up_at_the_service_is_cancelled_and_opens_no_other() -> None:
    """Its end was on the screen, and the till has let go: the customer was told to pay another way."""
    story = Story.begun(Kind.QR)
    story.initiated(Refused("5003"))
    story.wait(0, asks=NOT_FOUND)
    story.stands_at(State.REFUSED)
    assert story.attempt.lets_another_start
    story.wait(11)
    story.answered(INITIATED)
    assert len(story.times("cancel")) == 1
    story.cancelled()
    story.wait(0, asks=CANCELLED)
    story.stands_at(State.CANCELLED)
    assert not story.times("open next")
