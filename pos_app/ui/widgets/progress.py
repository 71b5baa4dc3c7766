"""A bar that fills, for what takes a while; a screen reader hears how far it is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from pos_app.ui.theme.theme import tokens
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import box

_HEIGHT = 12


class Progress(QProgressBar):
    """Of a thousand parts so many are done."""

    WHOLE = 1000

    def __init__(self, name: str, accessible: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(clean(accessible, DETAILS_LIMIT))
        self.setRange(0, self.WHOLE)
        self.setTextVisible(False)

    def show_share(self, done: int, most: int) -> None:
        """`done` of `most`; nothing is known of a `most` of 0."""
        self.setValue(self.WHOLE * min(done, most) // most if most else 0)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(200, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """A bar still."""
        return QSize(80, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """From where reading begins."""
        on = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        box(painter, room, _HEIGHT / 2, on.bg, on.line, 1)
        width = room.width() * self.value() / self.WHOLE
        if width >= _HEIGHT:
            is_turned = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            left = room.right() - width if is_turned else room.left()
            box(painter, QRectF(left, room.top(), width, room.height()), _HEIGHT / 2, on.primary, None, 0)
