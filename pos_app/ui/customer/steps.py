"""How far the payment is, as a row of marks with their names below. Told how many are done."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pos_app.ui.customer.fit_text import SMALLEST, fitting
from pos_app.ui.theme.fonts import font
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean

_MARK_SHARE = 0.42
"""Of its height; the names have the rest."""

_FLAGS = (
    int((Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop).value) | Qt.TextFlag.TextWordWrap.value
)


class Steps(QWidget):
    """Done ones carry a tick, the next a thick ring, the rest a thin one: shape, not colour alone."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._names: tuple[str, ...] = ()
        self._done = 0
        self._largest = SMALLEST

    def show_steps(self, names: tuple[str, ...], done: int) -> None:
        """These steps, of which the first `done` have been reported."""
        self._names, self._done = tuple(clean(name, DETAILS_LIMIT) for name in names), done
        reached = self._names[done - 1] if 0 < done <= len(names) else ""
        self.setAccessibleName(f"{reached} {done}/{len(names)}".strip())
        self.update()

    def text(self) -> str:
        """Their names."""
        return " ".join(self._names)

    def place(self, room: QRect, largest: float) -> None:
        """Where they stand, and how large their letters may become (pixels)."""
        self._largest = max(SMALLEST, round(largest))
        self.setGeometry(room)
        self.setVisible(room.isValid() and bool(self._names))
        self.update()

    def pixels(self) -> int:
        """The size of the names: the same for all."""
        return fitting(self._largest, self._fits)

    def text_fits(self) -> bool:
        """Whether each name has its room."""
        return self._fits(self.pixels())

    def _fits(self, size: int) -> bool:
        metrics = QFontMetrics(font("strong", size))
        cell = round(self.width() / max(1, len(self._names)) - size / 2)
        below = self.height() * (1 - _MARK_SHARE) - size / 4
        sizes = [metrics.boundingRect(QRect(0, 0, cell, 10_000), _FLAGS, name) for name in self._names]
        return all(each.width() <= cell and each.height() <= below for each in sizes)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Line, marks, names, from where reading begins."""
        if not self._names:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font("strong", self.pixels()))
        cell = self.width() / len(self._names)
        for at, name in enumerate(self._names):
            place = (
                len(self._names) - 1 - at if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else at
            )
            self._paint_step(painter, at, name, QRectF(place * cell, 0, cell, self.height()))

    def _paint_step(self, painter: QPainter, at: int, name: str, room: QRectF) -> None:
        on = tokens()
        side = room.height() * _MARK_SHARE
        centre = QPointF(room.center().x(), side / 2)
        thin = max(2.0, side / 16)
        if at + 1 < len(self._names):
            step = -room.width() if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else room.width()
            gap = (side / 2 + thin * 2) * (1 if step > 0 else -1)
            painter.setPen(QPen(QColor(on.primary if at < self._done else on.fieldline), thin))
            painter.drawLine(centre + QPointF(gap, 0), centre + QPointF(step - gap, 0))
        if at < self._done:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(on.primary))
            painter.drawEllipse(centre, side / 2, side / 2)
            inner = side * 0.3
            mark = QRectF(centre.x() - inner, centre.y() - inner, 2 * inner, 2 * inner)
            paint_icon(painter, "tick", mark, on.onprimary)
        else:
            is_next = at == self._done
            pen = thin * 2 if is_next else thin
            painter.setPen(QPen(QColor(on.primary if is_next else on.fieldline), pen))
            painter.setBrush(QColor(on.surface))
            painter.drawEllipse(centre, (side - pen) / 2, (side - pen) / 2)
        painter.setPen(QColor(on.text if at <= self._done else on.muted))
        inner = self.pixels() / 4
        below = room.adjusted(inner, side + inner, -inner, 0)
        painter.drawText(below, _FLAGS, name)
