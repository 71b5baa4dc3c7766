"""Lists and forms go along with a finger: what was meant to scroll presses nothing, and a tap is still a tap."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer, QVariantAnimation
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from pos_app.ui.dialogs.parts.choice import Choice
from pos_app.ui.theme.theme import apply
from pos_app.ui.widgets import motion
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, LongField
from pos_app.ui.widgets.finger_scroll import HOLD_MS, FingerScroll
from tests.end_to_end.finger import touch_screen
from tests.support.driver import pass_a_tick
from tests.support.patient_qtbot import PATIENCE_MS
from tests.unit.ui.dialog_cases import settle


def never_rest(finger: FingerScroll) -> None:
    """Until the test says so (`pass_a_tick`), however long the machine takes from one touch to the next."""
    for rests in finger.findChildren(QTimer):
        rests.setInterval(2 * PATIENCE_MS)


class Form(QWidget):
    """A long form: buttons that count, fields, a list of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.pressed: list[str] = []
        inside = QWidget()
        column = QVBoxLayout(inside)
        self.buttons = [Button(f"Row {at}", name=f"row_{at}") for at in range(20)]
        self.text = LongField("Why", "why")
        self.line = Field("Name", "name")
        self.list = QListWidget()
        self.list.addItems([f"Item {at}" for at in range(60)])
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setFixedHeight(200)
        for each in (self.line, self.text, self.list, *self.buttons):
            column.addWidget(each)
        for button in self.buttons:
            button.clicked.connect(partial(self._note, button.text()))
        self.area = QScrollArea()
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        whole = QVBoxLayout(self)
        whole.addWidget(self.area)
        # Each touch comes 20 ms behind the one before, whatever else the machine does: speed is no chance.
        self.finger = FingerScroll(self, count(0, 20).__next__)
        never_rest(self.finger)
        self.finger.start()

    def _note(self, name: str) -> None:
        self.pressed.append(name)

    @property
    def at(self) -> int:
        return self.area.verticalScrollBar().value()


@pytest.fixture
def form(qtbot: QtBot) -> Form:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, "light")
    made = Form()
    made.resize(500, 800)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    settle()
    return made


