"""How long a paid result is the one of the customer who stands there. Time is handed in; it shows nothing.

A green screen from before is pointed at by the next customer (docs/failure-model.md, threat 38): it is green for a
minute, and only until somebody has looked away from it.
"""

from __future__ import annotations

from collections.abc import Callable

from pos_app.system.boot_clock import seconds_since_boot

FRESH_S = 60
_MOST = 500
"""So many are remembered: one that is asked about again later is no news."""


class Freshness:
    """Told when a payment was paid, when that was shown and when somebody looked away. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = seconds_since_boot) -> None:
        self.clock = clock
        self._came: dict[str, float] = {}
        self._seen: set[str] = set()
        self._over: set[str] = set()

    def take_over(self, old: Freshness) -> None:
        """What another window was told, which was looked away from: it is no older and no younger here."""
        self._came, self._seen, self._over = dict(old._came), set(old._seen), old._over | old._seen

    def came(self, attempt_id: str) -> None:
        """It has ended now, or is told now; said again, it is no younger."""
        self._came.setdefault(attempt_id, self.clock())
        for oldest in list(self._came)[: max(0, len(self._came) - _MOST)]:
            del self._came[oldest]
            self._seen.discard(oldest)
            self._over.discard(oldest)

    def seen(self, attempt_id: str) -> None:
        """Somebody has it in front of them."""
        self._seen.add(attempt_id)

    def look_away(self) -> None:
        """A lock, or somebody else at the till: what was seen until now has been seen."""
        self._over |= self._seen

    def leave(self, attempt_id: str) -> None:
        """Its result was left for the next sale; what is parked has none yet."""
        if attempt_id in self._came:
            self._over.add(attempt_id)

    def knows(self, attempt_id: str) -> bool:
        """Whether its end has been news here."""
        return attempt_id in self._came

    def is_fresh(self, attempt_id: str) -> bool:
        """Whether its result may still be shown in full."""
        return attempt_id not in self._over and self.is_young(attempt_id)

    def is_young(self, attempt_id: str) -> bool:
        """Whether it was paid within the last minute, and here."""
        came = self._came.get(attempt_id)
        return came is not None and self.clock() - came < FRESH_S

    @property
    def next_s(self) -> float | None:
        """In how many seconds the next one grows old; None when none is young."""
        left = [FRESH_S - (self.clock() - came) for came in self._came.values()]
        return min((each for each in left if each > 0), default=None)
