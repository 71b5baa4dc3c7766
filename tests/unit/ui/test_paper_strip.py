"""Paper on the screen: what is seen of it is what the printer's dots are, however long it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from pos_app.domain.paper import WIDTHS, Bitmap
from pos_app.ui.paper.raster import image_of
from pos_app.ui.paper.strip import PaperStrip
from pos_app.ui.theme.tokens import S3

DOTS = 576


def paper(rows: int) -> Bitmap:
    """Lines that lean: a row that is left out, doubled or elsewhere is another picture."""
    line = DOTS // 8
    made = bytearray(line * rows)
    for row in range(rows):
        for at in range(row % 40, DOTS, 40):
            made[row * line + at // 8] |= 0x80 >> (at % 8)
    return Bitmap(DOTS, rows, bytes(made))


def seen(strip: PaperStrip, place: QRect) -> QImage:
    """A part of it, as it is painted when no more of it is."""
    made = QImage(place.size(), QImage.Format.Format_Grayscale8)
    made.fill(Qt.GlobalColor.white)
    painter = QPainter(made)
    strip.render(painter, QPoint(), place, PaperStrip.RenderFlag.DrawChildren)
    painter.end()
    return made


@pytest.mark.parametrize("rows", [100, DOTS, DOTS + 1, 2 * DOTS + DOTS // 2])
def test_its_parts_are_the_whole(qtbot: QtBot, rows: int) -> None:
    strip = PaperStrip("paper", DOTS)
    qtbot.addWidget(strip)
    bitmap = paper(rows)
    strip.show_bitmap(bitmap)
    room = strip.rect().adjusted(S3, S3, -S3, -S3)
    # On white as high as a whole number of widths, so that its dots become pixels by the very same measure.
    padded = QImage(DOTS, -(-rows // DOTS) * DOTS, QImage.Format.Format_Grayscale8)
    padded.fill(Qt.GlobalColor.white)
    painter = QPainter(padded)
    painter.drawImage(0, 0, image_of(bitmap))
    painter.end()
    whole = padded.scaledToWidth(room.width(), Qt.TransformationMode.SmoothTransformation)
    for top in range(0, room.height() - 20, 53):
        part = QRect(room.left(), room.top() + top, room.width(), 20)
        expected = whole.copy(0, top, room.width(), 20)
        shown = seen(strip, part)
        unlike = sum(
            abs(shown.pixelColor(x, y).value() - expected.pixelColor(x, y).value()) > 40
            for x in range(0, room.width(), 3)
            for y in range(20)
        )
        assert unlike < 10, top


@pytest.mark.timeout(60)
def test_a_paper_of_many_metres_is_scaled_where_it_is_seen(qtbot: QtBot) -> None:
    """A report names each payment that is open: all of it was scaled anew for every step that it was scrolled."""
    strip = PaperStrip("paper", DOTS)
    qtbot.addWidget(strip)
    strip.show_bitmap(paper(200 * DOTS))
    before = seen(strip, QRect(0, 0, strip.width(), 400))
    for top in range(0, strip.height() - 400, strip.height() // 40):
        seen(strip, QRect(0, top, strip.width(), 400))
    assert seen(strip, QRect(0, 0, strip.width(), 400)) == before


@pytest.mark.parametrize("rows", [100, 2_000, 100_000])
@pytest.mark.parametrize("dots", WIDTHS.values())
def test_its_end_is_seen_however_long_it_is(qtbot: QtBot, dots: int, rows: int) -> None:
    """A share of a dot for each width came to several lines at the end of a long report."""
    strip = PaperStrip("paper", dots)
    qtbot.addWidget(strip)
    line = dots // 8
    strip.show_bitmap(Bitmap(dots, rows, bytes(line * (rows - 8)) + b"\xff" * line * 8))
    end = QRect(strip.width() // 2, strip.height() - S3 - 10, 1, 10)
    shown = seen(strip, end)
    ink = [shown.pixelColor(0, y).value() < 128 for y in range(10)]
    assert sum(ink) >= 5, "all of its eight dots"
    assert any(ink[-2:]), "and nothing behind them"
