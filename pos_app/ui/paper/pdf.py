"""A paper as a PDF to keep: PDF/A-1b, on a roll of 80 mm or on A4; for the system's printer on the roll that it has.

Sinhala and Tamil that are copied out of a PDF lose letters in every reader that was tried, and Qt writes no structure
for those who hear it read: so each PDF has its text in a file beside it, which whoever saves one writes, too.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPagedPaintDevice, QPageLayout, QPageSize, QPainter, QPdfWriter

from pos_app.domain.paper import WIDTHS, Paper
from pos_app.ui.paper.layout import lay, pages

_DOTS_PER_MM = 8
_ROLL_MM = 80
_A4_EDGE_MM = 15
_A4_SCALE = 1.25
_RESOLUTION = 1200


class Page(StrEnum):
    """What it is written on."""

    ROLL = "roll"
    A4 = "a4"


def pdf_of(paper: Paper, page: Page = Page.ROLL, roll_mm: int = _ROLL_MM) -> bytes:
    """The file. Needs a QGuiApplication, on any thread. `roll_mm`: how wide the roll is, one of WIDTHS."""
    dots = WIDTHS[roll_mm if page is Page.ROLL else _ROLL_MM]
    edge_mm = (roll_mm - dots / _DOTS_PER_MM) / 2
    sheet = lay(paper, dots)
    kept = QBuffer()
    kept.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(kept)
    writer.setPdfVersion(QPagedPaintDevice.PdfVersion.PdfVersion_A1b)
    writer.setResolution(_RESOLUTION)
    writer.setTitle(paper.title)
    writer.setCreator("pos_app")
    scale = 1.0 if page is Page.ROLL else _A4_SCALE
    if page is Page.ROLL:
        high = sheet.height / _DOTS_PER_MM + 2 * edge_mm
        size = QPageSize(
            QSizeF(roll_mm, high), QPageSize.Unit.Millimeter, "", QPageSize.SizeMatchPolicy.ExactMatch
        )
        left = top = edge_mm
    else:
        size = QPageSize(QPageSize.PageSizeId.A4)
        high = size.size(QPageSize.Unit.Millimeter).height()
        left = (size.size(QPageSize.Unit.Millimeter).width() - scale * sheet.width / _DOTS_PER_MM) / 2
        top = float(_A4_EDGE_MM)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF()))
    painter = QPainter(writer)
    try:
        per_mm = _RESOLUTION / 25.4
        painter.scale(per_mm, per_mm)
        painter.translate(left, top)
        painter.scale(scale / _DOTS_PER_MM, scale / _DOTS_PER_MM)
        for number, parts in enumerate(pages(sheet, (high - 2 * top) / scale * _DOTS_PER_MM + 1)):
            if number:
                writer.newPage()
            for part in parts:
                painter.save()
                painter.translate(0, part.top)
                part.paint(painter)
                painter.restore()
    finally:
        painter.end()
    return bytes(kept.data().data())
