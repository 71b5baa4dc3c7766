"""Lists and forms go along with a finger, and run out when it lets go; a tap is still a tap. It decides nothing.

Our own, and not Qt's QScroller: that one hands a finger's press to the button below at once, and its release too
wherever the content has moved along, so that a scroll would press. What may become a scroll is held back here until
it is a tap, and let go only where it is still for the same: what a list shows may have moved along below it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import (
    QCoreApplication,
    QEasingCurve,
    QElapsedTimer,
    QEvent,
    QPersistentModelIndex,
    QPointF,
    QTimer,
    QVariantAnimation,
)
from PySide6.QtGui import QInputDevice, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)
from shiboken6 import isValid

from pos_app.ui.widgets import motion
from pos_app.ui.widgets.window_input import WindowInput

HOLD_MS = 180
"""A finger that rests as long presses: what repeats while it is held down begins to."""

STARTS_PX = 14
"""So far a finger goes astray while it taps."""

RUNS_OUT_MS = 650
_LATEST_MS = 100
"""How fast a finger is when it lets go is how far it came in this time."""
_FASTEST = 4.0
"""Pixels a millisecond."""
_SLOWEST = 0.15
_CARRIES = 260
"""So many milliseconds of its speed a list runs on, ever slower."""

_FAR = QPointF(-100_000, -100_000)
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


_Place = tuple[QWidget | None, QPersistentModelIndex | None]


class FingerScroll(WindowInput):
    """Watches the touches of one window, on their way to its parts. `now`: in milliseconds from anywhere."""

    def __init__(self, window: QWidget, now: Callable[[], int] | None = None) -> None:
        super().__init__(window)
        self._area: QAbstractScrollArea | None = None
        self._held: list[QMouseEvent] = []
        self._meant: _Place = (None, None)
        self._from_y, self._from_value = 0.0, 0
        self._scrolls = False
        self._sends = False
        self._path: deque[tuple[int, float]] = deque(maxlen=20)
        clock = QElapsedTimer()
        clock.start()
        self._now = now or clock.elapsed
        self._rests = QTimer(self)
        self._rests.setSingleShot(True)
        self._rests.setInterval(HOLD_MS)
        self._rests.timeout.connect(self._let_press)
        self._running = QVariantAnimation(self)
        self._running.setDuration(RUNS_OUT_MS)
        self._running.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._running.valueChanged.connect(self._run)
        self._runs: QAbstractScrollArea | None = None

    @property
    def holds_touch(self) -> bool:
        """Whether a finger lies on a list, and nobody knows yet whether it is to press or to pull."""
        return bool(self._held)

    @property
    def is_running(self) -> bool:
        """Whether a list runs on by itself."""
        return self._running.state() is QVariantAnimation.State.Running

    def _takes(self, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or self._sends or not _by_finger(event):
            return False
        if event.type() in _PRESSES:
            return self._pressed(event)
        if self._area is None:
            return False
        if not isValid(self._area) or not self._area.isVisible():
            self._forget()
            return False
        if event.type() == QEvent.Type.MouseMove:
            return self._moved(event, self._area)
        return event.type() == QEvent.Type.MouseButtonRelease and self._released(event, self._area)

    def _pressed(self, event: QMouseEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonDblClick and self._held:
            # Qt tells of a quick second press twice, and its window passes over the first: it is held as a plain one.
            return True
        self._forget()
        area = _scrollable(self._window.childAt(event.position().toPoint()))
        was_running = self.is_running and area is not None and area is self._runs
        self._running.stop()
        if area is None:
            return False
        self._area = area
        self._from_y, self._from_value = event.globalPosition().y(), area.verticalScrollBar().value()
        self._path.append((self._now(), self._from_y))
        # Whoever stops a list that still runs wants nothing of what happens to be under the finger.
        self._scrolls = was_running
        if not was_running:
            self._held = [_plain_press(event)]
            self._meant = self._under(event)
            self._rests.start()
        return True

    def _moved(self, event: QMouseEvent, area: QAbstractScrollArea) -> bool:
        y = event.globalPosition().y()
        self._path.append((self._now(), y))
        if not self._scrolls and abs(y - self._from_y) > STARTS_PX:
            self._scrolls = True
            self._rests.stop()
            if not self._held:
                # It rested first, and was let press: that was no press.
                self._send(_elsewhere(event))
            self._held = []
        if self._scrolls:
            area.verticalScrollBar().setValue(round(self._from_value + self._from_y - y))
        return self._scrolls or bool(self._held)

    def _released(self, event: QMouseEvent, area: QAbstractScrollArea) -> bool:
        scrolls, held = self._scrolls, self._held
        if scrolls:
            self._run_out(area)
        self._forget()
        if held and self._is_still_meant(held[0]):
            release = event.clone()
            self._send(*held, release)
        return scrolls or bool(held)

    def _run_out(self, area: QAbstractScrollArea) -> None:
        now = self._now()
        latest = [each for each in self._path if now - each[0] <= _LATEST_MS]
        if not motion.is_on() or len(latest) < 2:
            return
        took = max(now - latest[0][0], 8)
        speed = max(-_FASTEST, min(_FASTEST, (latest[0][1] - latest[-1][1]) / took))
        if abs(speed) >= _SLOWEST:
            self._runs = area
            at = area.verticalScrollBar().value()
            self._running.setStartValue(at)
            self._running.setEndValue(round(at + speed * _CARRIES))
            self._running.start()

    def _run(self, value: int) -> None:
        if self._runs is not None and isValid(self._runs):
            self._runs.verticalScrollBar().setValue(value)

    def _let_press(self) -> None:
        """The finger rests: what is under it is pressed."""
        held, self._held = self._held, []
        if held and self._is_still_meant(held[0]):
            self._send(*held)

    def _under(self, event: QMouseEvent) -> _Place:
        """The part below, and which row of a list."""
        at = event.position().toPoint()
        part = self._window.childAt(at)
        view = part.parentWidget() if part is not None else None
        if part is None or not isinstance(view, QAbstractItemView):
            return part, None
        return part, QPersistentModelIndex(view.indexAt(part.mapFrom(self._window, at)))

    def _is_still_meant(self, press: QMouseEvent) -> bool:
        part, row = self._under(press)
        return part is self._meant[0] and row == self._meant[1]

    def _forget(self) -> None:
        self._rests.stop()
        self._path.clear()
        self._area, self._held = None, []
        self._scrolls = False

    def _send(self, *events: QMouseEvent) -> None:
        """On to the part they were for."""
        self._sends = True
        try:
            for event in events:
                # Asked for anew: what a press does may have made another one, and the one of before be gone.
                handle = self._window.windowHandle()
                if handle is not None:
                    QCoreApplication.sendEvent(handle, event)
        finally:
            self._sends = False


def _by_finger(event: QMouseEvent) -> bool:
    device = event.device()
    return device is not None and device.type() is QInputDevice.DeviceType.TouchScreen


def _scrollable(part: QWidget | None) -> QAbstractScrollArea | None:
    """The innermost list or form around a part that has more than is seen; none around what is being typed in."""
    if isinstance(part, QScrollBar) or (isinstance(part, QLineEdit) and part.hasFocus()):
        return None
    while part is not None and not part.isWindow():
        if isinstance(part, QPlainTextEdit) and part.hasFocus():
            return None
        if isinstance(part, QAbstractScrollArea):
            bar = part.verticalScrollBar()
            if bar.maximum() > bar.minimum():
                return part
        part = part.parentWidget()
    return part if isinstance(part, QAbstractScrollArea) else None


def _plain_press(event: QMouseEvent) -> QMouseEvent:
    """A press that is no part of a double one."""
    return QMouseEvent(
        QEvent.Type.MouseButtonPress,
        event.position(),
        event.scenePosition(),
        event.globalPosition(),
        event.button(),
        event.buttons(),
        event.modifiers(),
        event.pointingDevice(),
    )


def _elsewhere(event: QMouseEvent) -> QMouseEvent:
    """The end of a press, where nothing is."""
    buttons = QApplication.mouseButtons() & ~event.button()
    return QMouseEvent(
        QEvent.Type.MouseButtonRelease,
        _FAR,
        _FAR,
        _FAR,
        event.button() if event.button() else event.buttons(),
        buttons,
        event.modifiers(),
        event.pointingDevice(),
    )
