"""What a bar is filled with, drawn with lines of our own: the same on a screen, on a printer's dots and in a PDF."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from pos_app.domain.paper import Fill

_STEP = 6.0
"""From one line of a hatch to the next."""


def filled(
    painter: QPainter, place: QRectF, fill: Fill, ink: QColor, ground: QColor, edge: float = 2.0
) -> None:
    """A bar in its place: all ink, or hatched, crossed or open on its ground, within an edge of ink."""
    if place.isEmpty():
        return
    painter.save()
    if fill is Fill.SOLID:
        painter.fillRect(place, ink)
        painter.restore()
        return
    painter.fillRect(place, ground)
    if fill in (Fill.HATCHED, Fill.CROSSED):
        painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
        painter.setPen(QPen(ink, 1.0))
        _lines(painter, place, rising=True)
        if fill is Fill.CROSSED:
            _lines(painter, place, rising=False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(ink, edge)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    inside = min(edge, place.width(), place.height()) / 2
    painter.drawRect(place.adjusted(inside, inside, -inside, -inside))
    painter.restore()


def _lines(painter: QPainter, place: QRectF, *, rising: bool) -> None:
    high, at = place.height(), place.left() - place.height()
    while at < place.right():
        below, above = (at, at + high) if rising else (at + high, at)
        painter.drawLine(QLineF(below, place.bottom(), above, place.top()))
        at += _STEP
