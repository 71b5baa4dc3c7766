"""Ends the lines of a text that is read from the right where Qt would break them. Draws nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextLayout, QTextOption


def broken(text: str, font: QFont, width: int, *, from_right: bool) -> tuple[str, int]:
    """A text as it is to be drawn in lines, and the flag by which Qt breaks it; none where they are ended here."""
    return (ended(text, font, width), 0) if from_right else (text, Qt.TextFlag.TextWordWrap.value)


def ended(text: str, font: QFont, width: int) -> str:
    """The text with an end of line for each space at which it is broken, to be drawn as it then stands.

    Qt keeps that space at the line's beginning when it draws from the right: the line stood a space off its edge, and
    one that filled its room lost its last letter at the other.
    """
    return "\n".join(line for each in text.split("\n") for line in _lines(each, font, width))


def _lines(text: str, font: QFont, width: int) -> list[str]:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.RightToLeft)
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    found = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        found.append((line.textStart(), line.textStart() + line.textLength()))
    layout.endLayout()
    # Qt counts in units of UTF-16.
    units = text.encode("utf-16-le", "surrogatepass")
    said = [units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass") for start, end in found]
    return [line.rstrip(" ") for line in said] or [text]
