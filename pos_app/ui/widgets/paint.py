"""The few shapes everything is drawn with: rounded boxes, the focus ring, and the key on a button that teaches it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.tokens import RADIUS_SMALL, Tokens
from pos_app.ui.widgets.reading import as_read

RING = 3
"""What a focusable part keeps free around its shape, so that the ring stands on the ground beside it."""


def box(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: str | None = None,
    edge: str | None = None,
    width: float = 1,
) -> None:
    """A rounded box; the edge lies wholly inside the rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(fill) if fill else Qt.BrushStyle.NoBrush)
    if edge:
        painter.setPen(QPen(QColor(edge), width))
        half = width / 2
        rect = rect.adjusted(half, half, -half, -half)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(rect, radius, radius)


def turned(place: QRectF, part: QWidget) -> QRectF:
    """A place in this part, given as if lines began at the left, where it stands if they begin at the right."""
    if not part.isRightToLeft():
        return place
    return QRectF(part.width() - place.right(), place.y(), place.width(), place.height())


def focus_ring(painter: QPainter, rect: QRectF, radius: float, tokens: Tokens) -> None:
    """The ring just inside `rect`, around a shape that keeps RING free."""
    box(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), radius + RING, edge=tokens.focus, width=2)


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
