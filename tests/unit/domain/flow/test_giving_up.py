"""Rule 7 and the limits that make an attempt UNRESOLVED."""

from itertools import pairwise
from typing import Any

import pytest

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import Accepted, Refused
from tests.unit.domain.flow.story import NOT_FOUND, START, TIME_OUT, WALLET, Story, report

INITIATED = report("Merchant Initiated")
APPROVED = report("Customer Approved")


def waiting(kind: Kind = Kind.QR, **facts: Any) -> Story:
    """The service has the payment."""
    story = Story.begun(kind, **facts)
    story.initiated()
    return story


@pytest.mark.parametrize("seconds", [2, 4, 6, 300])
def test_giving_up_is_a_last_ask_and_a_durable_cancel_wish(seconds: int) -> None:
    """Back to back; and the attempt is released."""
    story = waiting(give_up_after_ms=seconds * 1000)
    story.wait(seconds - 0.01, asks=INITIATED)
    before = story.attempt.gave_up_at
    assert before is None
    story.new.clear()
    story.wait(0.01)
    story.expect("ask")
    gave_up = START + seconds * 1000
    assert (story.attempt.gave_up_at, story.attempt.released_at) == (gave_up, gave_up)
    assert story.attempt.cancel_wish is not None
    assert story.attempt.cancel_wish.who == TERMINAL
    story.answered(INITIATED)
    story.expect("cancel")


def test_the_cancel_waits_two_seconds_at_most_for_the_last_ask() -> None:
    """A slow ask holds nothing up."""
    story = waiting(give_up_after_ms=4_000)
    story.wait(60)
    assert story.times("cancel") == [6]


@pytest.mark.parametrize("last", [TIME_OUT, APPROVED, NOT_FOUND, report("Pondering")])
def test_the_cancel_goes_out_as_soon_as_the_last_ask_is_answered(last: Refused) -> None:
    """Whatever it says, if it is no end."""
    story = waiting(give_up_after_ms=4_000, extendable=False)
    story.wait(4, asks=last)
    assert story.times("cancel") == [4]


def test_a_payment_between_the_last_ask_and_the_cancel_is_late() -> None:
    """The customer was quicker than the cancel."""
    story = waiting(give_up_after_ms=4_000)
    story.wait(4, asks=INITIATED)
    story.cancelled(Refused("5006"))
    story.wait(1, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)
    assert story.attempt.needs_answer


def test_giving_up_with_the_initiate_still_under_way_cancels_when_it_is_accepted() -> None:
    """--give-up-after 2, and a slow service."""
    story = Story.begun(give_up_after_ms=2_000)
    story.wait(7, asks=NOT_FOUND)
    story.stands_at(State.INTENT)
    assert not story.times("close")
    story.initiated()
    assert story.times("cancel") == [7]
    story.cancelled()
    story.wait(0.5, asks=report("Merchant Cancel"))
    story.stands_at(State.CANCELLED)


def test_giving_up_with_the_initiate_under_way_closes_a_qr_that_is_then_in_doubt() -> None:
    """3a, as for any cancel wish."""
    story = Story.begun(Kind.QR, give_up_after_ms=2_000)
    story.wait(3)
    story.initiated(TIME_OUT)
    assert story.times("close") == [3]


def test_giving_up_in_doubt_closes_a_qr_and_watches_a_push() -> None:
    """3a."""
    for kind, closed in ((Kind.QR, True), (Kind.PUSH, False)):
        story = Story.begun(kind, give_up_after_ms=2_000)
        story.initiated(TIME_OUT)
        story.wait(30, asks=NOT_FOUND)
        assert bool(story.times("close")) is closed


def test_progress_gives_two_more_minutes_once() -> None:
    """Rule 7."""
    story = waiting()
    story.wait(419, asks=APPROVED)
    assert story.attempt.gave_up_at is None
    story.wait(2, asks=APPROVED)
    assert story.attempt.gave_up_at == START + 420_000


