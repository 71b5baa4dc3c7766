"""Nothing is cut, nothing is too small to touch, everything has a name: in every state, at every size."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget

from pos_app.ui.theme.tokens import TOUCH
from pos_app.ui.widgets.label import Label
from tests.support.stage import STATES, Stage

SIZES = [(1024, 768), (1366, 768), (1920, 1080), (3840, 2160)]


def _visible(on: Stage, kind: type[Any]) -> list[Any]:
    return [part for part in on.window.findChildren(kind) if part.isVisible()]


def _cut(on: Stage) -> list[str]:
    said = []
    for part in _visible(on, QWidget):
        fits = getattr(part, "text_fits", None)
        if fits is not None and not fits():
            said.append(f"{part.objectName()} {part.size().toTuple()} {part.accessibleName() or part}")
        inside = part.parentWidget()
        if inside is not None and not inside.rect().contains(part.geometry()) and part.size().isValid():
            said.append(
                f"{part.objectName()} hangs out of {inside.objectName()}: {part.geometry()} {inside.rect()}"
            )
    return said


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("state", STATES)
def test_all_text_fits_and_the_window_keeps_its_size(qtbot: Any, state: str, size: tuple[int, int]) -> None:
    on = Stage(qtbot, size=size)
    STATES[state](on)
    on.settle()
    assert on.window.size().toTuple() == size, "its contents need more room than the screen has"
    assert _cut(on) == []


@pytest.mark.parametrize("state", STATES)
def test_parts_do_not_overlap(qtbot: Any, state: str) -> None:
    on = Stage(qtbot, size=(1024, 768))
    STATES[state](on)
    on.settle()
    top = on.window.overlay.top or on.window
    parts = [
        part for part in top.findChildren(QWidget) if isinstance(part, Label | QAbstractButton | QLineEdit)
    ]
    places = {
        part: QRect(part.mapTo(on.window, QPoint(0, 0)), part.size()) for part in parts if part.isVisible()
    }
    under = on.window.overlay if on.window.overlay.top is None else None
    for one, place in places.items():
        for other, there in places.items():
            if one is other or one.isAncestorOf(other) or other.isAncestorOf(one):
                continue
            if under is not None and under.isAncestorOf(one):
                continue
            assert not place.intersects(there), (one.objectName(), place, other.objectName(), there)


@pytest.mark.parametrize("state", STATES)
def test_every_control_can_be_touched_named_and_reached(qtbot: Any, state: str) -> None:
    on = Stage(qtbot, size=(1024, 768))
    STATES[state](on)
    on.settle()
    for control in [*_visible(on, QAbstractButton), *_visible(on, QLineEdit)]:
        assert control.objectName(), control
        assert control.accessibleName(), control.objectName()
        assert control.width() >= TOUCH, control.objectName()
        assert control.height() >= TOUCH, control.objectName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control.objectName()


@pytest.mark.parametrize("state", STATES)
def test_object_names_are_unique_among_what_is_seen(qtbot: Any, state: str) -> None:
    on = Stage(qtbot)
    STATES[state](on)
    names = [part.objectName() for part in _visible(on, QAbstractButton)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("state", STATES)
def test_every_label_is_plain_text(qtbot: Any, state: str) -> None:
    on = Stage(qtbot)
    STATES[state](on)
    labels = on.window.findChildren(QLabel)
    assert labels
    for label in labels:
        assert isinstance(label, Label), label
        assert label.textFormat() is Qt.TextFormat.PlainText
        assert not label.openExternalLinks()
