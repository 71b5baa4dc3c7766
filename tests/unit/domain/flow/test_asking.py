"""Asking: how often. Intervals, jitter, back-off, a busy service, Check now, and asking again after an outage."""

from itertools import pairwise

import pytest

from pos_app.domain.events import ConnectionReturned, TimeCame
from pos_app.domain.replies import CancelAccepted, NoAnswer, Why
from tests.unit.domain.flow.story import ID, NOT_FOUND, TIME_OUT, Story, busy, report

INITIATED = report("Merchant Initiated")


def waiting() -> Story:
    """The service has the payment."""
    story = Story.begun()
    story.initiated()
    return story


def gaps(times: list[float], start: float, end: float) -> list[float]:
    """Between the asks of a stretch of time."""
    within = [at for at in times if start <= at <= end]
    return [later - earlier for earlier, later in pairwise(within)]


def test_asks_come_every_2_then_3_then_5_seconds_with_a_tenth_of_jitter() -> None:
    """After 3 s; to 60 s, to 3 min, to give-up."""
    story = waiting()
    story.wait(299, asks=INITIATED)
    asks = story.times("ask")
    assert asks[0] == 3
    for start, end, interval in ((3, 60, 2), (64, 180, 3), (186, 299, 5)):
        found = gaps(asks, start, end)
        assert all(0.9 * interval <= gap <= 1.1 * interval for gap in found)
        assert len({round(gap, 2) for gap in found}) > 3, "jitter"


def test_the_jitter_of_a_replay_is_the_same() -> None:
    """The simulation runs each seed twice."""
    first, second = waiting(), waiting()
    first.wait(100, asks=INITIATED)
    second.wait(100, asks=INITIATED)
    assert first.sent_at == second.sent_at


def test_connection_errors_back_off_1_2_4_8_10_and_30_seconds() -> None:
    """10 s at most in the first 15 min, 30 s after."""
    story = waiting()
    story.wait(3_000, asks=TIME_OUT)
    asks = story.times("ask")
    for gap, wait in zip(gaps(asks, 0, 60), (1, 2, 4, 8, 10, 10), strict=False):
        assert 0.9 * wait <= gap <= 1.1 * wait
    assert all(9 <= gap <= 11 for gap in gaps(asks, 310, 900))
    assert all(27 <= gap <= 33 for gap in gaps(asks, 911, 3_000))


def test_an_answer_ends_the_back_off() -> None:
    """At once."""
    story = waiting()
    story.wait(40, asks=TIME_OUT)
    story.wait(10, asks=INITIATED)
    asked = story.seconds
    story.wait(20, asks=INITIATED)
    assert all(gap <= 2.2 for gap in gaps(story.times("ask"), asked, 60))


@pytest.mark.parametrize("seconds", [1, 12, 60])
def test_a_busy_service_waits_as_long_as_it_asked_for(seconds: float) -> None:
    """429 with Retry-After: never sooner."""
    story = waiting()
    story.wait(3)
    story.answered(busy(seconds))
    story.wait(70)
    assert seconds <= story.times("ask")[1] - 3 <= 1.1 * seconds


def test_a_busy_service_without_a_time_is_asked_half_as_often_each_time() -> None:
    """429 alone: double the interval, a minute at most."""
    story = waiting()
    story.wait(280, asks=busy())
    for gap, wait in zip(gaps(story.times("ask"), 0, 280), (4, 8, 16, 32, 60, 60), strict=False):
        assert wait <= gap <= 1.1 * wait


def test_a_busy_service_that_is_hardly_asked_is_not_asked_more_often() -> None:
    """Doubling five minutes is not a minute."""
    story = waiting()
    story.wait(300 + 7_200, asks=INITIATED, cancels=CancelAccepted())
    story.wait(400)
    story.answered(busy())
    asked = story.seconds
    story.wait(1_000)
    assert story.times("ask")[-1] - asked >= 300


def test_an_answer_ends_the_slowness() -> None:
    """Back to the usual interval."""
    story = waiting()
    story.wait(30, asks=busy())
    story.wait(40, asks=INITIATED)
    assert gaps(story.times("ask"), 60, 70)[-1] <= 3.3


