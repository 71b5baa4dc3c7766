"""What the engine published last, for a window that takes another's place."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from pos_app.domain.views import AttemptChanged, Published, Terminal


class LastPublished:
    """The terminal, and every attempt that is not over. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.terminal = Terminal()
        self._clock = clock
        self._changes: dict[str, tuple[AttemptChanged, float]] = {}

    def take(self, published: Published) -> None:
        """Take note."""
        if isinstance(published, Terminal):
            self.terminal = published
            listed = (*published.open, *published.attention, *published.recent)
            still = {each.attempt_id for each in listed}
            self._changes = {key: known for key, known in self._changes.items() if key in still}
        elif isinstance(published, AttemptChanged):
            self._changes[published.attempt.attempt_id] = (published, self._clock())

    def tell(self, receive: Callable[[Published], None]) -> None:
        """All of it, to somebody new, as it would be published now."""
        receive(self.terminal)
        for change, at in self._changes.values():
            receive(_aged(change, self._clock() - at))


def _aged(change: AttemptChanged, by_s: float) -> AttemptChanged:
    activity = change.activity
    aged = replace(
        activity,
        elapsed_s=activity.elapsed_s + by_s,
        next_ask_in_s=_less(activity.next_ask_in_s, by_s),
        gives_up_in_s=_less(activity.gives_up_in_s, by_s),
    )
    return replace(change, activity=aged)


def _less(left_s: float | None, by_s: float) -> float | None:
    return None if left_s is None else max(0.0, left_s - by_s)
