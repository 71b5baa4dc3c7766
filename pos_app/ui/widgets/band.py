"""The sandbox's hazard band, on every window of the sandbox. It refuses to be hidden."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.design.fonts import font, grown
from pos_app.ui.design.theme import tokens
from pos_app.ui.design.tokens import BAND_HEIGHT
from pos_app.ui.words.band import words

_STRIPE = 16
_LINE = 16


class SandboxBand(QWidget):
    """28 pixels of stripes with the words; `setVisible(False)` does nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sandbox_band")
        self.setAccessibleName(words.SANDBOX)
        self.setFixedHeight(BAND_HEIGHT - _LINE + grown(_LINE))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tile: QPixmap | None = None

    def setVisible(self, _visible: bool) -> None:
        """Always visible, whoever asks."""
        super().setVisible(True)

    def say_anew(self) -> None:
        """The language has changed."""
        self.setAccessibleName(words.SANDBOX)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Stripes, and the words on a plain ground so that they read well."""
        on = tokens()
        painter = QPainter(self)
        painter.drawTiledPixmap(self.rect(), self._stripes())
        painter.setFont(_font())
        text_room = painter.fontMetrics().boundingRect(words.SANDBOX).adjusted(-14, 0, 14, 0)
        text_room.moveCenter(self.rect().center())
        painter.fillRect(text_room.x(), 0, text_room.width(), self.height(), QColor(on.sandboxstripe))
        painter.setPen(QColor(on.onsandbox))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words.SANDBOX)

    def _stripes(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        if self._tile is None or self._tile.devicePixelRatioF() != ratio:
            self._tile = _tile(ratio, self.height())
        return self._tile


def _font() -> QFont:
    spaced = QFont(font("keycap"))
    spaced.setWeight(QFont.Weight.Bold)
    spaced.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 1)
    return spaced


def _tile(ratio: float, height: int) -> QPixmap:
    on = tokens()
    width = 2 * _STRIPE
    tile = QPixmap(round(width * ratio), round(height * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(QColor(on.sandboxstripe))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(on.sandbox))
    for left in range(-width * (1 + height // width), 2 * width, width):
        top = left + height
        corners = ((top, 0), (top + _STRIPE, 0), (left + _STRIPE, height), (left, height))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    painter.end()
    return tile
