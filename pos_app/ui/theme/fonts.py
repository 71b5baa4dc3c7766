"""The type scale, by role; sizes in pixels. Uses the system's fonts, ships none."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from pos_app.ui.theme.tokens import FAMILIES


class Type(NamedTuple):
    """A size (px) and a weight."""

    size: int
    weight: QFont.Weight


ROLES = {
    "amount": Type(52, QFont.Weight.Bold),
    "result_amount": Type(60, QFont.Weight.ExtraBold),
    "state": Type(44, QFont.Weight.ExtraBold),
    "heading": Type(40, QFont.Weight.Bold),
    "key": Type(28, QFont.Weight.Bold),
    "method": Type(26, QFont.Weight.Bold),
    "currency": Type(24, QFont.Weight.DemiBold),
    "title": Type(20, QFont.Weight.Bold),
    "lead": Type(18, QFont.Weight.Normal),
    "shop": Type(18, QFont.Weight.Bold),
    "strong": Type(16, QFont.Weight.DemiBold),
    "body": Type(16, QFont.Weight.Normal),
    "second": Type(14, QFont.Weight.Normal),
    "chip": Type(14, QFont.Weight.DemiBold),
    "small": Type(13, QFont.Weight.Normal),
    "keycap": Type(13, QFont.Weight.DemiBold),
}


_BODY = ROLES["body"].size
_LARGE = 20
"""Larger text than this grows by no more than text of this size does: it is read from afar as it is."""


def font(role: str, size: int = 0) -> QFont:
    """The font of a role; `size` (px) overrides the role's own where a part grows with the window.

    The font is shared: copy it before changing it.
    """
    return font_at(role, size or size_of(role))


def size_of(role: str) -> int:
    """A role's size (px) at the text size that is on."""
    size = ROLES[role].size
    return round(size + (text_factor() - 1) * min(size, _LARGE))


def grown(length: int) -> int:
    """A length (px) that has to hold text, at the text size that is on."""
    return round(length * text_factor())


def text_factor() -> float:
    """1 is the text size as drawn. The application's own font carries it, as its palette the theme."""
    size = QApplication.font().pixelSize()
    return size / _BODY if size > 0 else 1.0


def body_at(percent: int) -> QFont:
    """The font that puts this text size on when the application wears it."""
    return font_at("body", round(ROLES["body"].size * percent / 100))


@lru_cache(maxsize=64)
def font_at(role: str, size: int) -> QFont:
    """A role's font at a size (px), whatever text size is on."""
    kind = ROLES[role]
    made = QFont(FAMILIES)
    made.setPixelSize(size)
    made.setWeight(kind.weight)
    # Digits keep their places while they change: Noto's are tabular, other system fonts need to be told.
    made.setFeature(QFont.Tag("tnum"), 1)
    return made
