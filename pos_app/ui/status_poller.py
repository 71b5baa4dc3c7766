"""The status poller's QThread: carries the plain loop of engine.poller and decides nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QThread


class StatusPoller(QThread):
    """Lives on the window's thread; only `run` is on its own."""

    def __init__(self, work: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusPoller")
        self._work = work

    def run(self) -> None:
        """Works until the till is stopped."""
        self._work()
