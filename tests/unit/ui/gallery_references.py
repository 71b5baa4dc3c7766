"""The committed pictures of the gallery: how they are made, kept and compared. `python -m` makes them anew.

Text is set in a font of blocks made by these tests, because real fonts are drawn differently by every machine; so
a picture tells shapes, colours, places, sizes and the length of texts, and the tests of words tell the words. A cell
is the mean of 4×4 pixels: the last bit of an antialiased edge is lost in it, a shifted part or another colour is not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image, ImageChops
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase, QImage
from PySide6.QtWidgets import QApplication

from pos_app.gallery.exhibit import Exhibit
from pos_app.gallery.pictures import picture
from pos_app.gallery.sections import sections
from pos_app.ui.theme import fonts, theme, tokens
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.widgets import motion
from tests.unit.ui.block_font import FAMILY, block_font

FOLDER = Path(__file__).parent / "references"
THEMES = ("light", "dark")
SECTIONS = ("parts", "before", "waiting", "results", "dialogs")
CELL = 4
TOLERANCE = 20
"""How far a cell's red, green or blue may be from the reference, of 255."""
MOST_CELLS = 2
"""How many cells may be further away: a corner where two edges meet."""

Pictures = dict[str, Image.Image]


@contextmanager
def blocks() -> Iterator[None]:
    """All text is set in the font of blocks."""
    for weight in (400, 700):
        QFontDatabase.addApplicationFontFromData(QByteArray(block_font(weight)))
    real, families = fonts.font_at, list(tokens.FAMILIES)

    def block(role: str, size: int) -> QFont:
        made = QFont(real(role, size))
        made.setFamilies([FAMILY])
        made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        made.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)
        return made

    fonts.font_at = block  # type: ignore[assignment]
    try:
        yield
    finally:
        fonts.font_at = real
        assert families == tokens.FAMILIES


def taken(app: QApplication, section: str, colours: str) -> Pictures:
    """The section's pictures now, as cells."""
    encoder = QrEncoder()
    try:
        with blocks():
            theme.apply(app, colours)
            # A mark that grows has another size in every picture: they show its end.
            motion.switch(app, on=False)
            return {each.name: cells(picture(each)) for each in _shown(encoder, section)}
    finally:
        encoder.stop()
        theme.apply(app, "light")


def cells(image: QImage) -> Image.Image:
    """One pixel for each cell."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    whole = Image.frombytes(
        "RGB",
        (plain.width(), plain.height()),
        bytes(plain.constBits()),
        "raw",
        "RGB",
        plain.bytesPerLine(),
    )
    return whole.reduce(CELL)


def kept(section: str, colours: str, now: Pictures) -> Pictures:
    """The section's references, cut from their sheet in the order of `now`; {} where the sheet has other sizes."""
    sheet = Image.open(_sheet(section, colours)).convert("RGB")
    if sheet.size != _size(now):
        return {}
    found, top = {}, 0
    for name, each in now.items():
        found[name] = sheet.crop((0, top, each.width, top + each.height))
        top += each.height
    return found


def differing(now: Image.Image, reference: Image.Image) -> int:
    """How many cells are further away than they may be."""
    bands = ImageChops.difference(now, reference).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(worst.histogram()[TOLERANCE + 1 :])


def save(section: str, colours: str, now: Pictures, folder: Path = FOLDER) -> Path:
    """Keep these, below each other on one sheet."""
    sheet = Image.new("RGB", _size(now))
    top = 0
    for each in now.values():
        sheet.paste(each, (0, top))
        top += each.height
    path = folder / _sheet(section, colours).name
    sheet.save(path, optimize=True)
    return path


def _shown(encoder: QrEncoder, section: str) -> list[Exhibit]:
    return sections(encoder)[section]


def _sheet(section: str, colours: str) -> Path:
    return FOLDER / f"{section}-{colours}.png"


def _size(pictures: Pictures) -> tuple[int, int]:
    return max(each.width for each in pictures.values()), sum(each.height for each in pictures.values())


def main() -> None:
    """All of them anew."""
    app = QApplication(["references", *theme.STYLE_ARGUMENTS])
    for section in SECTIONS:
        for colours in THEMES:
            sys.stdout.write(f"{save(section, colours, taken(app, section, colours))}\n")


if __name__ == "__main__":
    main()
