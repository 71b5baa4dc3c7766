"""Tells when a window has been painted, alike for the till and for a bare window. Loads Qt alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget


class Painting:
    """Calls `painted` with the time (monotonic, s) whenever the window and all in it has been painted.

    `began`: when that paint did, by the same clock. To be made before the window's first paint. No event filter: it
    would load every event's name first.
    """

    def __init__(self, window: QWidget, painted: Callable[[float], None]) -> None:
        self.painted = painted
        self.began = 0.0
        self._before = window.paintEvent
        self._told = False
        window.paintEvent = self._note  # type: ignore[method-assign]

    def _note(self, event: Any) -> None:
        """Every paint begins with the window itself; in the turn of the loop after it, all parts are done."""
        if not self._told:
            self._told = True
            self.began = time.monotonic()
            QTimer.singleShot(0, self._tell)
        self._before(event)

    def _tell(self) -> None:
        self._told = False
        self.painted(time.monotonic())


def at_first_paint(then: Callable[[QWidget, Painting, float], None]) -> None:
    """Calls `then` once, when the application that is about to run has painted its window."""
    run = QApplication.exec

    def exec_watched(*_application: object) -> int:
        window = next(each for each in QApplication.topLevelWidgets() if each.isVisible())

        def painted(at: float) -> None:
            painting.painted = lambda _at: None
            then(window, painting, at)

        painting = Painting(window, painted)
        return run()

    QApplication.exec = exec_watched  # type: ignore[method-assign]


def say(line: str) -> None:
    """One line for the process that started this one."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
