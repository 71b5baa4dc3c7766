"""A list that opens is one of ours: rows for a finger, a tick, a bar; and a field's caret is where its example is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from pos_app.ui.dialogs.parts.choice import MOST_SEEN, Choice
from pos_app.ui.dialogs.parts.lines import Panel, column
from pos_app.ui.dialogs.settings.parts import SettingPart
from pos_app.ui.language import set_language
from pos_app.ui.theme import theme
from pos_app.ui.theme.tokens import THEMES, TOUCH
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.paint import RING
from tests.unit.ui.dialog_cases import Key, focused, press, settle, shown


def _opened(qtbot: QtBot, count: int, colours: str = "light") -> Choice:
    choice = Choice("Country", "country", [(str(at), f"Land {at}") for at in range(count)])
    choice.set_text("1")
    panel = Panel()
    column(panel, choice)
    shown(qtbot, panel, theme=colours, size=(780, 700))
    choice.box.setFocus()
    press(Key.Key_Return)
    settle()
    assert choice.box.view().isVisible()
    return choice


def _row(choice: Choice, at: int) -> QRect:
    view = choice.box.view()
    return view.visualRect(choice.box.model().index(at, 0))


@pytest.mark.parametrize("percent", [100, 200])
def test_its_rows_are_for_a_finger_at_every_text_size(qtbot: QtBot, percent: int) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    choice = _opened(qtbot, 4)
    theme.apply(application, "light", percent)
    try:
        settle()
        heights = [_row(choice, at).height() for at in range(4)]
        assert min(heights) >= TOUCH
    finally:
        theme.apply(application, "light")


def test_it_stands_below_its_box_as_wide_as_that_is_seen_and_scrolls_by_a_bar(qtbot: QtBot) -> None:
    choice = _opened(qtbot, 60)
    view, box = choice.box.view(), choice.box
    window = view.window().geometry()
    at = box.mapToGlobal(QPoint(0, 0))
    assert window.top() >= at.y() + box.height() - 2, "what is chosen stays in sight"
    assert (window.left(), window.right()) == (at.x() + RING, at.x() + box.width() - 1 - RING)
    assert window.height() <= (MOST_SEEN + 1) * TOUCH
    assert view.verticalScrollBar().isVisible()


@pytest.mark.parametrize("colours", THEMES)
def test_its_ground_and_corners_are_of_the_theme_that_is_on(qtbot: QtBot, colours: str) -> None:
    choice = _opened(qtbot, 3, colours)
    window = choice.box.view().window()
    picture = window.grab().toImage()
    try:
        assert picture.pixelColor(picture.width() // 2, 3).name().upper() == THEMES[colours].raised
        assert picture.pixelColor(0, 0).alpha() == 0, "outside of the round corner there is nothing"
    finally:
        choice.box.hidePopup()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        theme.apply(application, "light")


def test_keys_and_a_touch_choose(qtbot: QtBot) -> None:
    choice = _opened(qtbot, 5)
    view = choice.box.view()
    QTest.keyClick(view, Key.Key_Down)
    QTest.keyClick(view, Key.Key_Return)
    qtbot.waitUntil(lambda: not view.isVisible())
    assert (choice.text(), focused()) == ("2", choice.box)
    press(Key.Key_Return)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=_row(choice, 4).center())
    qtbot.waitUntil(lambda: not view.isVisible())
    assert choice.text() == "4"


@pytest.fixture
def arabic() -> Iterator[None]:
    """Lines begin at the right."""
    set_language("ar")
    yield
    set_language("en")


def _caret(field: Field) -> float:
    return float(field.edit.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center().x())


def test_the_caret_of_an_empty_field_is_where_its_example_begins(
    qtbot: QtBot,
    arabic: None,  # noqa: ARG001 - the language of the screen
) -> None:
    field = Field("الاسم", "name", example="مثل نيمالي")
    panel = Panel()
    column(panel, field)
    shown(qtbot, panel)
    field.edit.setFocus()
    settle()
    assert _caret(field) > field.edit.width() * 0.8
    for typed in ("اسم", "Nimali", ""):
        field.edit.setText(typed)
        settle()
        assert field.edit.alignment() & Qt.AlignmentFlag.AlignRight
    assert _caret(field) > field.edit.width() * 0.8
    set_language("en")
    settle()
    assert _caret(field) < field.edit.width() * 0.2, "it turns with the language"


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_every_text_of_a_panel_begins_where_its_fields_do(
    qtbot: QtBot, direction: Qt.LayoutDirection
) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setLayoutDirection(direction)
    try:
        title, field = Label("Title", "title", wrap=True), Field("Name", "name")
        setting = SettingPart("shop.name")
        panel = Panel()
        column(panel, title, field, setting)
        shown(qtbot, panel)
        texts = [title, field.label, setting.part.label]
        begins = {each.mapTo(panel, each.text_room().topLeft()).x() for each in texts}
        ends = {each.mapTo(panel, each.text_room().topRight()).x() for each in (title, setting.caption)}
        edge = field.edit.mapTo(panel, QPoint(RING, 0)).x()
        at_end = field.edit.mapTo(panel, QPoint(field.edit.width() - 1 - RING, 0)).x()
        if direction is Qt.LayoutDirection.LeftToRight:
            assert (begins, ends) == ({edge}, {at_end})
        else:
            assert title.mapTo(panel, title.text_room().topRight()).x() == at_end
    finally:
        application.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
