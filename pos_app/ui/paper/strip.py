"""A piece of paper on the screen: the printer's own dots, as wide as there is room for. Heard as its text."""

from __future__ import annotations

from math import ceil, floor

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from pos_app.domain.paper import Bitmap
from pos_app.ui.paper.raster import image_of
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.paint import RING, focus_ring

_SHARE = 0.68
"""Of its dots on a screen of ordinary density: letters come out as large as the till's own."""

_KEPT = 8
"""So many bands that were scaled are kept: more than can be seen at once."""


class PaperStrip(QWidget):
    """`show_bitmap` the paper; until then it is blank. White on every theme, as paper is."""

    def __init__(self, name: str, dots: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._dots = dots
        self._image: QImage | None = None
        self._bands: dict[tuple[int, int], QImage] = {}
        # Whoever hears the screen, or scrolls by keys, comes here by Tab.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._fit()

    @property
    def image(self) -> QImage | None:
        """What lies there, dot for dot; None while nothing does."""
        return self._image

    def show_bitmap(self, bitmap: Bitmap) -> None:
        """This paper."""
        self._image = image_of(bitmap)
        self._bands.clear()
        self._fit()
        self.update()

    def sizeHint(self) -> QSize:
        """The paper's."""
        return self.minimumSize()

    def _fit(self) -> None:
        width = round(self._dots * _SHARE)
        # By the measure that it is drawn by: of metres a share that is cut off each dot is several lines.
        side = round(width * self.devicePixelRatioF()) / self.devicePixelRatioF()
        height = width if self._image is None else ceil(self._image.height() * side / self._dots)
        self.setFixedSize(width + 2 * S3, height + 2 * S3)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """White, an edge, the dots: as much of them as is seen. A report that names what is open may be metres long."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        paper = QRectF(self.rect()).adjusted(RING, RING, -RING, -RING)
        painter.fillRect(paper, Qt.GlobalColor.white)
        painter.setPen(QPen(QColor(tokens().line), 1))
        painter.drawRect(paper.adjusted(0.5, 0.5, -0.5, -0.5))
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), 0, tokens())
        if self._image is None:
            return
        room, ratio = self.rect().adjusted(S3, S3, -S3, -S3), self.devicePixelRatioF()
        wide = round(room.width() * ratio)
        # A band is as high as the paper is wide: it ends where a pixel ends, and no letter shows a seam.
        side = wide / ratio
        first = max(0, floor((event.rect().top() - S3) / side))
        last = min(
            (self._image.height() - 1) // self._image.width(), ceil((event.rect().bottom() - S3) / side)
        )
        for at in range(first, last + 1):
            band = self._band(self._image, at, wide)
            place = QRectF(room.left(), room.top() + at * side, side, band.height() / ratio)
            painter.drawImage(place, band, QRectF(band.rect()))

    def _band(self, image: QImage, at: int, wide: int) -> QImage:
        """Scaled once by all dots that fall on a pixel: letters of single dots stay whole."""
        known = self._bands.get((at, wide))
        if known is not None:
            return known
        dots = image.width()
        rows = min(dots, image.height() - at * dots)
        scaled = (
            image.copy(0, at * dots, dots, rows)
            .convertToFormat(QImage.Format.Format_Grayscale8)
            .scaled(
                wide,
                max(1, round(rows * wide / dots)),
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )
        while len(self._bands) >= _KEPT:
            del self._bands[next(iter(self._bands))]
        self._bands[at, wide] = scaled
        return scaled