def test_a_fixed_give_up_is_not_extended() -> None:
    """--give-up-after: the seconds are what was asked for."""
    story = waiting(give_up_after_ms=6_000, extendable=False)
    story.wait(6.1, asks=APPROVED)
    assert story.attempt.gave_up_at == START + 6_000


def test_waiting_becomes_unresolved_a_minute_after_giving_up() -> None:
    """And stays so, however often the service says it is still initiated; the asking goes on."""
    story = waiting()
    story.wait(359, asks=INITIATED, cancels=TIME_OUT)
    story.stands_at(State.WAITING)
    story.wait(1, asks=INITIATED, cancels=TIME_OUT)
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.GAVE_UP)
    walked = len(story.walked)
    story.wait(3_600, asks=INITIATED, cancels=TIME_OUT)
    assert len(story.walked) == walked, "no flapping"
    story.wait(400, asks=report("Merchant Cancel"))
    story.stands_at(State.CANCELLED)


def test_unresolved_before_giving_up_waits_again_when_the_service_knows_it() -> None:
    """UNRESOLVED → WAITING, once."""
    story = waiting()
    story.wait(190, asks=report("Pondering"))
    assert (story.state, story.attempt.reason) == (State.UNRESOLVED, Reason.UNKNOWN_STATUS)
    assert story.attempt.released_at is None
    story.wait(10, asks=INITIATED)
    story.stands_at(State.WAITING)
    assert story.attempt.reason is Reason.NONE


def test_a_panel_left_while_unresolved_releases() -> None:
    """Words: not by UNRESOLVED while its panel is still open."""
    story = waiting()
    story.wait(190, asks=report("Pondering"))
    story.leave_panel()
    assert story.attempt.released_at == story.now
    assert story.attempt.parked
    story.wait(30, asks=report("Payment Success"))
    story.stands_at(State.PAID_LATE)


def test_neither_parking_nor_a_wish_nor_an_open_panel_releases() -> None:
    """Words."""
    story = waiting()
    story.leave_panel()
    story.park()
    story.wish_cancel()
    assert story.attempt.parked
    assert story.attempt.released_at is None
    story.cancelled(Refused("5006"))
    story.wait(0, asks=report("Payment Success"))
    story.stands_at(State.PAID)


def test_an_end_cannot_be_parked() -> None:
    """It waits for nothing."""
    story = waiting()
    story.check_now()
    story.status("Payment Success")
    story.park()
    assert not story.attempt.parked


def test_an_unresolved_payment_is_asked_about_for_seven_days_and_then_at_closings() -> None:
    """10 s to 15 min, 30 s to 1 h, 5 min to 24 h, hourly to 7 days."""
    story = waiting()
    story.wait(300 + 8 * 86_400, asks=INITIATED, cancels=Refused("5008"))
    released = [at - 300 for at in story.times("ask") if at > 300.1]
    for start, end, interval in (
        (70, 900, 10),
        (900, 3_600, 30),
        (3_600, 86_400, 300),
        (90_001, 604_800, 3_600),
    ):
        within = [at for at in released if start <= at < end]
        gaps = [later - earlier for earlier, later in pairwise(within)]
        usual = sorted(gaps)[len(gaps) // 2]
        assert 0.9 * interval <= usual <= 1.1 * interval, (start, usual)
    assert released[-1] < 604_800 + 4_000


def test_giving_up_on_a_lost_qr_does_not_ask_for_another() -> None:
    """A code nobody saw, and nobody is there."""
    story = Story.begun(Kind.QR, give_up_after_ms=3_000)
    story.initiated(Accepted(WALLET, "", ""))
    story.wait(4, asks=INITIATED, cancels=TIME_OUT)
    assert not story.times("open next")


def test_a_cancel_that_is_due_waits_until_the_service_knows_the_id() -> None:
    """Two seconds after giving up a push is still in doubt: there is nothing to cancel."""
    story = Story.begun(Kind.PUSH)
    story.initiated(TIME_OUT)
    story.wait(299.9, asks=TIME_OUT)
    story.wait(10)
    assert story.attempt.gave_up_at == START + 300_000
    assert not story.times("cancel")
    assert story.live.watch.cancel_at is None
