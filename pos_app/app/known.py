"""What the engine published last, for a window that takes another's place. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.views import AttemptChanged, Published, Terminal


class Known:
    """The terminal, and every attempt that is not over."""

    def __init__(self) -> None:
        self.terminal = Terminal()
        self._changes: dict[str, AttemptChanged] = {}

    def take(self, published: Published) -> None:
        """Take note."""
        if isinstance(published, Terminal):
            self.terminal = published
            listed = (*published.open, *published.attention, *published.recent)
            still = {each.attempt_id for each in listed}
            self._changes = {key: change for key, change in self._changes.items() if key in still}
        elif isinstance(published, AttemptChanged):
            self._changes[published.attempt.attempt_id] = published

    def tell(self, receive: Callable[[Published], None]) -> None:
        """All of it, to somebody new."""
        receive(self.terminal)
        for change in self._changes.values():
            receive(change)
