"""Feeds the service manager's watchdog while the window's thread and the engine's both work."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_TIMES = 4
"""So often within the watchdog's limit: a busy engine may miss a turn or two."""

Pulse = Callable[[Callable[[], None]], bool]
"""Has the engine's thread call something soon; False when there is no engine at work that could."""


class Watchdog(QObject):
    """The window's thread shows by its timer that it works; the engine's by answering what that timer asks."""

    def __init__(
        self, limit_ms: int, pulse: Pulse, feed: Callable[[], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._pulse = pulse
        self._feed = feed
        self._answered = True
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._look)
        if limit_ms:
            self._turn.start(max(1, limit_ms // _TIMES))

    def _look(self) -> None:
        if self._answered:
            self._feed()
        self._answered = False
        if not self._pulse(self._hear):
            self._answered = True

    def _hear(self) -> None:
        # On the engine's thread: one assignment, and the window's thread reads it at its next turn.
        self._answered = True

    def stop(self) -> None:
        """Feeds no more."""
        self._turn.stop()
