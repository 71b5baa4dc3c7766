"""Makes a panel's texts smaller, all alike and in small steps, where they would not fit its height. Cuts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtWidgets import QLayout, QWidget

SCALES = (1.0, 0.93, 0.86, 0.8, 0.74, 0.68, 0.6)
"""A text twice as large as drawn is still larger than drawn at the last one."""


GROWN = (1.75, 1.5, 1.25)
"""Where there is room in plenty: a result is read from two metres."""
AIR = 0.62
"""What grown texts may take of the height."""


class Scaled(Protocol):
    """A text of a panel, or what stands among its texts."""

    def set_scale(self, scale: float) -> None: ...


def fit(panel: QWidget, texts: Sequence[Scaled], *, grows: bool = False) -> None:
    """The largest step at which the panel's layout needs no more than the panel's height. `grows`: or are larger.

    Call it when the panel has its size and when what it says is longer or shorter than before.
    """
    layout = panel.layout()
    if layout is None or panel.width() <= 0:
        return
    for scale in (*(GROWN if grows else ()), *SCALES):
        for text in texts:
            text.set_scale(scale)
        _forget_sizes(layout)
        room = panel.height() * (AIR if scale > 1 else 1)
        if layout.minimumHeightForWidth(panel.width()) <= room and (
            scale <= 1 or layout.minimumSize().width() <= panel.width()
        ):
            return


def _forget_sizes(layout: QLayout) -> None:
    # A layout asks those inside it for what they knew before their texts changed.
    for at in range(layout.count()):
        item = layout.itemAt(at)
        inner = item.layout() if item is not None else None
        if inner is not None:
            _forget_sizes(inner)
    layout.invalidate()
