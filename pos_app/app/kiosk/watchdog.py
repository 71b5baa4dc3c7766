"""Feeds the service manager's watchdog while the window's thread and the engine's both work."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from pos_app.system.service_manager import ServiceManager

_TIMES = 4
"""So often within the watchdog's limit: a busy engine may miss a turn or two."""

Pulse = Callable[[Callable[[], None]], bool]
"""Has the engine's thread call something soon; False when there is no engine at work that could."""


class Watchdog(QObject):
    """The window's thread shows by its timer that it works; the engine's by answering what that timer asks.

    A till that is being loaded has longer: on a slow disk either thread may be at a long journal for a minute.
    """

    def __init__(self, manager: ServiceManager, pulse: Pulse, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._manager = manager
        self._pulse = pulse
        self._answered = True
        self._loads = False
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._look)
        if manager.watchdog_ms:
            self._turn.start(max(1, manager.watchdog_ms // _TIMES))

    def loads(self) -> None:
        """A till begins, or goes on, to be loaded: until its engine answers for the first time, if it has one."""
        self._loads, self._answered = True, False
        self._manager.loading()

    def _look(self) -> None:
        if self._answered:
            if self._loads:
                self._loads = False
                self._manager.loaded()
            self._manager.alive()
        self._answered = False
        if not self._pulse(self._hear):
            self._answered = True

    def _hear(self) -> None:
        # On the engine's thread: one assignment, and the window's thread reads it at its next turn.
        self._answered = True

    def stop(self) -> None:
        """Feeds no more."""
        self._turn.stop()
