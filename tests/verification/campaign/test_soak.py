"""The soak's arithmetic, and a very short soak of the real till."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verification.campaign.soak import sizes
from tests.verification.campaign.soak.__main__ import soak
from tests.verification.campaign.soak.sizes import Bound, drift, grows

MEMORY = Bound("memory", "MiB", 2.0, 0.1)


def test_a_straight_line_is_found_through_noise() -> None:
    values = [50.0 + place * 0.5 + (1 if place % 2 else -1) for place in range(80)]
    found = drift(values)
    assert found.gain == pytest.approx(0.5 * 59, abs=0.2)
    assert found.start == pytest.approx(60.0, abs=0.2)


def test_what_fills_up_at_first_and_then_stays_is_flat() -> None:
    assert grows([10.0, 40.0, *([100.0] * 30)], MEMORY, payments=0) == ""


def test_what_goes_on_growing_is_told_with_its_figures() -> None:
    said = grows([100.0 + place for place in range(41)], MEMORY, payments=0)
    assert said == "memory grew by 30.0 ± 0.0 MiB from 110.0; 2.0 are allowed"


def test_threads_that_come_and_go_are_no_growth_and_threads_that_stay_are() -> None:
    threads = Bound("the till's threads", "", 2.0)
    coming_and_going = [14.0, 9.0, 15.0, 12.0, 16.0, 13.0, 16.0, 15.0, 13.0, 16.0, 16.0, 15.0, 16.0] * 2
    assert drift(coming_and_going).error > 0.5
    assert grows(coming_and_going, threads, payments=150) == ""
    staying = [value + place for place, value in enumerate(coming_and_going)]
    assert "the till's threads grew by" in grows(staying, threads, payments=150)


def test_payments_in_hand_excuse_growth_in_a_short_run_alone() -> None:
    short = [100.0 + place for place in range(41)]
    assert grows(short, MEMORY, payments=1000) == ""
    long = [100.0 + place / 100 for place in range(2000)]
    assert sizes.is_long(len(long))
    assert grows(long, MEMORY, payments=10_000).startswith("memory grew by 14.9 ± 0.0 MiB")


def test_two_samples_after_the_warm_up_are_needed() -> None:
    with pytest.raises(ValueError, match="too few"):
        drift([1.0])


def test_a_short_soak_ends_with_equal_books(tmp_path: Path) -> None:
    ended = soak(8, 0.05, tmp_path / "soak")
    assert [each for each in ended.findings if not each.startswith("too few samples")] == []
    assert ended.payments == 8
