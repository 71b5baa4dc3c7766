"""Upright bars side by side, one for each hour, each with its number on it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.domain.paper import Bar, Fill
from pos_app.ui.charts.fill import filled
from pos_app.ui.theme.fonts import font, grown
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S1
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.paint import turned
from pos_app.ui.widgets.reading import as_read

_WIDE, _LEAST, _HIGH = 420, 220, 170
_BAR, _BEHIND = 0.62, 0.86
"""Of an hour's room; the rest is between two bars."""

_WIDEST = 44.0


class Columns(QWidget):
    """`show_bars` draws these. Time runs the way lines do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[Bar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """These instead of those there were."""
        self._bars = tuple(Bar(clean(bar.label), clean(bar.said), bar.marks) for bar in bars)
        self.update()

    def sizeHint(self) -> QSize:
        """Low enough for two below each other."""
        return QSize(_WIDE, grown(_HIGH))

    def minimumSizeHint(self) -> QSize:
        """A phone's width is enough for a day's hours."""
        return QSize(_LEAST, grown(_HIGH))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Bars on a line, hours below it, numbers above or, where they are too wide, standing on end."""
        if not self._bars:
            return
        on, painter = tokens(), QPainter(self)
        painter.setFont(font("small"))
        metrics = QFontMetricsF(font("small"))
        slot = self.width() / len(self._bars)
        widest = max(metrics.horizontalAdvance(bar.said) for bar in self._bars)
        on_end = widest + S1 > slot
        top = (widest if on_end else metrics.height()) + S1
        floor = self.height() - metrics.height() - S1
        painter.fillRect(QRectF(0, floor, self.width(), 1), QColor(on.fieldline))
        each = max(1, -(-round(metrics.horizontalAdvance("00") + S1) // max(1, round(slot))))
        for at, bar in enumerate(self._bars):
            room = QRectF(at * slot, 0, slot, floor)
            high = self._paint_bar(painter, bar, room, floor - top)
            painter.setPen(QColor(on.text))
            if bar.said:
                self._paint_number(painter, bar.said, room, floor - high, metrics, on_end=on_end)
            if at % each == 0:
                painter.setPen(QColor(on.muted))
                below = turned(QRectF(room.left() - slot, floor + S1, 3 * slot, metrics.height()), self)
                painter.drawText(below, Qt.AlignmentFlag.AlignCenter, bar.label)

    def _paint_bar(self, painter: QPainter, bar: Bar, room: QRectF, most: float) -> float:
        """How high the highest part of it is that the number tells of: what lies behind is of another day."""
        on = tokens()
        highest = 0.0
        for fill, share in bar.marks:
            part = _BEHIND if fill is Fill.BEHIND else _BAR
            wide = min(room.width(), _WIDEST / _BAR) * part
            left = room.left() + (room.width() - wide) / 2
            high = max(round(most * share), 2 if share > 0 else 0)
            place = turned(QRectF(round(left), room.height() - high, round(wide), high), self)
            filled(painter, place, fill, QColor(on.primary), QColor(on.surface))
            if fill is not Fill.BEHIND:
                highest = max(highest, high)
        return highest

    def _paint_number(
        self, painter: QPainter, said: str, room: QRectF, top: float, metrics: QFontMetricsF, *, on_end: bool
    ) -> None:
        if not on_end:
            place = turned(
                QRectF(room.left(), top - metrics.height() - 2, room.width(), metrics.height()), self
            )
            wide = metrics.horizontalAdvance(said)
            ground = QRectF(place.center().x() - wide / 2, place.top(), wide, place.height())
            painter.fillRect(ground, QColor(tokens().surface))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, as_read(said))
            return
        middle = turned(room, self).center().x()
        painter.save()
        painter.translate(QPointF(middle + metrics.ascent() / 2 - 1, top - 3))
        painter.rotate(-90)
        # An outline may stand behind it, which is no stroke of a digit.
        painter.fillRect(
            QRectF(0, -metrics.ascent(), metrics.horizontalAdvance(said), metrics.height()),
            QColor(tokens().surface),
        )
        painter.drawText(QPointF(0, 0), as_read(said))
        painter.restore()