def test_silence_of_a_busy_service_is_still_slow() -> None:
    """A time-out is no sign of leisure."""
    story = waiting()
    story.wait(3)
    story.answered(busy(20))
    story.wait(22)
    story.answered(TIME_OUT)
    story.wait(30)
    assert all(gap >= 20 for gap in gaps(story.times("ask"), 3, 60))


def test_the_wait_of_a_busy_service_is_kept_once() -> None:
    """An unreadable reply after a wait of a minute was followed by a second minute: too long for what is final."""
    story = waiting()
    story.wait(3)
    story.answered(busy(60))
    story.wait(200, asks=NoAnswer(Why.UNREADABLE, sent=True, http_status=200))
    first, *others = gaps(story.times("ask"), 3, 200)
    assert first >= 60
    assert others
    assert all(gap <= 33 for gap in others)


def test_check_now_asks_at_once_even_a_busy_service() -> None:
    """A person is waiting; but never a second ask beside the first."""
    story = waiting()
    story.wait(3)
    story.answered(busy(60))
    story.new.clear()
    story.check_now()
    story.expect("ask")
    story.check_now()
    story.expect()


def test_a_returned_connection_is_used_when_its_turn_has_come() -> None:
    """At most two asks a second over all attempts."""
    story = waiting()
    story.wait(40, asks=TIME_OUT)
    story.new.clear()
    story.tell(ConnectionReturned(ID, story.now + 1_500))
    story.wait(1.4)
    story.expect()
    story.wait(0.1)
    story.expect("ask")


def test_a_returned_connection_hurries_no_busy_service() -> None:
    """The 429 was for this attempt."""
    story = waiting()
    story.wait(3)
    story.answered(busy(30))
    story.tell(ConnectionReturned(ID, story.now))
    story.wait(29)
    assert story.times("ask") == [3]


def test_an_ask_that_is_due_while_one_is_under_way_does_not_wake_the_till_in_circles() -> None:
    """It goes out when the first is answered."""
    story = waiting()
    story.wait(3)
    story.wish_cancel()
    story.cancelled()
    assert story.wake_at is not None
    assert story.wake_at > story.now
    story.new.clear()
    story.answered(INITIATED)
    story.wait(0)
    story.expect("ask")


def test_a_wake_that_comes_early_does_nothing() -> None:
    """Or twice."""
    story = waiting()
    due = story.wake_at
    story.tell(TimeCame(ID))
    story.tell(TimeCame(ID))
    assert story.wake_at == due
    story.expect()


def test_a_refused_attempt_waits_as_long_as_a_busy_service_asked_for() -> None:
    """Before it is opened."""
    story = Story.begun()
    story.initiated(type(NOT_FOUND)("5003"))
    story.wait(0)
    story.answered(busy(30))
    story.wait(29)
    assert story.times("ask") == [0]
    story.wait(5, asks=NOT_FOUND)
    assert story.attempt.lets_another_start


@pytest.mark.parametrize(("busy_s", "wait_s"), [(60, 60), (1, 30)])
def test_an_end_whose_last_check_met_a_busy_service_is_asked_about_again(
    busy_s: float, wait_s: float
) -> None:
    """Money may have come late; the service is given the time it asked for, and half a minute at least."""
    story = waiting()
    story.wait(3)
    story.status("Payment Fail")
    story.now += 16 * 60_000
    story.check_now()
    story.answered(busy(busy_s))
    assert 1_000 * wait_s <= (story.wake_at or 0) - story.now <= 1_100 * wait_s


def test_a_line_that_comes_and_goes_puts_off_no_ask() -> None:
    """A place among those that are asked when it returns is kept until it has come, however often it returns."""
    story = Story.begun()
    story.initiated()
    story.wait(3, asks=TIME_OUT)
    story.new.clear()
    for _ in range(4):
        story.tell(ConnectionReturned(ID, story.now + 5_000))
        story.wait(1)
        story.expect()
    story.tell(ConnectionReturned(ID, story.now + 5_000))
    story.wait(1)
    story.expect("ask")
    story.answered(TIME_OUT)
    story.tell(ConnectionReturned(ID, story.now + 5_000))
    story.wait(4.9)
    story.expect()
    story.wait(0.1)
    story.expect("ask")
