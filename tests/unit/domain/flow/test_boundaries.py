"""The very millisecond at which a rule begins or ends, and the two ends of the jitter."""

from __future__ import annotations

import zlib
from itertools import count, pairwise

import pytest

from pos_app.domain.attempt import Flag, Kind, Reason, State
from pos_app.domain.flow import Live
from pos_app.domain.people import TERMINAL
from pos_app.domain.replies import Accepted, CancelAccepted, Refused
from tests.unit.domain.flow.story import (
    ID,
    NOT_FOUND,
    START,
    TIME_OUT,
    WALLET,
    Story,
    attempt,
    busy,
    http,
    report,
)

INITIATED = report("Merchant Initiated")


def id_with(jitter: int, asks: int = 1) -> str:
    """An attempt whose wait after so many asks is the shortest (0) or the longest (2000) there is."""
    names = (f"SBX-T{number}" for number in count())
    return next(name for name in names if zlib.crc32(f"{name}/{asks}".encode()) % 2001 == jitter)


def waiting(attempt_id: str = ID, kind: Kind = Kind.QR) -> Story:
    """The service has the payment, and the first ask is under way."""
    story = Story.begun(kind, attempt_id=attempt_id)
    story.initiated(Accepted(WALLET, "", "qr"))
    story.wait(3)
    story.new.clear()
    return story


def at(story: Story, after_tap_ms: int) -> None:
    """Puts the clock there, whatever was due."""
    assert story.now <= START + after_tap_ms
    story.now = START + after_tap_ms


def gap(story: Story) -> int:
    """Until the till wakes (ms)."""
    assert story.wake_at is not None
    return story.wake_at - story.now


@pytest.mark.parametrize(("jitter", "wait_ms"), [(0, 1_800), (2_000, 2_200)])
def test_an_interval_is_a_tenth_shorter_or_longer_at_most(jitter: int, wait_ms: int) -> None:
    """±10 % of two seconds."""
    story = waiting(id_with(jitter))
    story.answered(report("Merchant Initiated", external_id=story.attempt.attempt_id))
    assert gap(story) == wait_ms


@pytest.mark.parametrize(("jitter", "wait_ms"), [(0, 27_000), (2_000, 33_000)])
def test_a_long_interval_is_a_tenth_shorter_or_longer_at_most(jitter: int, wait_ms: int) -> None:
    """±10 % of half a minute, to the millisecond."""
    story = Story.begun(attempt_id=id_with(jitter), give_up_after_ms=10_000_000)
    story.initiated(Accepted(WALLET, "", "qr"))
    story.wait(3)
    at(story, 900_000)
    story.answered(TIME_OUT)
    assert gap(story) == wait_ms


@pytest.mark.parametrize(("jitter", "wait_ms"), [(0, 60_000), (2_000, 66_000)])
def test_a_promised_wait_is_never_shorter(jitter: int, wait_ms: int) -> None:
    """A minute that a busy service asked for."""
    story = waiting(id_with(jitter))
    story.answered(busy(60))
    assert gap(story) == wait_ms


@pytest.mark.parametrize(("jitter", "wait_ms"), [(0, 3_240), (2_000, 3_960)])
def test_an_http_refusal_is_asked_about_more_than_three_seconds_apart(jitter: int, wait_ms: int) -> None:
    """So that two asks are always far enough apart to confirm it."""
    story = Story.begun(Kind.PUSH, attempt_id=id_with(jitter))
    story.initiated(http(404))
    story.wait(0)
    story.answered(NOT_FOUND)
    assert gap(story) == wait_ms


@pytest.mark.parametrize(
    ("after_ms", "shortest", "longest"),
    [
        (59_999, 1_800, 2_200),
        (60_000, 2_700, 3_300),
        (179_999, 2_700, 3_300),
        (180_000, 4_500, 5_500),
    ],
)
def test_the_interval_changes_at_one_and_at_three_minutes(after_ms: int, shortest: int, longest: int) -> None:
    """Counted from initiate's reply."""
    story = waiting()
    at(story, after_ms)
    story.answered(INITIATED)
    assert shortest <= gap(story) <= longest


@pytest.mark.parametrize(
    ("after_ms", "shortest", "longest"), [(899_999, 900, 1_100), (900_000, 27_000, 33_000)]
)
def test_an_old_attempt_backs_off_at_a_quarter_of_an_hour(after_ms: int, shortest: int, longest: int) -> None:
    """From then on 30 s after the first silence too."""
    story = Story.begun(give_up_after_ms=10_000_000)
    story.initiated()
    story.wait(3)
    at(story, after_ms)
    story.answered(TIME_OUT)
    assert shortest <= gap(story) <= longest


@pytest.mark.parametrize(("after_ms", "shortest", "longest"), [(32_999, 900, 1_100), (33_000, 1_800, 2_200)])
def test_the_hurry_of_progress_lasts_thirty_seconds(after_ms: int, shortest: int, longest: int) -> None:
    """Progress was first seen at 3 s."""
    story = waiting()
    story.status("Customer Approved")
    story.check_now()
    at(story, after_ms)
    story.status("Customer Approved")
    assert shortest <= gap(story) <= longest


def test_a_recheck_at_the_very_time_is_not_repeated_at_once() -> None:
    """An end is asked about 10 s after it; the next time is a minute after it."""
    story = waiting()
    story.status("Payment Fail")
    at(story, 13_000)
    story.check_now()
    story.status("Payment Fail")
    assert gap(story) >= 50_000


