"""The sandbox's own clock, which can be moved; timers of the customer do not follow it."""

import time
from datetime import UTC, datetime, timedelta

_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


class SandboxClock:
    def __init__(self) -> None:
        self.offset_s = 0.0

    def now_s(self) -> float:
        """Seconds since 1970, moved by the offset."""
        return time.time() + self.offset_s

    def offset_to(self, at: datetime) -> float:
        """The offset that makes it `at` now; a time without a zone is read as UTC."""
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - time.time()


def text_of(at_s: float) -> str:
    # Not by `fromtimestamp`: Windows' own reckoning ends before 1970 and after the year 3000.
    return (_FIRST + timedelta(seconds=at_s)).isoformat(timespec="milliseconds")
