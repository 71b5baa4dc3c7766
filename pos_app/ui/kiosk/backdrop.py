"""Covers the displays that are not the till's, so that no desktop is seen there. Lies below whatever else is shown."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QScreen
from PySide6.QtWidgets import QWidget

from pos_app.ui.design.theme import tokens

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

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The theme's ground."""
        QPainter(self).fillRect(self.rect(), QColor(tokens().bg))


class Backdrops(QObject):
    """One on each display but the till's."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: list[Backdrop] = []

    def cover(self, tills: QScreen | None) -> None:
        """Each other display as it now is."""
        others = [screen for screen in QGuiApplication.screens() if screen is not tills]
        if [each.geometry() for each in self._shown] == [screen.geometry() for screen in others]:
            return
        self.clear()
        for screen in others:
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
