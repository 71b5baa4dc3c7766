"""Which parts of a panel the keyboard can reach, and in which order. Moves no focus itself."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid


def focusable(panel: QWidget) -> list[QWidget]:
    """The panel's parts that Tab may reach now, in tab order."""
    found: list[QWidget] = []
    each: QWidget | None = panel
    while each is not None:
        reached = bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus) and each.isEnabled() and each.isVisible()
        if reached and each.focusProxy() is None and (each is panel or panel.isAncestorOf(each)):
            found.append(each)
        each = each.nextInFocusChain()
        if each is panel:
            break
    return found


def first_focusable(panel: QWidget) -> QWidget | None:
    """Where Tab would begin."""
    chain = focusable(panel)
    return chain[0] if chain else None


def alive(widget: QWidget) -> bool:
    """Whether Qt has not deleted it yet."""
    return isValid(widget)
