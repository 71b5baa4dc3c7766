"""Till time over a restart: it never runs back, and a clock that was set back makes nothing recent."""

import time

from pos_app.domain.flow import Rules
from pos_app.engine.core.clock import UNKNOWN_PAUSE_MS, TillClock, till_time_at_start

DAY_MS = 86_400_000


def test_it_goes_on_at_the_wall_clock_that_is_ahead_of_the_journal() -> None:
    """Off for a night."""
    assert till_time_at_start(DAY_MS, 1_000) == DAY_MS
    assert till_time_at_start(1_000, 1_000) == 1_000


def test_a_clock_set_back_makes_no_tap_recent() -> None:
    """Found by seed 123559: Continue sent a request again three minutes after its tap."""
    newest = time.time_ns() // 1_000_000 + DAY_MS
    assert till_time_at_start(1_000, 2_000) == 2_000 + UNKNOWN_PAUSE_MS
    assert TillClock(newest).now() - newest > Rules().resend_until
