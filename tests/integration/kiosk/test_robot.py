"""A robot at the till, the short form: no key of nobody's and no gesture changes a screen. The long one: make proof."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.integration.kiosk import robot
from tests.integration.kiosk.alone import AloneTill
from tests.integration.kiosk.conftest import MakeAlone
from tests.integration.kiosk.test_safe_screen import crash
from tests.support.sandbox import Sandbox

KEYS = tuple(
    Qt.Key(each)
    for each in (
        Qt.Key.Key_F2, Qt.Key.Key_F4, Qt.Key.Key_F10, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Return,
        Qt.Key.Key_Delete, Qt.Key.Key_Space, Qt.Key.Key_1, Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_E,
        Qt.Key.Key_O, Qt.Key.Key_P, Qt.Key.Key_Q, Qt.Key.Key_V, Qt.Key.Key_W,
    )
)  # fmt: skip


def lock(till: AloneTill) -> None:
    till.press(Qt.Key.Key_F9)
    till.until_seen("cover")


def wait_for_a_payment(till: AloneTill) -> None:
    till.charge_qr("12.50")


def show_a_result(till: AloneTill) -> None:
    till.sandbox.act(till.charge_qr("12.50"), "pay")
    till.press(Qt.Key.Key_F5)
    till.until_result("PAID")


def ask(till: AloneTill) -> None:
    till.charge_qr("12.50")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("question")


def open_a_dialog(till: AloneTill) -> None:
    till.press(Qt.Key.Key_F10)
    till.until_seen("managers_menu")


SCREENS: dict[str, Callable[[AloneTill], None]] = {
    "ready": lambda _till: None,
    "waiting": wait_for_a_payment,
    "result": show_a_result,
    "question": ask,
    "dialog": open_a_dialog,
    "locked": lock,
}


class Seen:
    """What must not change."""

    def __init__(self, till: AloneTill) -> None:
        self._till = till
        self.window = till.window
        self.native = till.native
        self.before = self._now()

    def _now(self) -> tuple[object, ...]:
        till = self._till
        panels = till.session.window.overlay.panels if till.running is not None else ()
        names = tuple(each.objectName() for each in panels)
        return till.window, tuple(till.shown), names, till.says("amount"), len(till.sandbox.transactions())

    def same(self, after: str) -> None:
        """It is the same window, alone, over the same dialogs, with the same amount and payments."""
        assert self._now() == self.before, after
        assert self.window.isFullScreen()
        assert self.window.isVisible()


@pytest.mark.parametrize("screen", SCREENS)
def test_no_key_of_nobodys_changes_a_screen(alone: AloneTill, sandbox: Sandbox, screen: str) -> None:
    SCREENS[screen](alone)
    seen = Seen(alone)
    cancels = len(sandbox.calls("cancel"))
    for key, held in robot.commands(KEYS):
        robot.strike(seen.native, key, held)
    seen.same("all combinations")
    assert len(sandbox.calls("cancel")) == cancels


@pytest.mark.parametrize("screen", ["ready", "waiting", "locked"])
def test_no_gesture_changes_a_screen(alone: AloneTill, screen: str) -> None:
    SCREENS[screen](alone)
    seen = Seen(alone)
    for gesture in robot.gestures(seen.native):
        assert alone.shown == [seen.window], gesture
        assert alone.window is seen.window, gesture
        assert seen.window.isFullScreen(), gesture


def test_nobody_signs_in_by_combinations(make_alone: MakeAlone) -> None:
    till = make_alone(signed_in="")
    till.until_seen("people")
    till.until_connected()
    seen = Seen(till)
    for key, held in robot.commands(KEYS):
        robot.strike(seen.native, key, held)
    seen.same("all combinations")
    assert till.says("person") != "Nimali"


def test_the_safe_screen_stays(make_alone: MakeAlone, tmp_path: Path) -> None:
    crash(tmp_path)
    till = make_alone(signed_in="")
    native = till.native
    for key, held in robot.commands(KEYS):
        robot.strike(native, key, held)
    assert till.running is None
    assert till.native is native
    assert till.seen("safe_again")
