"""The till alone on its screen: it cannot be closed, moved aside or covered; a manager leaves it, with a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.app.kiosk.starts import Starts
from pos_app.bootstrap.errors import Exit
from tests.end_to_end.staffing import open_menu, written
from tests.integration.kiosk.alone import AloneTill
from tests.integration.kiosk.conftest import MakeAlone


def test_it_fills_the_display_without_a_frame_and_in_front(alone: AloneTill) -> None:
    flags = alone.window.windowFlags()
    assert flags & Qt.WindowType.FramelessWindowHint
    assert flags & Qt.WindowType.WindowStaysOnTopHint
    assert alone.window.isFullScreen()
    assert _covers(alone.window)
    assert alone.shown == [alone.window]


def _covers(window: QWidget) -> bool:
    """The test's display is smaller than a till likes."""
    return window.geometry() == QGuiApplication.primaryScreen().geometry()


def test_a_close_from_outside_is_refused(alone: AloneTill) -> None:
    window = alone.window
    # As Alt+F4 and a window manager's cross arrive.
    QTest.keyClick(alone.native, Qt.Key.Key_F4, Qt.KeyboardModifier.AltModifier)
    assert not _close(alone.native)
    alone.until(lambda: alone.window is window)
    assert window.isVisible()
    assert not QApplication.closingDown()


def _close(native: QWindow) -> bool:
    event = QEvent(QEvent.Type.Close)
    QCoreApplication.sendEvent(native, event)
    return event.isAccepted()


def test_what_is_minimised_moved_or_hidden_comes_back(alone: AloneTill) -> None:
    window = alone.window
    window.showMinimized()
    alone.until(lambda: window.isFullScreen() and not window.isMinimized())
    window.showNormal()
    window.setGeometry(10, 10, 300, 300)
    alone.until(lambda: window.isFullScreen() and _covers(window))
    window.hide()
    alone.until(lambda: window.isVisible() and _covers(window))


def test_no_menu_comes_and_only_the_left_button_presses(alone: AloneTill) -> None:
    at = alone.part("key_5").mapTo(alone.window, QPoint(8, 8))
    for button in (Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.BackButton):
        QTest.mouseClick(alone.native, button, Qt.KeyboardModifier.NoModifier, at)
    menu = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, QPointF(at).toPoint())
    QCoreApplication.sendEvent(alone.native, menu)
    assert not menu.isAccepted()
    assert alone.shown == [alone.window]
    before = alone.says("amount")
    QTest.mouseClick(alone.native, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    alone.until(lambda: "5" in alone.says("amount"))
    assert "5" not in before


def test_a_mouse_brings_the_cursor_and_rest_takes_it_away(alone: AloneTill) -> None:
    assert _blank()
    QTest.mouseMove(alone.native, QPoint(50, 50))
    QTest.mouseMove(alone.native, QPoint(70, 60))
    alone.until(lambda: not _blank())
    device = QTest.createTouchDevice()
    touch = QTest.touchEvent(alone.native, device, False)
    touch.press(0, QPoint(5, 5), alone.native).commit()
    alone.until(_blank)
    QTest.touchEvent(alone.native, device, False).release(0, QPoint(5, 5), alone.native).commit()


def _blank() -> bool:
    cursor: Any = QGuiApplication.overrideCursor()
    return cursor is not None and cursor.shape() is Qt.CursorShape.BlankCursor


def test_a_manager_leaves_it_with_a_reason(alone: AloneTill, tmp_path: Path) -> None:
    kiosk = alone.kiosk
    assert kiosk is not None
    open_menu(alone, "manager_leave")
    alone.until_seen("permit_reason")
    alone.type("Service of the terminal")
    alone.touch("permit_do")
    alone.until(lambda: kiosk.asked is not None)
    left = next(each for each in written(alone).acts if each.kind == "PERMITTED")
    assert left.content["reason"] == "Service of the terminal"
    alone.kiosk = None
    assert kiosk.stop() == (Exit.LEFT, True)
    assert Starts(tmp_path).begin() == 0


def test_a_joined_letter_is_typed_whole(alone: AloneTill) -> None:
    """On a Sinhala keyboard the joiner is a key of its own. It was swallowed, and the name fell apart."""
    open_menu(alone, "manager_leave")
    alone.until_seen("permit_reason")
    alone.until(lambda: alone.has_focus("permit_reason"))
    alone.keyboard().type("ශ්\u200dරී")
    assert alone.text("permit_reason") == "ශ්\u200dරී"


def test_an_end_that_nobody_asked_for_is_a_fault_and_counts(make_alone: MakeAlone, tmp_path: Path) -> None:
    till = make_alone(signed_in="")
    till.until_connected()
    kiosk, till.kiosk = till.kiosk, None
    assert kiosk is not None
    assert kiosk.stop() == (Exit.FAULT, True)
    assert Starts(tmp_path).begin() == 1


def test_a_display_that_comes_is_covered_and_one_that_grows_is_filled(alone: AloneTill) -> None:
    screen = alone.kiosk
    assert screen is not None
    window = alone.window
    window.setGeometry(0, 0, 400, 300)
    QGuiApplication.primaryScreen().geometryChanged.emit(QRect(0, 0, 800, 800))
    alone.until(lambda: _covers(window))


def test_a_fresh_counter_is_set_up_alone_on_the_screen_too(make_alone: MakeAlone) -> None:
    till = make_alone(signed_in="", people=False)
    till.until_seen("wizard_card")
    assert till.window.isFullScreen()
    assert not _close(till.native)
    assert till.window.isVisible()
    till.until_connected()


def test_a_ground_lies_below_where_one_window_follows_another(alone: AloneTill) -> None:
    grounds = [each for each in QApplication.topLevelWidgets() if each.objectName() == "backdrop"]
    shown = [each for each in grounds if each.isVisible()]
    assert [each.geometry() for each in shown] == [each.geometry() for each in QGuiApplication.screens()]
    assert alone.window not in shown
    assert shown[0].windowFlags() & Qt.WindowType.WindowDoesNotAcceptFocus
