"""The little key drawn on a button, which teaches the keyboard. Decoration: the button has the name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.tokens import RADIUS_SMALL
from pos_app.ui.widgets.paint import box
from pos_app.ui.widgets.reading import as_read

_PAD = 8
_HEIGHT = 22


def keycap_size(text: str) -> QSizeF:
    """The room a keycap takes."""
    return QSizeF(QFontMetricsF(font("keycap")).horizontalAdvance(text) + 2 * _PAD, grown(_HEIGHT))


def paint_keycap(painter: QPainter, rect: QRectF, text: str, ink: str, ground: str | None, edge: str) -> None:
    """A key with a slightly thicker lower edge."""
    box(painter, rect, RADIUS_SMALL, ground, edge)
    painter.setPen(QColor(edge))
    low = rect.bottom() - 1.5
    painter.drawLine(QPointF(rect.left() + RADIUS_SMALL, low), QPointF(rect.right() - RADIUS_SMALL, low))
    painter.setFont(font("keycap"))
    painter.setPen(QColor(ink))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, as_read(text))
