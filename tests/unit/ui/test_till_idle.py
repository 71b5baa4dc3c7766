"""Nobody touches the till: it is locked after the time set, never while a customer is waited for."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from pos_app.domain.attempt import State
from pos_app.domain.staff import Lock
from pos_app.domain.views import Terminal
from tests.support.published import NIMALI, attempt, change, terminal
from tests.support.stage import Stage

OWN = replace(NIMALI, passcode_set=True)
IDLE = Lock(idle=True)
AFTER_S = 300


class SetClock:
    """Seconds, as a test sets them."""

    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


class Idle(Stage):
    """A till whose clock a test turns."""

    def __init__(self, qtbot: Any) -> None:
        super().__init__(qtbot, lock_after_s=AFTER_S)
        self.receive(at())
        self.clock = SetClock()
        self.watch = self.window.controller.lock_screen.watch
        self.watch.stop()
        self.watch.clock = self.clock
        self.watch.start()

    def pass_s(self, seconds: float) -> None:
        """So long nobody touches anything."""
        self.clock.now_s += seconds
        self.watch.look()


def at(**more: Any) -> Terminal:
    return terminal(**{"signed_in": OWN, "people": (OWN,), "sessions": ("p1",), **more})


@pytest.fixture
def on(qtbot: Any) -> Idle:
    return Idle(qtbot)


def test_an_idle_till_is_locked_and_not_a_second_earlier(on: Idle) -> None:
    on.pass_s(AFTER_S - 1)
    assert on.posted == []
    on.pass_s(1)
    assert on.posted == [IDLE]


def test_every_kind_of_touch_counts_from_anew(on: Idle) -> None:
    window = on.window.windowHandle()
    finger = QTest.createTouchDevice()
    assert isinstance(finger, QPointingDevice)
    on.part("person").click()
    on.part("menu_close").setFocus()
    corner = QPoint(5, 5)
    touches = (
        lambda: QTest.keyPress(window, Qt.Key.Key_Shift),
        lambda: QTest.keyRelease(window, Qt.Key.Key_Shift),
        lambda: QTest.keyClick(window, Qt.Key.Key_Tab),
        lambda: QTest.keyClick(on.window.focusWidget(), Qt.Key.Key_Shift),
        lambda: QTest.mouseMove(window, corner),
        lambda: QTest.mousePress(window, Qt.MouseButton.RightButton, pos=corner),
        lambda: QTest.mouseRelease(window, Qt.MouseButton.RightButton, pos=corner),
        lambda: QTest.wheelEvent(window, corner, QPoint(0, 120)),
        lambda: QTest.touchEvent(window, finger).press(0, corner, window).commit(),
        lambda: QTest.touchEvent(window, finger).release(0, corner, window).commit(),
        lambda: QApplication.sendEvent(on.window.focusWidget(), QInputMethodEvent("\u0d9a", [])),
    )
    for touch in touches:
        on.pass_s(AFTER_S - 1)
        touch()
        on.settle()
    on.pass_s(AFTER_S - 1)
    assert on.posted == []
    on.pass_s(1)
    assert on.posted == [IDLE]


def test_a_second_window_counts_too(on: Idle) -> None:
    other = QWidget(on.window, Qt.WindowType.Tool)
    other.show()
    on.settle()
    on.clock.now_s += AFTER_S - 1
    QTest.mouseClick(other.windowHandle(), Qt.MouseButton.LeftButton)
    other.close()
    on.pass_s(AFTER_S - 1)
    assert on.posted == []


def test_so_does_a_window_of_the_systems_that_is_made_anew(on: Idle) -> None:
    """As a till has it that goes from a desktop's window to the whole screen."""
    before = on.window.windowHandle()
    on.window.setWindowFlag(Qt.WindowType.FramelessWindowHint)
    on.window.destroy()
    on.window.show()
    on.settle()
    window = on.window.windowHandle()
    assert window is not before
    on.clock.now_s += AFTER_S - 1
    QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    on.pass_s(AFTER_S - 1)
    assert on.posted == []


@pytest.mark.parametrize("by", ["touch", "key"])
def test_a_list_that_opens_counts_before_anything_else_is_touched(on: Idle, by: str) -> None:
    """It is a window of its own."""
    box = QComboBox(on.window)
    box.addItems(["one", "two", "three"])
    box.setGeometry(5, 5, 200, 40)
    box.show()
    box.setFocus()
    on.settle()
    window = on.window.windowHandle()
    if by == "touch":
        QTest.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    else:
        QTest.keyClick(window, Qt.Key.Key_Space)
    on.until(lambda: QApplication.activePopupWidget() is not None)
    on.settle()
    popup = QApplication.activePopupWidget()
    assert popup is not None
    on.clock.now_s += AFTER_S - 1
    QTest.mousePress(popup.windowHandle(), Qt.MouseButton.LeftButton, pos=QPoint(9, 9))
    on.pass_s(AFTER_S - 1)
    assert on.posted == []
    popup.close()


def test_never_while_a_customer_is_waited_for_and_then_from_anew(on: Idle) -> None:
    on.pass_s(AFTER_S - 1)
    on.begin(change())
    on.receive(at(open=(attempt(),)))
    on.pass_s(10 * AFTER_S)
    on.pass_s(AFTER_S)
    on.receive(change(attempt(state=State.PAID)), at())
    on.pass_s(AFTER_S - 1)
    assert on.posted == []
    on.pass_s(1)
    assert on.posted == [IDLE]


def test_a_parked_payment_does_not_keep_the_till_open(on: Idle) -> None:
    on.receive(at(open=(attempt(parked=True),)))
    on.pass_s(AFTER_S)
    assert on.posted == [IDLE]


def test_a_till_that_slept_is_locked_before_the_first_touch_counts(on: Idle) -> None:
    on.clock.now_s += 3 * AFTER_S
    QTest.keyPress(on.window.windowHandle(), Qt.Key.Key_Shift)
    assert on.posted == [IDLE]


def test_a_lock_that_was_refused_is_asked_for_again(on: Idle) -> None:
    on.pass_s(AFTER_S)
    on.pass_s(AFTER_S)
    assert on.posted == [IDLE, IDLE]


def test_half_a_passcode_is_not_left_to_the_next_person(on: Idle) -> None:
    on.receive(at(locked=True))
    on.part("passcode").setText("7049")
    on.pass_s(AFTER_S)
    assert on.part("passcode").text() == ""
    assert on.posted == []


def test_nobody_is_locked_out_where_nobody_is_signed_in(on: Idle) -> None:
    on.receive(at(signed_in=None))
    on.pass_s(AFTER_S)
    assert on.posted == []
