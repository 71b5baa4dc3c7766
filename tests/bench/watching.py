"""Tells when a window has been painted, alike for the till and for a bare window. Loads Qt alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget


class Painting(QObject):
    """Calls `painted` with the time (monotonic, s) whenever the window and all in it has been painted."""

    def __init__(self, window: QWidget, painted: Callable[[float], None]) -> None:
        super().__init__(window)
        self._painted = painted
        self._told = False
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Every paint passes the window itself; the turn of the loop after it, all parts are done."""
        if event.type() in (QEvent.Type.Paint, QEvent.Type.UpdateRequest) and not self._told:
            self._told = True
            QTimer.singleShot(0, self._tell)
        return False

    def _tell(self) -> None:
        self._told = False
        self._painted(time.monotonic())


def at_first_paint(then: Callable[[QWidget, float], None]) -> None:
    """Calls `then` once, when the application that is about to run has painted its window."""
    run = QApplication.exec

    def exec_watched(*_application: object) -> int:
        window = next(each for each in QApplication.topLevelWidgets() if each.isVisible())
        seen = False

        def painted(at: float) -> None:
            nonlocal seen
            if not seen:
                seen = True
                watching.deleteLater()
                then(window, at)

        watching = Painting(window, painted)
        return run()

    QApplication.exec = exec_watched  # type: ignore[method-assign,assignment]


def say(line: str) -> None:
    """One line for the process that started this one."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
