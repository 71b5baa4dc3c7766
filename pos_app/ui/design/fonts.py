"""The type scale, by role; sizes in pixels. Uses the system's fonts, ships none."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PySide6.QtGui import QFont

FAMILIES = ["Noto Sans", "Segoe UI", "Helvetica Neue", "DejaVu Sans"]


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


@lru_cache(maxsize=64)
def font(role: str, size: int = 0) -> QFont:
    """The font of a role; `size` (px) overrides the role's own where a part grows with the window.

    The font is shared: copy it before changing it.
    """
    kind = ROLES[role]
    made = QFont(FAMILIES)
    made.setPixelSize(size or kind.size)
    made.setWeight(kind.weight)
    # Digits keep their places while they change: Noto's are tabular, other system fonts need to be told.
    made.setFeature(QFont.Tag("tnum"), 1)
    return made