class Drag:
    """A finger that goes down on a part, along, and off."""

    def __init__(self, part: QWidget, at: QPoint | None = None) -> None:
        self._window = part.window()
        self._at = part.mapTo(self._window, part.rect().center() if at is None else at)
        self._touch().press(0, self._at, self._window).commit()

    def _touch(self) -> Any:
        return QTest.touchEvent(self._window, touch_screen())

    def by(self, dy: int, steps: int = 8) -> Drag:
        begin = self._at
        for step in range(1, steps + 1):
            self._at = begin + QPoint(0, dy * step // steps)
            self._touch().move(0, self._at, self._window).commit()
        return self

    def off(self) -> None:
        self._touch().release(0, self._at, self._window).commit()
        settle()


def test_a_tap_is_for_what_the_finger_came_down_on(form: Form) -> None:
    inside = form.area.widget()
    column = inside.layout() if inside is not None else None
    assert isinstance(column, QVBoxLayout)
    finger = Drag(form.buttons[1])
    # The list changes below the finger: another row stands there now.
    column.insertWidget(column.indexOf(form.buttons[0]), form.buttons[5])
    settle()
    finger.off()
    assert form.pressed == []
    Drag(form.buttons[1]).off()
    assert form.pressed == ["Row 1"]


@pytest.mark.parametrize("rests", [False, True])
def test_a_tap_on_a_list_is_for_the_row_that_stood_there(form: Form, rests: bool) -> None:
    picked: list[str] = []
    form.list.itemClicked.connect(lambda item: picked.append(item.text()))
    place = form.list.visualItemRect(form.list.item(2)).center()
    finger = Drag(form.list.viewport(), place)
    form.list.insertItem(0, "Another")
    settle()
    if rests:
        pass_a_tick(form.finger)
    finger.off()
    assert (picked, form.list.currentRow()) == ([], -1)
    Drag(form.list.viewport(), place).off()
    assert picked == ["Item 1"]


def test_a_tap_still_taps(form: Form) -> None:
    Drag(form.buttons[0]).off()
    assert form.pressed == ["Row 0"]
    Drag(form.buttons[1]).by(6, steps=2).off()
    assert form.pressed == ["Row 0", "Row 1"], "no finger stands still"
    Drag(form.line.edit).off()
    assert form.line.edit.hasFocus()
    assert form.at == 0


def test_taps_in_quick_succession_are_all_taps(form: Form) -> None:
    """As digits are typed on a pad; Qt takes each second one for a double click."""
    for button in (0, 2, 1, 1, 0, 2):
        Drag(form.buttons[button]).off()
    assert form.pressed == ["Row 0", "Row 2", "Row 1", "Row 1", "Row 0", "Row 2"]


def test_a_scroll_presses_nothing_and_goes_along(form: Form) -> None:
    first = form.buttons[2]
    drag = Drag(first).by(-200)
    assert not first.isDown(), "it is no press before it is a tap"
    drag.off()
    assert 120 <= form.at <= 200
    assert form.pressed == []
    Drag(form.buttons[3]).by(120).off()
    assert form.at < 100
    assert form.pressed == []


def test_what_rests_presses_and_is_no_press_once_it_moves_on(form: Form) -> None:
    """Backspace held down repeats; a thumb that rested before it scrolled has pressed nothing."""
    drag = Drag(form.buttons[2])
    assert not form.buttons[2].isDown()
    pass_a_tick(form.finger)
    assert form.buttons[2].isDown()
    drag.by(-150).off()
    assert not form.buttons[2].isDown()
    assert form.pressed == []
    drag = Drag(form.buttons[3])
    pass_a_tick(form.finger)
    drag.off()
    assert form.pressed == ["Row 3"]
    assert HOLD_MS < 250, "longer, and a press feels dead"


def test_the_innermost_list_goes_first(form: Form) -> None:
    Drag(form.list.viewport()).by(-90).off()
    assert form.list.verticalScrollBar().value() > 0
    assert form.at == 0
    assert not form.list.selectedItems()
    Drag(form.list.viewport()).off()
    assert len(form.list.selectedItems()) == 1


def test_what_is_typed_in_is_not_scrolled_away(form: Form) -> None:
    for edit in (form.line.edit, form.text.edit):
        edit.setFocus()
        edit.setText("some words that were typed")
        Drag(edit).by(-120).off()
        assert form.at == 0
    form.buttons[0].setFocus()
    Drag(form.line.edit).by(-120).off()
    assert form.at > 0, "a field that nobody types in is a part of the form"


def test_the_bar_goes_with_the_finger_and_not_against_it(form: Form) -> None:
    bar = form.area.verticalScrollBar()
    place = bar.mapTo(form, QPoint(bar.width() // 2, 20))
    Drag(form, place).by(200).off()
    assert form.at > 0


def test_it_runs_out_where_things_move_and_stops_under_a_finger_that_presses_nothing(
    form: Form, qtbot: QtBot
) -> None:
    application = QApplication.instance()
    assert application is not None
    motion.switch(application, on=True)
    try:
        # Else it comes to its end under whoever is held up before the finger comes down.
        (runs,) = form.finger.findChildren(QVariantAnimation)
        runs.setDuration(2 * PATIENCE_MS)
        Drag(form.buttons[2]).by(-150, steps=3).off()
        left = form.at
        qtbot.waitUntil(lambda: form.at > left)
        seen = [each for each in form.buttons if each.visibleRegion().contains(each.rect().center())]
        drag = Drag(seen[0])
        assert not form.finger.is_running
        drag.off()
        stopped = form.at
        assert form.pressed == []
        Drag(seen[0]).off()
        assert (form.pressed, form.at) == ([seen[0].text()], stopped)
    finally:
        motion.switch(application, on=False)


def test_without_motion_it_stops_with_the_finger(form: Form) -> None:
    Drag(form.buttons[2]).by(-150, steps=3).off()
    left = form.at
    settle()
    assert form.at == left


def test_a_mouse_drags_nothing_along(form: Form) -> None:
    part = form.buttons[2]
    QTest.mousePress(part, Qt.MouseButton.LeftButton)
    assert part.isDown()
    QTest.mouseMove(part, part.rect().center() + QPoint(0, -120))
    QTest.mouseRelease(part, Qt.MouseButton.LeftButton, pos=part.rect().center() + QPoint(0, -120))
    assert (form.at, form.pressed) == (0, [])


def test_a_list_that_opens_goes_along_too(qtbot: QtBot, form: Form) -> None:
    choice = Choice("Country", "country", [(str(at), f"Land {at}") for at in range(40)], form)
    qtbot.addWidget(choice)
    choice.setGeometry(20, 20, 300, 90)
    choice.show()
    choice.box.showPopup()
    view = choice.box.view()
    (finger,) = view.window().findChildren(FingerScroll)
    never_rest(finger)
    settle()
    Drag(view.viewport()).by(-150).off()
    assert view.isVisible(), "nothing was chosen"
    assert view.verticalScrollBar().value() > 0
    Drag(view.viewport()).off()
    qtbot.waitUntil(lambda: not view.isVisible())
    assert choice.text() != ""
