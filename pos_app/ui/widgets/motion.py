"""Motion that informs: something came, something was reached. One place of durations, one switch; then it rests."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation
from PySide6.QtWidgets import QApplication, QWidget

ARRIVE_MS = 220
"""A result's mark."""
OPEN_MS = 140
"""A panel over the till."""
REACH_MS = 320
"""A stage of a running payment."""

_SWITCH = "motion"


def switch(app: QObject, *, on: bool) -> None:
    """Off until somebody switches it on: tests and pictures see everything at its end."""
    app.setProperty(_SWITCH, on)


def is_on() -> bool:
    """Whether things move on this till."""
    app = QApplication.instance()
    return app is not None and app.property(_SWITCH) is True


class Motion:
    """Calls `step` with how far it is, from 0 to 1; once with 1 where nothing moves. Nothing runs in between."""

    def __init__(self, part: QWidget, duration_ms: int, step: Callable[[float], None]) -> None:
        self._part = part
        self._duration_ms = duration_ms
        self._step = step
        self._animation: QVariantAnimation | None = None

    def start(self) -> None:
        """From the beginning, also while it runs."""
        if not is_on() or not self._part.isVisible():
            self._step(1.0)
            return
        if self._animation is None:
            self._animation = QVariantAnimation(self._part)
            self._animation.setStartValue(0.0)
            self._animation.setEndValue(1.0)
            self._animation.setDuration(self._duration_ms)
            self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
            self._animation.valueChanged.connect(self._step)
        self._animation.stop()
        self._animation.start()

    @property
    def is_running(self) -> bool:
        """Whether it has not come to its end."""
        return self._animation is not None and self._animation.state() == QVariantAnimation.State.Running
