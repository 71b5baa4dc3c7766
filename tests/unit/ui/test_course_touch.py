"""Who learns at a till without a keyboard says their name by touches: the keys stand before the window beside it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.training.coach.sheet import Need, Sheet
from pos_app.training.phone.window import PhoneWindow
from pos_app.training.phone.wire import Wire
from pos_app.ui.keyboard.keyboard import BoardKey, Keyboard
from pos_app.ui.theme.theme import apply
from tests.support.stage import Stage
from tests.unit.ui.dialog_cases import settle
from tests.unit.ui.training_stage import LOW, STRIP


def asked(qtbot: Any) -> Sheet:
    """Who is learning? Nobody is known yet."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, "light")
    sheet = Sheet(PhoneWindow(Wire("http://127.0.0.1:1"), inside=True), lambda _by_finger: True)
    qtbot.addWidget(sheet)
    sheet.stand(LOW, STRIP, may_fold=True)
    sheet.coach.show_who([])
    sheet.need(Need.WHAT_FITS)
    sheet.show()
    sheet.activateWindow()
    qtbot.waitUntil(sheet.isActiveWindow)
    settle()
    return sheet


def touch(part: QWidget) -> None:
    QTest.mouseClick(part, Qt.MouseButton.LeftButton)
    settle()


def field(sheet: Sheet) -> QWidget:
    found = sheet.findChild(QWidget, "learner")
    assert found is not None
    return found


def test_a_name_is_typed_by_touches_and_the_course_begins(qtbot: Any) -> None:
    """No key came, and without a name there is no course."""
    sheet = asked(qtbot)
    named: list[str] = []
    sheet.coach.named.connect(named.append)
    touch(field(sheet))
    board = sheet.findChild(Keyboard)
    assert board is not None
    assert board.isVisible()
    assert board.isWindow()
    assert "SANDBOX" in board.windowTitle()
    for sign in "asha":
        key = board.findChild(BoardKey, f"board_{sign}")
        assert key is not None
        touch(key)
    begin = sheet.findChild(QWidget, "course_begin")
    assert begin is not None
    touch(begin)
    assert named == ["asha"]


def test_the_keys_go_with_whoever_goes_on_at_the_till(qtbot: Any) -> None:
    on = Stage(qtbot)
    sheet = asked(qtbot)
    touch(field(sheet))
    board = sheet.findChild(Keyboard)
    assert board is not None
    assert board.isVisible()
    on.window.activateWindow()
    qtbot.waitUntil(lambda: not board.isVisible())
