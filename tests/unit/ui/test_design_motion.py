"""Motion says that something came, comes to rest, and can be switched off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, QVariantAnimation
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pos_app.ui.widgets import badge, motion
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.overlay import OverlayHost
from pos_app.ui.widgets.stages import Stages


@pytest.fixture
def moving(qapp: QApplication) -> Iterator[None]:
    motion.switch(qapp, on=True)
    yield
    motion.switch(qapp, on=False)


def moves(part: QWidget) -> bool:
    """Whether anything of it is on its way."""
    every = part.findChildren(QVariantAnimation, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return any(each.state() is QVariantAnimation.State.Running for each in every)


def _window(qtbot: Any, *parts: QWidget) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window, before_close_func=lambda _window: window.objectName())
    column = QVBoxLayout(window)
    for part in parts:
        column.addWidget(part)
    window.resize(600, 400)
    window.show()
    return window


def _steps(part: QWidget, qtbot: Any) -> list[float]:
    steps: list[float] = []
    it = motion.Motion(part, 40, steps.append)
    it.start()
    qtbot.waitUntil(lambda: not it.is_running)
    return steps


def test_without_motion_everything_is_at_its_end_at_once(qtbot: Any) -> None:
    part = badge.Badge("mark")
    _window(qtbot, part)
    assert not motion.is_on()
    assert _steps(part, qtbot) == [1.0]


@pytest.mark.usefixtures("moving")
def test_it_goes_from_nothing_to_its_end_and_rests(qtbot: Any) -> None:
    part = badge.Badge("mark")
    _window(qtbot, part)
    steps = _steps(part, qtbot)
    assert steps[-1] == 1.0
    assert steps == sorted(steps)


@pytest.mark.usefixtures("moving")
def test_what_nobody_sees_does_not_move(qtbot: Any) -> None:
    part = badge.Badge("mark")
    qtbot.addWidget(part)
    assert _steps(part, qtbot) == [1.0]


class _Repaints(QObject):
    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.mark.usefixtures("moving")
def test_a_mark_rests_when_it_has_come(qtbot: Any) -> None:
    part = badge.Badge("mark")
    _window(qtbot, part)
    part.show_mark(badge.LATE)
    qtbot.waitUntil(lambda: not moves(part))
    QApplication.processEvents()
    repaints = _Repaints(part)
    for _ in range(20):
        QApplication.processEvents()
    assert repaints.count == 0


@pytest.mark.usefixtures("moving")
def test_a_reached_stage_and_an_opened_panel_end_as_without_motion(qtbot: Any) -> None:
    stages = Stages("stages")
    window = _window(qtbot, stages)
    overlay = OverlayHost(window)
    stages.show_stages(("one", "two"), 0)
    stages.show_stages(("one", "two"), 1)
    panel = QWidget()
    QVBoxLayout(panel).addWidget(Button("OK", name="ok"))
    overlay.open(panel)
    qtbot.waitUntil(lambda: not moves(overlay) and not moves(stages))
    moved = window.grab().toImage()
    for each in (*overlay.findChildren(QVariantAnimation), *stages.findChildren(QVariantAnimation)):
        each.valueChanged.emit(1.0)
    assert moved == window.grab().toImage()
