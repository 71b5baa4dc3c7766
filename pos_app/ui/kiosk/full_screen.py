"""Keeps one window over the whole display, in front, and open, whatever happens to displays and windows around it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QPainter, QPaintEvent, QScreen
from PySide6.QtWidgets import QApplication, QLayout, QWidget

from pos_app.ui.garbage import while_whole
from pos_app.ui.kiosk.filter import Cursor, InputFilter
from pos_app.ui.theme.theme import tokens

_BEHIND = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
)


class Backdrop(QWidget):
    """A plain ground: it shows nothing and takes nothing."""

    def __init__(self, screen: QScreen) -> None:
        super().__init__(None, _BEHIND)
        self.setObjectName("backdrop")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setScreen(screen)
        self.setGeometry(screen.geometry())

    def closeEvent(self, event: QCloseEvent) -> None:
        """It goes with the till alone."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The theme's ground."""
        QPainter(self).fillRect(self.rect(), QColor(tokens().bg))


class Backdrops(QObject):
    """One on each display; on the till's it is seen while one window of ours follows another."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: list[Backdrop] = []

    def cover(self) -> None:
        """Each display as it now is."""
        screens = QGuiApplication.screens()
        if [each.geometry() for each in self._shown] == [screen.geometry() for screen in screens]:
            return
        self.clear()
        for screen in screens:
            backdrop = Backdrop(screen)
            self._shown.append(backdrop)
            backdrop.show()
            backdrop.lower()

    def clear(self) -> None:
        """None is left."""
        for each in self._shown:
            each.hide()
            each.deleteLater()
        self._shown.clear()


_FLAGS = (
    Qt.WindowType.Window
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.NoDropShadowWindowHint
)
_LOST = frozenset({QEvent.Type.WindowDeactivate, QEvent.Type.WindowStateChange, QEvent.Type.Hide})


AGAIN_MS, LATER_MS = 30, 500
"""Not at once: with whoever takes the screen back each time, the till must not do nothing else."""


class FullScreen(QObject):
    """`show` puts a window there, and the one before it may go. Only a close of our own closes it."""

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: QWidget | None = None
        self._home = ""
        # Where a compositor alone places windows it gives ours the whole display, and another would cover ours.
        self._places = not QGuiApplication.platformName().startswith("wayland")
        self._cursor = Cursor(self)
        self._filter = InputFilter(application, self._cursor, self)
        self._backdrops = Backdrops(self) if self._places else None
        self._is_changed = False
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._restore)
        self._heard = [
            application.screenAdded.connect(self._follow),
            application.screenRemoved.connect(self._displays_changed),
            application.primaryScreenChanged.connect(self._displays_changed),
        ]
        for screen in QGuiApplication.screens():
            self._follow(screen)

    @property
    def window(self) -> QWidget | None:
        """The one that is kept there."""
        return self._window

    def show(self, window: QWidget) -> None:
        """This window from now on."""
        before, self._window = self._window, None
        asked = window.screen()
        if not self._home or asked is not QGuiApplication.primaryScreen():
            self._home = asked.name()
        if before is not None:
            before.removeEventFilter(self)
        window.setWindowFlags(_FLAGS)
        window.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        window.setAcceptDrops(False)
        layout = window.layout()
        if layout is not None:
            # A display smaller than the till likes: the two would fight over the size for ever.
            layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._window = window
        self._cover()
        window.installEventFilter(self)
        window.show()
        self._filter.watch(window.windowHandle())
        window.raise_()
        window.activateWindow()

    def let_go(self) -> None:
        """The till ends: windows may close, the cursor is the system's, and no display or window is heard of again."""
        for connection in self._heard:
            QObject.disconnect(connection)
        self._heard.clear()
        self._filter.stop()
        self._again.stop()
        window, self._window = self._window, None
        if window is not None:
            window.removeEventFilter(self)
        self._cursor.stop()
        if self._backdrops is not None:
            self._backdrops.clear()

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Refuses what comes from outside; comes back from what was done to the window."""
        if watched is self._window:
            if event.type() == QEvent.Type.Close and event.spontaneous():
                event.ignore()
                return True
            if event.type() in _LOST:
                # Once what is going on has come to its end.
                self._again.start(AGAIN_MS)
        return False

    def _follow(self, screen: QScreen) -> None:
        self._heard.append(screen.geometryChanged.connect(self._displays_changed))
        self._displays_changed()

    def _displays_changed(self) -> None:
        self._is_changed = True
        self._again.start(AGAIN_MS)

    def _cover(self) -> None:
        window = self._window
        if window is None:
            return
        if self._backdrops is not None:
            self._backdrops.cover()
        screen = self._display(window)
        if window.screen() is not screen:
            window.setScreen(screen)
        if self._places and window.geometry() != screen.geometry():
            # Full screen is a wish to a window manager; the place holds where there is none.
            window.setGeometry(screen.geometry())
        # A compositor of one program may call it maximised: asked again, it would begin with another size.
        full = window.isFullScreen() or (window.isMaximized() and not self._places)
        if not full or window.isMinimized():
            window.setWindowState(Qt.WindowState.WindowFullScreen)

    def _display(self, window: QWidget) -> QScreen:
        """The till's own, also after it was gone for a while; until then whichever the window was given."""
        named = (each for each in QGuiApplication.screens() if each.name() == self._home)
        return next(named, window.screen())

    def _restore(self) -> None:
        window = self._window
        if window is None:
            return
        is_changed, self._is_changed = self._is_changed, False
        if is_changed and not self._places and window.isVisible() and _is_beyond(window):
            # cage tells nobody that a display is gone; a window that is new to it gets the size of what is left.
            window.hide()
        if not window.isVisible():
            window.show()
            self._filter.watch(window.windowHandle())
        self._cover()
        if self._places and QApplication.activePopupWidget() is None and not window.isActiveWindow():
            window.raise_()
            window.activateWindow()
            # A window manager may refuse it while it is busy with another window.
            self._again.start(LATER_MS)


def _is_beyond(window: QWidget) -> bool:
    """Whether a part of it lies on no display."""
    there = window.screen().virtualGeometry()
    return window.width() > there.width() or window.height() > there.height()
