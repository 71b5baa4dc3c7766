"""The agreed pictures of papers: how they are made, kept and compared. `python -m` makes them anew.

They hold dot for dot, and so only where the same fonts are drawn by the same Qt: `FONTS` says with which they were
made. Elsewhere the tests of test_paper.py say what every machine's papers must be.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import sys
from pathlib import Path

from PIL import Image
from PySide6.QtCore import qVersion
from PySide6.QtGui import QTextLayout
from PySide6.QtWidgets import QApplication

from pos_app.domain.paper import WIDTHS, text_of
from pos_app.ui.paper.layout import paper_font
from pos_app.ui.paper.raster import bitmap_of
from tests.unit.ui.paper_cases import KINDS, LANGUAGES, paper

FOLDER = Path(__file__).parent / "references"
FONTS = FOLDER / "paper-fonts.json"


def fonts_here() -> dict[str, str]:
    """The fonts that the papers are set in on this machine, each by its name and a digest of its head table, which
    holds a sum over the whole file; Qt, and what sets the dots of a letter, which Qt takes from the system.
    """
    found = {"Qt": str(qVersion()), "FreeType": _freetype()}
    for language in LANGUAGES:
        for bold in (False, True):
            layout = QTextLayout(text_of(paper("test", language)), paper_font(24, bold=bold))
            layout.beginLayout()
            while layout.createLine().isValid():
                pass
            layout.endLayout()
            for run in layout.glyphRuns():
                font = run.rawFont()
                name = f"{font.familyName()} {font.styleName()}"
                found[name] = hashlib.sha256(bytes(font.fontTable("head").data())).hexdigest()[:16]
    return dict(sorted(found.items()))


def _freetype() -> str:
    """As "2.12.1": Debian 13's puts some dots elsewhere than Debian 12's. Nothing where Qt brings its own."""
    try:
        library = ctypes.CDLL("libfreetype.so.6")
    except OSError:
        return ""
    handle, parts = ctypes.c_void_p(), [ctypes.c_int() for _ in range(3)]
    library.FT_Init_FreeType(ctypes.byref(handle))
    library.FT_Library_Version(handle, *map(ctypes.byref, parts))
    library.FT_Done_FreeType(handle)
    return ".".join(str(part.value) for part in parts)


def fonts_agreed() -> dict[str, str]:
    """Those of the agreed pictures."""
    found: dict[str, str] = json.loads(FONTS.read_text("utf-8"))
    return found


def drawn(language: str, dots: int) -> Image.Image:
    """All kinds of paper in a language, side by side, in dots."""
    papers = [bitmap_of(paper(kind, language, dots), dots) for kind in KINDS]
    sheet = Image.new("1", (dots * len(papers), max(each.height for each in papers)), 1)
    for at, each in enumerate(papers):
        sheet.paste(Image.frombytes("1", (dots, each.height), each.rows, "raw", "1;I"), (at * dots, 0))
    return sheet


def agreed(language: str, dots: int) -> Path:
    """Where its picture lies."""
    return FOLDER / f"paper-{language}-{dots}.png"


def main() -> None:
    """All of them anew."""
    app = QApplication(["papers"])
    for language in LANGUAGES:
        for dots in WIDTHS.values():
            drawn(language, dots).save(agreed(language, dots), optimize=True)
            sys.stdout.write(f"{agreed(language, dots)}\n")
    FONTS.write_text(json.dumps(fonts_here(), indent=1, ensure_ascii=False) + "\n", "utf-8")
    del app


if __name__ == "__main__":
    main()
