"""A small icon in a token's colour beside a line of words. Decoration: the words say it too."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import colour


class Mark(QWidget):
    """An icon of a fixed side; "" shows none and keeps the room."""

    def __init__(self, icon: str, tone: str, side: int = 24, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._tone = tone
        self.setFixedSize(side, side)

    def set(self, icon: str, tone: str) -> None:
        """Another icon."""
        self._icon, self._tone = icon, tone
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon, if there is one."""
        if self._icon:
            paint_icon(QPainter(self), self._icon, QRectF(self.rect()), colour(self._tone))
