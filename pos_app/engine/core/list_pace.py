"""How quickly the service's lists are read: further apart whenever it wants that, nearer again while it answers."""

from __future__ import annotations

SLOWEST_MS = 60_000


class ListPace:
    """Of one reading. `apart_ms`: between two of its calls, never less than `least_ms`."""

    def __init__(self, least_ms: int) -> None:
        self._least_ms = least_ms
        self.apart_ms = least_ms

    def answered(self) -> None:
        """It keeps up."""
        self.apart_ms = max(self._least_ms, self.apart_ms // 2)

    def slow_down(self, retry_after_s: float | None) -> int:
        """It wants less of us; how long (ms) it is left alone now, at least as long as it has said."""
        self.apart_ms = min(SLOWEST_MS, self.apart_ms * 2)
        return max(self.apart_ms, int((retry_after_s or 0) * 1000))
