"""A paper as dots: drawn by Qt, taken on from there by Pillow, which is not loaded before the first paper is wanted."""

from __future__ import annotations

import io

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, qRgb

from pos_app.domain.paper import Bitmap, Paper
from pos_app.ui.paper.layout import lay

_THRESHOLD = 128
_DOTS_PER_INCH = 203


def bitmap_of(paper: Paper, width: int) -> Bitmap:
    """The picture of a paper so many dots wide. Needs a QGuiApplication, on any thread; it is the same on each."""
    from PIL import Image

    sheet = lay(paper, width)
    image = QImage(width, sheet.height, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    try:
        sheet.draw(painter)
    finally:
        painter.end()
    size = (width, sheet.height)
    grey = Image.frombytes("L", size, bytes(image.constBits()), "raw", "L", image.bytesPerLine())
    black = grey.point(lambda value: 255 if value < _THRESHOLD else 0, "1")
    return Bitmap(width, sheet.height, black.tobytes("raw", "1"))


def png_of(bitmap: Bitmap) -> bytes:
    """A PNG of one bit a dot, black on white, that knows how large it is on paper."""
    from PIL import Image

    image = Image.frombytes("1", (bitmap.width, bitmap.height), bitmap.rows, "raw", "1;I")
    written = io.BytesIO()
    image.save(written, "PNG", optimize=True, dpi=(_DOTS_PER_INCH, _DOTS_PER_INCH))
    return written.getvalue()


def image_of(bitmap: Bitmap) -> QImage:
    """The same for a screen."""
    image = QImage(bitmap.rows, bitmap.width, bitmap.height, bitmap.width // 8, QImage.Format.Format_Mono)
    image.setColorTable([qRgb(255, 255, 255), qRgb(0, 0, 0)])
    # The bytes are Python's and may go.
    return image.copy()
