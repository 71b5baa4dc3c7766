"""What the phone's camera sees: a frame with the till's code. Decoration: the text is what is read."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import RADIUS_PANEL
from pos_app.ui.widgets.paint import box


class Viewfinder(QWidget):
    """Four corners around the code; empty while the till shows none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("viewfinder")
        self._seen = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_code(self, text: str) -> None:
        """Whether there is something to see."""
        if self._seen is not bool(text):
            self._seen = bool(text)
            self.update()

    def sizeHint(self) -> QSize:
        """A camera's picture, and all the room there is."""
        return QSize(240, 120)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, corners, code."""
        on = tokens()
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), RADIUS_PANEL, on.veil)
        side = min(self.width(), self.height()) * 0.66
        frame = QRectF(0, 0, side, side)
        frame.moveCenter(QRectF(self.rect()).center())
        if self._seen:
            box(painter, frame.adjusted(10, 10, -10, -10), 8, on.paper)
            inner = frame.adjusted(side * 0.16, side * 0.16, -side * 0.16, -side * 0.16)
            paint_icon(painter, "qr", inner, on.ink)
        painter.setPen(QPen(QColor(on.sandboxstripe if self._seen else on.paper), 4))
        for corner in _corners(frame, side * 0.18):
            painter.drawPolyline(corner)


def _corners(frame: QRectF, arm: float) -> list[QPolygonF]:
    points = (
        (frame.topLeft(), 1, 1),
        (frame.topRight(), -1, 1),
        (frame.bottomRight(), -1, -1),
        (frame.bottomLeft(), 1, -1),
    )
    return [
        QPolygonF([at + QPointF(arm * right, 0), at, at + QPointF(0, arm * down)])
        for at, right, down in points
    ]
