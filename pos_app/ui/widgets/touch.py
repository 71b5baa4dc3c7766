"""Whether a part is hovered, held down or focused just now. The gallery may pose a part so; nothing else may."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import QAbstractButton, QWidget

_POSED = "posed"


class Touch(NamedTuple):
    """How a part is touched; it decides how the part is painted, never what it does."""

    hovered: bool = False
    pressed: bool = False
    focused: bool = False


def touch_of(part: QWidget) -> Touch:
    """What is so now, or what the part was posed as."""
    posed = part.property(_POSED)
    if posed is not None:
        return Touch(*posed)
    pressed = isinstance(part, QAbstractButton) and part.isDown()
    return Touch(part.underMouse() and part.isEnabled(), pressed, part.hasFocus())


def pose(part: QWidget, touch: Touch) -> None:
    """Paint the part as if it were touched so, for a picture of it."""
    part.setProperty(_POSED, list(touch))
    part.update()
