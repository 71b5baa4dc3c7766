"""Our own SVG icons, drawn in a token's colour. Loaded when first painted, kept per size and colour."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap, QTransform

from pos_app.system.resources import resources

DIRECTED = frozenset({"back", "chevron_right", "leave", "refund"})
"""They point where lines go on or came from, and turn with them."""


def folder() -> Path:
    """Where the icons lie."""
    return resources("icons")


def paint_icon(painter: QPainter, name: str, rect: QRectF, colour: str | QColor) -> None:
    """Draw an icon into a square of logical pixels, sharp at the painter's scale factor."""
    ratio = painter.device().devicePixelRatioF()
    side = round(min(rect.width(), rect.height()) * ratio)
    is_turned = name in DIRECTED and painter.layoutDirection() is Qt.LayoutDirection.RightToLeft
    pixmap = pixmap_of(name, QColor(colour).name(), side, ratio, is_turned)
    left = rect.x() + (rect.width() - side / ratio) / 2
    top = rect.y() + (rect.height() - side / ratio) / 2
    painter.drawPixmap(QRectF(left, top, side / ratio, side / ratio), pixmap, QRectF(0, 0, side, side))


@lru_cache(maxsize=256)
def pixmap_of(name: str, colour: str, side: int, ratio: float, is_turned: bool) -> QPixmap:
    """An icon as it is painted: `side` in device pixels, `is_turned` for what is read from the right."""
    # QtSvg is loaded with the first icon, not with the module.
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(QByteArray(_source(name).replace(b"currentColor", colour.encode())))
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    if is_turned:
        pixmap = pixmap.transformed(QTransform.fromScale(-1, 1))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@cache
def _source(name: str) -> bytes:
    return (folder() / f"{name}.svg").read_bytes()
