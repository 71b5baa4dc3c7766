"""The large mark beside the words: phone, shop, waiting, or how it ended. Decoration: the words say it too."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pos_app.ui.customer.seen import Seen, View
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.theme import tokens
from pos_app.ui.till.payment.panel_model import Tone
from pos_app.ui.widgets.badge import NOT_PAID, PAID, Mark

_WAIT = Mark("slow", "warn", "warnsoft", "onwarn", solid=False)
_ASK = Mark("question", "warn", "warnsoft", "onwarn", solid=False)
_MARKS = {Tone.PAID: PAID, Tone.NOT_PAID: NOT_PAID, Tone.NOT_KNOWN: _WAIT}
_CALM = {
    View.IDLE: Mark("shop", "primary", "primarysoft", "onprimary", solid=False),
    View.PHONE: Mark("phone", "primary", "primarysoft", "onprimary", solid=False),
    View.MOMENT: Mark("slow", "primary", "primarysoft", "onprimary", solid=False),
}


class Disc(QWidget):
    """A full disc for a certain end, a ring for what waits for somebody, a soft disc for everything calm."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._mark = _CALM[View.IDLE]
        self._is_calm = True

    def show_seen(self, seen: Seen) -> None:
        """The mark of this picture."""
        self._is_calm = seen.view in _CALM
        self._mark = _CALM.get(seen.view) or _MARKS.get(seen.tone, _ASK)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Disc or ring, and the icon."""
        on, mark = tokens(), self._mark
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = min(self.width(), self.height()) * (0.8 if self._is_calm else 0.94)
        centre = QPointF(self.width() / 2, self.height() / 2)
        colour = QColor(getattr(on, mark.token))
        pen = side / 22
        painter.setPen(QPen(colour, pen) if not (mark.solid or self._is_calm) else Qt.PenStyle.NoPen)
        fill = colour if mark.solid else QColor(getattr(on, mark.soft))
        painter.setBrush(fill if mark.solid or self._is_calm else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, (side - pen) / 2, (side - pen) / 2)
        part = side * 0.52
        place = QRectF(centre.x() - part / 2, centre.y() - part / 2, part, part)
        paint_icon(painter, mark.icon, place, getattr(on, mark.on) if mark.solid else colour)
