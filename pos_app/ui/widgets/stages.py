"""The stages of a waiting payment, as a column of marks with their names. Told how many are done."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.fonts import font, grown, size_of
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import Tokens
from pos_app.ui.widgets.motion import REACH_MS, Motion
from pos_app.ui.widgets.paint import turned
from pos_app.ui.widgets.reading import as_read

_MARK = 24
_TEXT_LEFT = _MARK + 20
_MARK_AT = 17
_ROW_LEAST = 10
_LINE = 24
_ROW_MOST = 56
_HALO = 5


class Stages(QWidget):
    """Done ones carry a tick, the next a ring with a halo, the rest an empty ring."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._names: tuple[str, ...] = ()
        self._done = 0
        self._scale = 1.0
        self._reached = 1.0
        self._reach = Motion(self, REACH_MS, self._grow)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_stages(self, names: tuple[str, ...], done: int) -> None:
        """These stages, of which the first `done` have been reported."""
        if (names, done) == (self._names, self._done):
            return
        went_on = names == self._names and done > self._done
        self._names = names
        self._done = done
        self.setMaximumHeight((_ROW_MOST + grown(_LINE) - _LINE) * max(1, len(names)))
        reached = names[done - 1] if done else ""
        self.setAccessibleName(f"{reached} · {done}/{len(names)}")
        self.update()
        if went_on:
            self._reach.start()

    def set_scale(self, scale: float) -> None:
        """Smaller, marks and names, where a panel has no room for all its texts (see fitting.fit)."""
        if scale != self._scale:
            self._scale = scale
            self.updateGeometry()
            self.update()

    def text(self) -> str:
        """Their names, reached or not."""
        return " ".join(self._names)

    def sizeHint(self) -> QSize:
        """Comfortable rows, whatever the scale."""
        return QSize(self._width(font("strong")), (24 + grown(_LINE)) * max(1, len(self._names)))

    def minimumSizeHint(self) -> QSize:
        """Close rows."""
        row = round(self._scale * (_ROW_LEAST + grown(_LINE)))
        return QSize(self._width(self._font("strong")), row * max(1, len(self._names)))

    def text_fits(self) -> bool:
        """Whether the names have their room, each in a row of its own."""
        line = QFontMetricsF(self._font("strong")).height()
        has_rows = line * len(self._names) <= self.height()
        return has_rows and self.minimumSizeHint().width() <= self.width()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Line, marks, names."""
        if not self._names:
            return
        on = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Squeezed, all of them stay: a step that is not to be seen is one nobody waits for.
        row = min(_ROW_MOST + grown(_LINE) - _LINE, self.height() / len(self._names))
        for at, name in enumerate(self._names):
            middle = at * row + row / 2
            if at + 1 < len(self._names):
                joined = on.primary if at < self._done else on.fieldline
                painter.setPen(QPen(QColor(joined), 2))
                across, off = self._across(), self._radius() + 3
                # Marks that stand close have no room for a line between them.
                if row > 2 * off:
                    painter.drawLine(QPointF(across, middle + off), QPointF(across, middle + row - off))
            self._mark(painter, at, middle, on)
            room = QRectF(_TEXT_LEFT, middle - row / 2, self.width() - _TEXT_LEFT, row)
            self._name(painter, at, name, turned(room, self), on)

    def _mark(self, painter: QPainter, at: int, middle: float, on: Tokens) -> None:
        centre = QPointF(self._across(), middle)
        radius = self._radius()
        if at < self._done:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(on.primary))
            if at == self._done - 1:
                radius *= 0.5 + 0.5 * self._reached
            painter.drawEllipse(centre, radius, radius)
            half = 7 * self._scale
            paint_icon(
                painter, "tick", QRectF(centre.x() - half, middle - half, 2 * half, 2 * half), on.onprimary
            )
            return
        if at == self._done:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(on.primarysoft))
            halo = radius + _HALO * self._scale * self._reached
            painter.drawEllipse(centre, halo, halo)
        painter.setBrush(QColor(on.surface))
        painter.setPen(QPen(QColor(on.primary if at == self._done else on.fieldline), 2))
        painter.drawEllipse(centre, radius - 1, radius - 1)

    def _font(self, role: str) -> QFont:
        return font(role, round(size_of(role) * self._scale))

    def _width(self, of: QFont) -> int:
        metrics = QFontMetricsF(of)
        widest = max((metrics.horizontalAdvance(name) for name in self._names), default=0)
        return round(_TEXT_LEFT + widest + 4)

    def _radius(self) -> float:
        return _MARK / 2 * self._scale

    def _across(self) -> float:
        """Where the marks stand."""
        return self.width() - _MARK_AT if self.isRightToLeft() else _MARK_AT

    def _grow(self, done: float) -> None:
        self._reached = done
        self.update()

    def _name(self, painter: QPainter, at: int, name: str, room: QRectF, on: Tokens) -> None:
        # What is not reached yet is never in bold: it would read as done.
        painter.setFont(self._font("strong" if at < self._done else "body"))
        painter.setPen(QColor(on.text if at <= self._done else on.muted))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, as_read(name))
