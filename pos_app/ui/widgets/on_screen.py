"""Brings a window back that was moved over the edge of the screens. Never argues with whoever moved it."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QWidget

QUIET_MS = 300
"""So long a window has to stand still: whoever drags it has it in hand, and more moves come."""

MOST, AT_ONCE_S = 3, 1.0
"""So often it is brought back where somebody undoes that at once: a window manager has the last word."""


class KeptOnScreen(QObject):
    """Keeps a window's frame inside its screens, where the window is not as large as one of them by its state."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._brought_at = self._left_at = float("-inf")
        self._undone = 0
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._bring_back)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Looks on."""
        match event.type():
            case QEvent.Type.Move | QEvent.Type.Show if watched is self._window:
                self._quiet.stop() if self._inside() is None else self._wait()
            case QEvent.Type.Hide | QEvent.Type.Close if watched is self._window:
                self._quiet.stop()
        return False

    def _wait(self) -> None:
        if not self._quiet.isActive():
            self._left_at = monotonic()
        self._quiet.start()

    def _bring_back(self) -> None:
        inside = self._inside()
        is_undone = self._left_at < self._brought_at + AT_ONCE_S
        self._undone = self._undone + 1 if is_undone else 0
        if inside is not None and self._undone < MOST:
            self._brought_at = monotonic()
            self._window.move(inside)

    def _inside(self) -> QPoint | None:
        """Where the frame's corner belongs; None while it stands well, or cannot stand better."""
        window = self._window
        if not window.isVisible() or window.isMinimized() or window.isMaximized() or window.isFullScreen():
            return None
        frame = window.frameGeometry()
        screens = window.screen().virtualSiblings()
        over = QRegion(frame)
        for screen in screens:
            over = over.subtracted(QRegion(screen.geometry()))
        if over.isEmpty():
            return None
        nearest = max(screens, key=lambda screen: _area(screen.geometry().intersected(frame)))
        room = nearest.availableGeometry()
        corner = QPoint(
            _clamped(frame.x(), room.left(), room.right() + 1 - frame.width()),
            _clamped(frame.y(), room.top(), room.bottom() + 1 - frame.height()),
        )
        return corner if corner != frame.topLeft() else None


def _clamped(at: int, least: int, most: int) -> int:
    """What is larger than the screen begins where the screen begins: there stands the band."""
    return max(least, min(at, most))


def _area(rect: QRect) -> int:
    return max(0, rect.width()) * max(0, rect.height())
