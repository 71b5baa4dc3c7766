"""Which payments lie behind a day in the list: by the wall's clock, which anybody may set, and by the till's own."""

from __future__ import annotations

import pytest

from pos_app.domain.search import day_ms, is_behind
from tests.support.builders import attempt

DAY = "2026-03-02"
HOUR_MS = 3_600_000


@pytest.mark.parametrize(
    ("wall", "hours", "behind"),
    [
        ("2026-03-02T00:00:00.000+14:00", -14, False),
        ("2026-03-01T23:59:59.000+05:30", -6, False),
        ("2026-02-27T23:59:59.000+05:30", -54, True),
        # Set back by a day for one sale: those before it may be of the day.
        ("2026-03-01T10:00:00.000+05:30", 5, False),
        # Started with a wall clock of last year, which was then put right: the till's own time is behind.
        ("2026-03-02T10:00:00.000+05:30", -8_760, False),
        # Once a year ahead: all of it has to be looked through.
        ("2026-03-01T10:00:00.000+05:30", 8_760, False),
    ],
)
def test_both_clocks_have_to_say_so(wall: str, hours: int, behind: bool) -> None:
    tapped = attempt(tapped_wall=wall, tapped_at=day_ms(DAY) + hours * HOUR_MS)
    assert is_behind(tapped, DAY) is behind


def test_a_day_is_reckoned_however_far_it_is() -> None:
    assert day_ms("1970-01-02") == 24 * HOUR_MS
    assert day_ms("0001-01-01") < day_ms("9999-12-31")
