"""A plain ground on every display, so that no desktop is seen beside or between windows. Lies below all of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCloseEvent, QColor, QGuiApplication, QPainter, QPaintEvent, QScreen
from PySide6.QtWidgets import QWidget

from pos_app.ui.theme.theme import tokens

_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
    | Qt.WindowType.NoDropShadowWindowHint
)


class Backdrop(QWidget):
    """A plain ground: it shows nothing and takes nothing."""

    def __init__(self, screen: QScreen) -> None:
        super().__init__(None, _FLAGS)
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
