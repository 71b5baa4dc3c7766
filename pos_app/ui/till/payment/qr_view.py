"""Paints a QR code: black on white in every theme, quiet zone, whole device pixels. Shows no other text."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import QR_LEAST, QUIET_ZONE, RADIUS_SMALL
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.payment.qr_matrix import Matrix
from pos_app.ui.widgets.paint import box

_LARGEST = 900


class QrView(QWidget):
    """`show_text` asks for the matrix and paints it when it comes; `clear` takes it away at once."""

    def __init__(self, encoder: QrEncoder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("qr")
        self._encoder = encoder
        self._text = ""
        self._image: QImage | None = None
        encoder.encoded.connect(self._take)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def is_shown(self) -> bool:
        """Whether a code can be scanned from this screen now."""
        return self._image is not None

    def show_text(self, text: str) -> None:
        """Show the code of this text."""
        if text == self._text:
            return
        self.clear()
        self._text = text
        self._encoder.encode(text)

    def clear(self) -> None:
        """No code."""
        self._text = ""
        self._image = None
        self.update()

    def sizeHint(self) -> QSize:
        """A hand's breadth."""
        return QSize(400, 400)

    def minimumSizeHint(self) -> QSize:
        """More than the 240 pixels a code needs: longer texts have more modules."""
        return QSize(QR_LEAST + 85, QR_LEAST)

    def module_pixels(self) -> int:
        """Device pixels a module takes, 0 without a code."""
        if self._image is None:
            return 0
        room = min(self.width(), self.height(), _LARGEST) * self.devicePixelRatioF()
        return max(1, int(room // self._image.width()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """White paper with the code, on whole device pixels; scaled by copying pixels, never smoothed."""
        painter = QPainter(self)
        if self._image is None:
            return
        on = tokens()
        ratio = self.devicePixelRatioF()
        side = self.module_pixels() * self._image.width()
        origin = painter.deviceTransform().map(QPointF(0, 0))
        left = _whole(origin.x(), (self.width() * ratio - side) / 2)
        top = _whole(origin.y(), (self.height() * ratio - side) / 2)
        paper = QRectF(left / ratio, top / ratio, side / ratio, side / ratio)
        box(painter, paper.adjusted(-4, -4, 4, 4), RADIUS_SMALL, on.paper)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(paper, self._image)

    def _take(self, text: str, made: Matrix | None) -> None:
        if text != self._text or not text or self._image is not None:
            return
        self._image = _image(made) if made is not None else None
        self.update()


def _whole(origin: float, wanted: float) -> float:
    """The offset nearest to `wanted` that ends on a whole device pixel."""
    return round(origin + wanted) - origin


def _image(made: Matrix) -> QImage:
    """One pixel a module, quiet zone included."""
    on = tokens()
    whole = made.side + 2 * QUIET_ZONE
    image = QImage(whole, whole, QImage.Format.Format_RGB32)
    image.fill(QColor(on.paper))
    ink = QColor(on.ink).rgb()
    for y, row in enumerate(made.rows):
        for x, black in enumerate(row):
            if black:
                image.setPixel(x + QUIET_ZONE, y + QUIET_ZONE, ink)
    return image
