"""How long ago something was, whatever somebody does to the clock: never more than it really was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.ages import SLACK_MS, Stamp, ages, longest_age

HOUR = 3_600_000


def test_within_a_boot_it_is_exact() -> None:
    """Process restarts in between change nothing."""
    stamps = [Stamp("a", 1_000), Stamp("a", 61_000)]
    assert ages(Stamp("a", 100_000), stamps) == [99_000, 39_000]


def test_over_a_reboot_only_the_time_since_it_is_sure() -> None:
    """The machine may have been off for a second or a year."""
    assert ages(Stamp("b", 30_000), [Stamp("a", 9 * HOUR)]) == [30_000]


def test_the_service_tells_how_long_the_night_was() -> None:
    """Its two dates may each be a little off."""
    evening, morning = Stamp("a", 9 * HOUR, 100 * HOUR), Stamp("b", 30_000, 114 * HOUR)
    assert ages(morning, [evening]) == [14 * HOUR - SLACK_MS]


def test_a_service_that_says_it_is_earlier_takes_nothing_away() -> None:
    """The machine has run since; that much is sure."""
    assert ages(Stamp("b", 30_000, HOUR), [Stamp("a", 5_000, 2 * HOUR)]) == [30_000]


def test_days_of_which_the_service_said_nothing_add_up() -> None:
    """Each boot proves the time until the code that was sent in it."""
    sent = [Stamp("a", HOUR), Stamp("b", 2 * HOUR), Stamp("c", 3 * HOUR)]
    assert ages(Stamp("d", 4 * HOUR), sent) == [9 * HOUR, 7 * HOUR, 4 * HOUR]


@given(st.lists(st.tuples(st.integers(0, HOUR), st.booleans(), st.booleans(), st.integers(0, SLACK_MS))))
def test_nothing_is_ever_said_to_be_older_than_it_is(steps: list[tuple[int, bool, bool, int]]) -> None:
    """Time passes, the machine is started anew or not, and the service's date is known or not, and late."""
    true = booted = boots = 0
    stamps, times = [], []
    for passed, reboot, told, late in steps:
        if reboot:
            booted, boots = true + passed // 2, boots + 1
        true += passed
        stamps.append(Stamp(str(boots), true - booted, 10 * HOUR + true - late if told else None))
        times.append(true)
    if stamps:
        found = ages(stamps[-1], stamps[:-1])
        assert all(age <= true - at for age, at in zip(found, times[:-1], strict=True))


def test_at_the_most_it_is_exact_within_a_boot_and_unknown_over_one() -> None:
    """What no clock proves is nothing a session may live on; a clock that ran backwards proves nothing."""
    assert longest_age(Stamp("a", 100_000), Stamp("a", 1_000)) == 99_000
    assert longest_age(Stamp("b", 30_000), Stamp("a", 1_000)) is None
    assert longest_age(Stamp("b", 30_000, 9 * HOUR), Stamp("a", 1_000)) is None
    assert longest_age(Stamp("b", 30_000, 9 * HOUR), Stamp("a", 1_000, 8 * HOUR)) == HOUR + SLACK_MS
    assert longest_age(Stamp("b", 30_000, 8 * HOUR), Stamp("a", 1_000, 9 * HOUR)) is None
    assert longest_age(Stamp("a", 1_000), Stamp("a", 2_000)) is None


@given(st.integers(0, HOUR), st.integers(0, 40 * HOUR), st.integers(0, SLACK_MS), st.integers(0, SLACK_MS))
def test_nothing_is_ever_said_to_be_younger_than_it_is(at: int, passed: int, late: int, later: int) -> None:
    """However old the replies were that told the service's time."""
    earlier = Stamp("a", at, 10 * HOUR + at - late)
    age = longest_age(Stamp("b", 0, 10 * HOUR + at + passed - later), earlier)
    assert age is None or age >= passed