@pytest.mark.parametrize(("after_ms", "goes_on"), [(1_802_999, True), (1_803_000, False)])
def test_silence_after_an_end_is_asked_into_for_half_an_hour(after_ms: int, goes_on: bool) -> None:
    """Twice the last recheck; then closings ask."""
    story = waiting()
    story.status("Payment Fail")
    story.check_now()
    at(story, after_ms)
    story.answered(TIME_OUT)
    assert (story.wake_at is not None) is goes_on


@pytest.mark.parametrize(("since_ms", "sent"), [(4_999, False), (5_000, True)])
def test_two_cancels_are_five_seconds_apart(since_ms: int, sent: bool) -> None:
    """To the millisecond."""
    story = waiting()
    story.answered(INITIATED)
    story.wish_cancel()
    story.cancelled()
    story.wait(0)
    story.expect("cancel", "ask")
    at(story, 3_000 + since_ms)
    story.answered(INITIATED)
    assert story.new == (["cancel"] if sent else [])


@pytest.mark.parametrize(("since_ms", "sent"), [(4_999, False), (5_000, True)])
def test_two_closing_copies_are_five_seconds_apart(since_ms: int, sent: bool) -> None:
    """To the millisecond."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.wish_cancel()
    story.initiated(TIME_OUT)
    story.expect("close")
    at(story, since_ms)
    story.wait(0)
    story.answered(NOT_FOUND)
    assert story.new == (["ask", "close"] if sent else ["ask"])


@pytest.mark.parametrize(("after_ms", "sent"), [(60_000, True), (60_001, False)])
def test_bytes_go_again_up_to_a_minute_after_the_tap(after_ms: int, sent: bool) -> None:
    """The last millisecond counts."""
    story = Story.begun()
    story.initiated(TIME_OUT)
    story.restart()
    at(story, after_ms)
    story.new.clear()
    story.wish_continue()
    assert story.new == (["re-send"] if sent else [])


@pytest.mark.parametrize(("apart_ms", "state"), [(2_999, State.IN_DOUBT), (3_000, State.REFUSED)])
def test_two_asks_three_seconds_apart_confirm_an_http_refusal(apart_ms: int, state: State) -> None:
    """Rule 4."""
    story = Story.begun(Kind.PUSH)
    story.initiated(http(404))
    story.wait(0)
    story.answered(NOT_FOUND)
    at(story, apart_ms)
    story.check_now()
    story.answered(NOT_FOUND)
    story.stands_at(state)


@pytest.mark.parametrize(("apart_ms", "state"), [(9_999, State.WAITING), (10_000, State.FAILED)])
def test_a_failed_scan_is_an_end_when_seen_again_ten_seconds_later(apart_ms: int, state: State) -> None:
    """With a wish, and a cancel that came too late."""
    story = waiting()
    story.wish_cancel()
    story.cancelled(Refused("5006"))
    story.status("Verification Fail")
    at(story, 3_000 + apart_ms)
    story.check_now()
    story.status("Verification Fail")
    story.stands_at(state)


@pytest.mark.parametrize(("apart_ms", "state"), [(9_999, State.PAID), (10_000, State.DISPUTED)])
def test_contradictions_of_money_count_ten_seconds_apart(apart_ms: int, state: State) -> None:
    """The second and the third so far from the one before."""
    story = waiting()
    story.status("Payment Success")
    for number in range(3):
        at(story, 3_000 + number * apart_ms)
        story.check_now()
        story.status("Payment Fail")
    story.stands_at(state)


@pytest.mark.parametrize(("after_ms", "state"), [(359_999, State.WAITING), (360_000, State.UNRESOLVED)])
def test_a_minute_after_giving_up_an_unresolved_payment_stays_with_people(
    after_ms: int, state: State
) -> None:
    """Before that it may wait again, though it was given up already."""
    story = waiting()
    story.wait(20, asks=report("Payment Success", amount=None))
    assert story.attempt.reason is Reason.UNREADABLE
    story.wait(300 - story.seconds, asks=TIME_OUT)
    assert story.attempt.gave_up_at == START + 300_000
    story.wait(359 - story.seconds, asks=TIME_OUT, cancels=CancelAccepted())
    story.check_now()
    at(story, after_ms)
    story.answered(INITIATED)
    story.stands_at(state)


def test_a_refused_attempt_that_is_never_answered_is_asked_about_by_the_age_of_its_end() -> None:
    """A till that was off for an hour: every 10 s for a quarter of an hour from the refusal, not from the tap."""
    refused = attempt(
        state=State.REFUSED, code="5003", tapped_at=START - 3_600_000, ended_at=START, released_at=START
    )
    story = Story(Live(refused))
    story.restart()
    story.wait(1_800, asks=TIME_OUT)
    asks = story.times("ask")
    early = [later - earlier for earlier, later in pairwise(asks) if 20 < later < 900]
    late = [later - earlier for earlier, later in pairwise(asks) if earlier > 900]
    assert len(early) > 50
    assert all(10 <= each <= 11 for each in early)
    assert len(late) > 20
    assert all(30 <= each <= 33 for each in late)


def test_the_terminal_gives_up_in_its_own_name() -> None:
    """The wish of giving up is nobody's."""
    story = waiting()
    story.wait(300, asks=INITIATED)
    command = story.attempt.cancel_wish
    assert command is not None
    assert (command.who, command.at) == (TERMINAL, START + 300_000)
    assert Flag.CANCEL_NOT_OURS not in story.attempt.flags
