"""The customer's screen as a whole: follows the till's panel, comes and goes with its display. Asks nobody anything."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QScreen, QWindow

from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.displays import customers
from pos_app.ui.customer.seen import Following, View
from pos_app.ui.till.window.main_window import MainWindow
from pos_app.ui.view_config import TillViewConfig

if TYPE_CHECKING:
    from pos_app.ui.customer.window import CustomerWindow

CLEAR_MS = 4_500
"""An end is gone within 5 s, the time to paint counted in."""

AFTER_TILL_MS = 30
"""The till's own panel is painted first: the cashier waits for it."""

MOMENT_MS = 400
AGAIN_MS = 1_000
_TOLERANCE = 4
"""Pixels by which a scaled desktop may round a full screen."""

_FILLING = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen

_log = logging.getLogger(__name__)


class _Left(NamedTuple):
    """The till's display, by its name, is gone (a screen that sleeps is pulled out, at some cables): where the till
    stood on it, and the customer's display, which is all that is left.
    """

    display: str
    geometry: QRect
    onto: str


class CustomerScreen(QObject):
    """`wanted`: the display's name, "" for the first that is not the till's, "off" for none."""

    def __init__(self, config: TillViewConfig, words: CustomerWords, wanted: str, till: MainWindow) -> None:
        super().__init__()
        self._config = config
        self.words = words
        self._wanted = wanted
        self._till = till
        self._following = Following(config, words)
        self.last: tuple[AttemptChanged | None, str, bool] | None = None
        self.window: CustomerWindow | None = None
        self._display: QScreen | None = None
        self._refused: QScreen | None = None
        self._tills: _Left | None = None
        self._clear = self._timer(CLEAR_MS, self._let_go)
        self._soon = self._timer(AFTER_TILL_MS, self.show_now)
        self._again = self._timer(AGAIN_MS, self._look)
        till.panel_changed.connect(self.take)
        till.amount_typed.connect(self.take_typed)
        till.encoder.encoded.connect(self._was_encoded)
        self._watch()
        self._look()

    def _timer(self, after_ms: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(after_ms)
        timer.timeout.connect(slot)
        return timer

    def _watch(self) -> None:
        application = QGuiApplication.instance()
        if not isinstance(application, QGuiApplication):
            raise RuntimeError("a window needs an application")
        application.screenAdded.connect(self._was_added)
        application.screenRemoved.connect(self._was_removed)
        application.primaryScreenChanged.connect(self._changed)
        application.focusWindowChanged.connect(self._focus_went)
        for display in application.screens():
            display.geometryChanged.connect(self._changed)
        handle = self._till.windowHandle()
        if handle is not None:
            handle.screenChanged.connect(self._changed)

    def stop(self) -> None:
        """No window, and nothing more comes."""
        self._till.panel_changed.disconnect(self.take)
        self._till.amount_typed.disconnect(self.take_typed)
        for timer in (self._clear, self._soon, self._again):
            timer.stop()
        self._wanted = "off"
        self._take_down()

    @Slot(object, str, bool)
    def take(self, change: AttemptChanged | None, who: str, is_halted: bool = False) -> None:
        """What stands on the till's panel now, whose panel it is, and whether nothing can be recorded just now."""
        self.last = (change, who, is_halted)
        before, code = self._following.end, self._following.seen.code
        self._following.take(change, who, is_halted=is_halted)
        if self._following.end != before:
            self._clear.start() if self._following.end else self._clear.stop()
        if self.window is not None and self._following.seen.code != code:
            self.window.hide_code()
        wait = self._wait()
        if not self._soon.isActive() or self._soon.remainingTime() > wait:
            self._soon.start(wait)

    @Slot(object)
    def take_typed(self, prices: tuple[Decimal, ...]) -> None:
        """What is typed at the till now. What was charged is gone from there a moment before it is seen here."""
        self._following.type(prices)
        wait = AFTER_TILL_MS if prices else MOMENT_MS
        if not self._soon.isActive() or self._soon.remainingTime() > wait:
            self._soon.start(wait)

    def _wait(self) -> int:
        """How soon to paint: "One moment" only where the answer takes one, and no code while it is being made."""
        seen, window = self._following.seen, self.window
        if window is None or window.view not in (View.IDLE, View.AMOUNT, View.MOMENT):
            return AFTER_TILL_MS
        begins = seen.view is View.MOMENT and window.view is not View.MOMENT
        return MOMENT_MS if begins or seen.code else AFTER_TILL_MS

    @Slot(str, object)
    def _was_encoded(self, text: str, _made: object) -> None:
        """The till's panel paints the code now; then it is our turn."""
        if text == self._following.seen.code and self._soon.isActive():
            self._soon.start(AFTER_TILL_MS)

    def _let_go(self) -> None:
        self._following.let_go()
        self.show_now()

    def show_now(self) -> None:
        """What the till's panel says, without waiting until the till has painted it."""
        if self.window is not None:
            self.window.show_seen(self._following.seen)

    @Slot(QScreen)
    def _was_added(self, display: QScreen) -> None:
        display.geometryChanged.connect(self._changed)
        self._changed()

    @Slot(QScreen)
    def _was_removed(self, display: QScreen) -> None:
        """Before Qt moves the windows of this display to another one, onto each other."""
        if display is self._till.screen() and self._display is not None:
            self._tills = _Left(display.name(), self._till.geometry(), self._display.name())
        if display in (self._display, self._till.screen()):
            self._take_down()
        # The display is still listed just now.
        self._changed()

    @Slot()
    def _changed(self) -> None:
        """Looked at once all that Qt tells of the change has been told."""
        self._refused = None
        self._again.start(0)

    def _look(self) -> None:
        """Whether the window stands where it belongs now, and the till where it did."""
        self._bring_till_back()
        display = customers(QGuiApplication.screens(), self._till.screen(), self._wanted)
        if display is not None and display is self._refused:
            return
        if display is not self._display:
            self._take_down()
            if display is not None:
                self._put_up(display)
        elif self.window is not None and display is not None:
            self.window.setGeometry(display.geometry())

    def _bring_till_back(self) -> None:
        """From the customer's display, onto which Qt put it when its own went, to its own that is there again. The
        customer would see the till otherwise, and the customer's screen lie over the cashier's display.
        """
        left = self._tills
        if left is None:
            return
        screens = {each.name(): each for each in QGuiApplication.screens()}
        if left.display not in screens:
            return
        self._tills = None
        till = self._till
        if till.screen().name() != left.onto:
            # Somebody, or the desktop, has put it elsewhere.
            return
        state = till.windowState()
        till.setWindowState(state & ~_FILLING)
        till.setScreen(screens[left.display])
        till.setGeometry(left.geometry)
        till.setWindowState(state)

    def _put_up(self, display: QScreen) -> None:
        # Most tills have one display, and load none of this.
        from pos_app.ui.customer.window import CustomerWindow

        window = CustomerWindow(self._config, self.words, self._till.encoder, self._till)
        self.window, self._display = window, display
        window.show_seen(self._following.seen)
        window.setScreen(display)
        window.setGeometry(display.geometry())
        # Queued: no window can be taken away in the middle of its being placed.
        window.resized.connect(self._check, Qt.ConnectionType.QueuedConnection)
        window.closed.connect(self._was_closed)
        # Not showFullScreen(), which also asks for the focus.
        window.setWindowState(Qt.WindowState.WindowFullScreen)
        window.show()
        window.windowHandle().screenChanged.connect(self._check, Qt.ConnectionType.QueuedConnection)

    def _take_down(self) -> None:
        window, self.window, self._display = self.window, None, None
        if window is not None:
            window.resized.disconnect(self._check)
            window.closed.disconnect(self._was_closed)
            window.hide()
            window.deleteLater()

    @Slot()
    def _check(self) -> None:
        """Some compositors spread every window over all displays, or open it where the last one stands."""
        window, display = self.window, self._display
        if window is None or display is None:
            return
        room = display.geometry()
        is_wide = window.width() > room.width() + _TOLERANCE or window.height() > room.height() + _TOLERANCE
        if is_wide or window.screen() is self._till.screen():
            _log.warning(
                "no customer's screen: it would cover the till, windows are not placed here as asked"
            )
            self._refused = display
            self._take_down()
            self._till.activateWindow()

    @Slot(QWindow)
    def _focus_went(self, to: QWindow | None) -> None:
        """A desktop that gives every new window the keyboard: it is the till's."""
        if self.window is not None and to is not None and to is self.window.windowHandle():
            self._till.activateWindow()

    def _was_closed(self) -> None:
        self._take_down()
        self._again.start(AGAIN_MS)
