"""The round mark of a state: a shape and an icon, so that colour is never alone."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.widgets.motion import ARRIVE_MS, Motion

_LARGEST = 176
_SMALLEST = 40
_BEGINS = 0.7


class Mark(NamedTuple):
    """An icon in a colour on a ground; `solid` fills the disc, else it is a ring."""

    icon: str
    token: str
    soft: str
    on: str
    solid: bool


PAID = Mark("tick", "ok", "oksoft", "onok", solid=True)
NOT_PAID = Mark("cross", "bad", "badsoft", "onbad", solid=True)
NOT_KNOWN = Mark("warning", "warn", "warnsoft", "onwarn", solid=False)
CHECKING = Mark("question", "warn", "warnsoft", "onwarn", solid=False)
WAITING = Mark("slow", "primary", "primarysoft", "onprimary", solid=False)
DISPUTED = Mark("stop", "bad", "badsoft", "onbad", solid=False)
AGED = Mark("tick", "muted", "bg", "surface", solid=False)
"""Paid, but some time ago: no colour that somebody could point at."""
LATE = Mark("late", "warn", "warnsoft", "onwarn", solid=False)


def paint_small(painter: QPainter, rect: QRectF, mark: Mark) -> None:
    """The little disc of the strip and the lists."""
    on = tokens()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(getattr(on, mark.soft)))
    painter.drawEllipse(rect)
    inner = rect.width() * 0.26
    paint_icon(painter, mark.icon, rect.adjusted(inner, inner, -inner, -inner), getattr(on, mark.token))


class Badge(QWidget):
    """The large disc of a result; it takes what room it gets, between 40 and 176 pixels."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._mark = PAID
        self._scale = 1.0
        self._arrival = Motion(self, ARRIVE_MS, self._grow)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(_LARGEST)

    def show_mark(self, mark: Mark) -> None:
        """Another state; it comes in, so that nobody misses that it is another."""
        is_another = mark != self._mark
        self._mark = mark
        self.update()
        if is_another:
            self._arrival.start()

    def showEvent(self, event: QShowEvent) -> None:
        """A result comes in."""
        super().showEvent(event)
        self._arrival.start()

    def sizeHint(self) -> QSize:
        """As in the design."""
        return QSize(128, 128)

    def minimumSizeHint(self) -> QSize:
        """Still seen from two metres."""
        return QSize(_SMALLEST, _SMALLEST)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Disc or ring, and the icon."""
        on = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width(), self.height()) * self._scale
        centre = QPointF(self.width() / 2, self.height() / 2)
        colour = QColor(getattr(on, self._mark.token))
        ink = getattr(on, self._mark.on) if self._mark.solid else colour
        if self._mark.solid:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(centre, side / 2, side / 2)
        else:
            pen = max(4.0, side / 22)
            painter.setPen(QPen(colour, pen))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, (side - pen) / 2, (side - pen) / 2)
        part = side * (0.54 if self._mark.solid else 0.5)
        lift = side * 0.03 if self._mark.icon == "warning" else 0
        place = QRectF(centre.x() - part / 2, centre.y() - part / 2 - lift, part, part)
        paint_icon(painter, self._mark.icon, place, ink)

    def _grow(self, done: float) -> None:
        self._scale = _BEGINS + (1 - _BEGINS) * done
        self.update()
