"""Every part that takes keys or a touch: named, large enough, in the order it is read, and its focus is seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QWidget,
)

from pos_app.gallery.sections import sections
from pos_app.ui.keyboard.keyboard import BoardKey
from pos_app.ui.theme.tokens import TOUCH
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.till.window.main_window import MainWindow
from pos_app.ui.widgets.in_view import bring_into_view

CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView)
SECTIONS = ("before", "waiting", "results", "dialogs", "windows", "day")
SAME_ROW = 24
"""Parts whose middles are this near in height stand in one row (pixels)."""


def _controls(on: QWidget) -> list[QWidget]:
    found = [each for each in on.findChildren(QWidget) if isinstance(each, CONTROLS) and each.isVisible()]
    found = [each for each in found if not isinstance(each, QHeaderView)]
    return [each for each in found if not isinstance(each.parentWidget(), QComboBox) and each.parent()]


def _chain(on: QWidget) -> list[QWidget]:
    """What Tab reaches, in its order."""
    found: list[QWidget] = []
    part = on.nextInFocusChain()
    while part is not None and part is not on:
        takes_tab = part.isVisible() and part.isEnabled() and part.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes_tab and not _is_under(part, on):
            found.append(part)
        part = part.nextInFocusChain()
    return found


def _is_under(part: QWidget, on: QWidget) -> bool:
    """A panel over the till keeps Tab to itself."""
    over = on.overlay.top if isinstance(on, MainWindow) else None
    return over is not None and not over.isAncestorOf(part)


def _is_after(one: QWidget, other: QWidget) -> bool:
    """As a line is read, and down; asked of parts of one parent alone, for columns stand beside each other."""
    if one.parentWidget() is not other.parentWidget():
        return True
    first, second = one.geometry().center(), other.geometry().center()
    if abs(first.y() - second.y()) < SAME_ROW:
        return (second.x() > first.x()) is not one.isRightToLeft()
    return second.y() > first.y()


@pytest.fixture(params=SECTIONS)
def exhibits(request: pytest.FixtureRequest, qtbot: Any) -> Iterator[dict[str, QWidget]]:
    """All of a section of the gallery, shown one at a time."""
    encoder = QrEncoder()
    made: dict[str, QWidget] = {}
    for each in sections(encoder)[request.param]:
        built = made[each.name] = each.build()
        qtbot.addWidget(built)
        built.resize(*each.size)
        built.show()
    QApplication.processEvents()
    yield made
    encoder.stop()


def test_each_control_is_named_and_large_enough(exhibits: dict[str, QWidget]) -> None:
    wrong = [
        (name, type(part).__name__, part.objectName(), part.accessibleName(), part.size().toTuple())
        for name, on in exhibits.items()
        for part in _controls(on)
        if not part.accessibleName() or part.height() < TOUCH or part.width() < TOUCH
    ]
    assert wrong == []


def test_tab_goes_through_all_of_them_as_they_are_read(exhibits: dict[str, QWidget]) -> None:
    for name, on in exhibits.items():
        chain = _chain(on)
        missed = [
            part.objectName()
            for part in _controls(on)
            if part.isEnabled()
            and part not in chain
            and not part.focusProxy()
            and not _is_under(part, on)
            # Keys on the screen never take the keyboard from the field that they type into.
            and not isinstance(part, BoardKey)
        ]
        assert missed == [], name
        jumps = [
            (one.objectName(), other.objectName())
            for one, other in pairwise(chain)
            if not _is_after(one, other)
        ]
        assert jumps == [], name


def test_each_shows_that_it_has_the_focus(exhibits: dict[str, QWidget], qtbot: Any) -> None:
    for name, on in exhibits.items():
        on.activateWindow()
        qtbot.waitUntil(on.isActiveWindow)
        hidden = []
        for part in _chain(on):
            part.clearFocus()
            # As Tab does in a panel that scrolls.
            bring_into_view(part)
            QApplication.processEvents()
            without = _around(part, on)
            part.setFocus(Qt.FocusReason.TabFocusReason)
            QApplication.processEvents()
            assert part.hasFocus(), (name, part.objectName())
            if _around(part, on) == without:
                hidden.append(part.objectName())
        assert hidden == [], name


def _around(part: QWidget, on: QWidget) -> Any:
    """Its picture with room for a ring."""
    place = part.rect().translated(part.mapTo(on, QPoint(0, 0))).adjusted(-4, -4, 4, 4)
    return on.grab(place.intersected(on.rect())).toImage()
