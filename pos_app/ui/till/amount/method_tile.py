"""A large button for one way to pay: icon, name, one line more, keycap. Paints; knows no payment."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy

from pos_app.ui.theme.fonts import font, grown, size_of
from pos_app.ui.theme.icons import paint_icon
from pos_app.ui.theme.tokens import Tokens
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import DETAILS_LIMIT, clean
from pos_app.ui.widgets.paint import keycap_size, paint_keycap
from pos_app.ui.widgets.reading import as_read

_ICON = 56
_PAD = 16
_CENTRE = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_LINE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip | Qt.TextFlag.TextWordWrap
"""Some scripts are taller than the font that a line was measured with."""


class MethodTile(Button):
    """The primary one is filled, the other outlined; the title shrinks before it would be cut."""

    def __init__(
        self,
        title: str,
        more: str,
        *,
        name: str,
        icon: str,
        keycap: str,
        primary: bool,
    ) -> None:
        super().__init__(title, name=name, kind="primary" if primary else "outline", keycap=keycap)
        self._drawn = icon
        self._more = clean(more, DETAILS_LIMIT)
        self.setAccessibleDescription(self._more)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMaximumHeight(grown(360))

    def say(self, title: str, more: str, keycap: str) -> None:
        """In another language."""
        self._more = clean(more, DETAILS_LIMIT)
        self.setAccessibleDescription(self._more)
        self.set_keycap(keycap)
        self.setText(title)

    def sizeHint(self) -> QSize:
        """As in the design."""
        return QSize(368, 330)

    def minimumSizeHint(self) -> QSize:
        """Everything on it still has its room."""
        least = 210 + grown(40) - 40
        return QSize(least, max(190, round(self._parts(least - 2 * _PAD)[1]) + 2 * _PAD))

    def text_fits(self) -> bool:
        """Whether title and the line more are inside."""
        room = self.width() - 2 * _PAD
        metrics = QFontMetricsF(self._title_font(room))
        longest = max(metrics.horizontalAdvance(word) for word in self.text().split() or [""])
        return longest <= room and self._parts(room)[1] <= self.height()

    def paint_contents(self, painter: QPainter, shape: QRectF, on: Tokens, ink: str) -> None:
        """A column in the middle."""
        room = shape.width() - 2 * _PAD
        left = shape.x() + _PAD
        more_height, height = self._parts(room)
        top = shape.center().y() - height / 2
        paint_icon(painter, self._drawn, QRectF(shape.center().x() - _ICON / 2, top, _ICON, _ICON), ink)
        top += _ICON + 14
        title = self._title_font(room)
        painter.setFont(title)
        painter.setPen(QColor(ink))
        line = self._title_height(room)
        painter.drawText(QRectF(left, top, room, line), int(_LINE), as_read(self.text()))
        top += line + 6
        quiet = ink if self.kind == "primary" or not self.isEnabled() else on.muted
        painter.setFont(font("body"))
        painter.setPen(QColor(quiet))
        painter.drawText(QRectF(left, top, room, more_height), int(_CENTRE), as_read(self._more))
        top += more_height + 12
        if self._keycap:
            size = keycap_size(self._keycap)
            cap = QRectF(shape.center().x() - size.width() / 2, top, size.width(), size.height())
            filled = self.kind == "primary" and self.isEnabled()
            paint_keycap(painter, cap, self._keycap, quiet, None, ink if filled else on.keyline)

    def _title_font(self, room: float) -> QFont:
        size = size_of("method")
        while size > 18 and QFontMetricsF(font("method", size)).horizontalAdvance(self.text()) > room:
            size -= 1
        return font("method", size)

    def _title_height(self, room: float) -> float:
        """Of its own letters: other scripts stand higher than the font's line."""
        metrics = QFontMetricsF(self._title_font(room))
        return metrics.boundingRect(QRectF(0, 0, room, 1000), int(_CENTRE), self.text()).height()

    def _parts(self, room: float) -> tuple[float, float]:
        metrics = QFontMetricsF(font("body"))
        more = metrics.boundingRect(QRectF(0, 0, room, 1000), int(_CENTRE), self._more).height()
        title = self._title_height(room)
        cap = keycap_size(self._keycap).height() if self._keycap else 0
        return more, _ICON + 14 + title + 6 + more + 12 + cap
