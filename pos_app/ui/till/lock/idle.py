"""Notices that nobody has touched the till for a while: keys, mouse, touch, wherever they go. It locks nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QInputEvent, QInputMethodEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.system.boot_clock import seconds_since_boot
from pos_app.ui.garbage import while_whole

_TYPES = QEvent.Type
_INPUT = frozenset(
    {
        _TYPES.KeyPress,
        _TYPES.KeyRelease,
        _TYPES.InputMethod,
        _TYPES.MouseButtonPress,
        _TYPES.MouseButtonRelease,
        _TYPES.MouseButtonDblClick,
        _TYPES.MouseMove,
        _TYPES.Wheel,
        _TYPES.TouchBegin,
        _TYPES.TouchUpdate,
        _TYPES.TouchEnd,
        _TYPES.TabletPress,
        _TYPES.TabletMove,
        _TYPES.TabletRelease,
        _TYPES.NativeGesture,
    }
)
_INPUT_CLASSES = (QInputEvent, QInputMethodEvent)


class IdleWatch(QObject):
    """`idle` after `after_s` without any input to this application, and again after as long.

    Sees what every window, dialog and popup of the cashier's gets, before they do. `hold(True)`: nobody has to touch
    anything, a customer is being waited for; after that the time counts anew. `clock` gives seconds.
    """

    idle = Signal()

    def __init__(
        self, after_s: float, parent: QObject, clock: Callable[[], float] = seconds_since_boot
    ) -> None:
        super().__init__(parent)
        self._after_s = after_s
        self.clock = clock
        self._application: QApplication | None = None
        self._held = False
        self._touched_at = clock()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """From now on."""
        self._touched_at = self.clock()
        self._timer.start(round(self._after_s * 1000))
        application = QApplication.instance()
        if self._application is None and isinstance(application, QApplication):
            self._application = application
            # Not on the application: its filters are asked about each event of every part, those of layouts and
            # painting too, which took an eighth of all that a window does. Input comes to the system's window first,
            # what an input method makes of it to whatever has the keyboard.
            application.focusWindowChanged.connect(self._watch_windows)
            application.focusChanged.connect(self._watch_focus)
            self._watch_windows()
            self._watch_focus(None, application.focusWidget())

    def stop(self) -> None:
        """No longer."""
        self._timer.stop()
        application, self._application = self._application, None
        if application is not None:
            application.focusWindowChanged.disconnect(self._watch_windows)
            application.focusChanged.disconnect(self._watch_focus)
            for window in application.topLevelWindows():
                window.removeEventFilter(self)
            self._watch_focus(application.focusWidget(), None)

    def _watch_windows(self) -> None:
        """All there are now, ahead of whoever else looks at what comes to them; once more is as good as once."""
        for window in QApplication.topLevelWindows():
            if not _is_customers(window):
                window.installEventFilter(self)

    def _watch_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None:
            before.removeEventFilter(self)
        if now is not None:
            now.installEventFilter(self)

    def hold(self, held: bool) -> None:
        """Whether a payment waits for its customer."""
        if held != self._held:
            self._held = held
            self._touched_at = self.clock()

    @property
    def held(self) -> bool:
        """Whether a payment waits for its customer, so that nobody has to touch anything."""
        return self._held

    def look(self) -> None:
        """Whether it has been long enough; what is left of it is slept."""
        left = self._after_s - (self.clock() - self._touched_at)
        if self.held or left <= 0:
            left = self._after_s
        if self.is_over:
            self._touched_at = self.clock()
            self.idle.emit()
        self._watch_windows()
        self._timer.start(max(1, round(left * 1000)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Input is noted and goes its way; the first after a long sleep comes too late to keep the till open."""
        # Its class tells most of them apart: which type an event is of takes Qt for Python six times as long to say.
        return isinstance(event, _INPUT_CLASSES) and self._take_input(watched, event)

    @while_whole
    def _take_input(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            if self.is_over:
                self.look()
            self._touched_at = self.clock()
        return False

    @property
    def is_over(self) -> bool:
        """Whether nobody has touched anything for long enough."""
        return not self.held and self.clock() - self._touched_at >= self._after_s


def _is_customers(window: QWindow) -> bool:
    """A finger on the customer's screen says nothing of the cashier."""
    return bool(window.flags() & Qt.WindowType.WindowDoesNotAcceptFocus)
