"""Scrolls to a part of a panel, so far that nothing which stands at the edge lies over it."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QScrollArea, QWidget

from pos_app.ui.theme.fonts import grown

_ABOVE = 32
"""A field's label is seen with it (px)."""
_BELOW = 90
"""So far from the lower edge (px) nothing is under a panel's last row, which stands there."""


def bring_into_view(part: QWidget) -> None:
    """To a part that has, or gets, the keyboard."""
    above = part.parentWidget()
    while above is not None:
        if getattr(above, "stands_at_the_edge", False):
            return
        if isinstance(above, QScrollArea):
            _scroll(above, part)
            # Of what lies farther out, it is the area that is scrolled to.
            part = above
        above = above.parentWidget()


def _scroll(area: QScrollArea, part: QWidget) -> None:
    # Not `ensureWidgetVisible`: it asks for no room around what lies inside the area, where something may cover it.
    bar = area.verticalScrollBar()
    top = bar.value() + part.mapTo(area.viewport(), QPoint(0, 0)).y()
    least = top + part.height() + grown(_BELOW) - area.viewport().height()
    bar.setValue(min(max(bar.value(), least), max(0, top - grown(_ABOVE))))
