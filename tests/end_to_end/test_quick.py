"""A sale takes at most two keys or three touches after the amount: counted where the window system hands them in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication

from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read

MOST_KEYS, MOST_TOUCHES = 2, 3
NUMBER = "0771234567"


class Counted(QObject):
    """Keys and touches given to the window itself, never to one of its parts, and how many arrived there."""

    def __init__(self, till: StartedTill) -> None:
        super().__init__()
        self._till = till
        window = till.window.windowHandle()
        assert isinstance(window, QWindow)
        self._window = window
        self.keys = self.touches = 0
        self._application().installEventFilter(self)

    def _application(self) -> QApplication:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        return application

    def let_go(self) -> None:
        """Nothing is counted any more."""
        self._application().removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Counts what comes to the window, and holds up nothing."""
        if watched is self._window:
            self.keys += event.type() is QEvent.Type.KeyPress
            self.touches += event.type() is QEvent.Type.MouseButtonPress
        return False

    def press(self, key: Qt.Key) -> None:
        """One key."""
        self._till.keyboard().press(key)

    def type(self, text: str) -> None:
        """On the keyboard."""
        self._till.keyboard().type(text)

    def tap(self, name: str) -> None:
        """A finger."""
        self._till.tap(name)

    def tap_digits(self, digits: str) -> None:
        """On the screen."""
        for digit in digits:
            self.tap(f"key_{digit}")

    def forget(self) -> None:
        """Counts from here on."""
        self.keys = self.touches = 0


@pytest.fixture
def hands(till: StartedTill) -> Iterator[Counted]:
    till.window.activateWindow()
    made = Counted(till)
    yield made
    made.let_go()


def until_code(till: StartedTill) -> str:
    """The code on the screen, as a phone reads it."""
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    return read(till.picture())[0]


def last_attempt(sandbox: Sandbox) -> str:
    """The newest at the service."""
    return str(sandbox.transactions()[0]["externalMerchantTransactionId"])


def pay_by_push(till: StartedTill, sandbox: Sandbox, before: int) -> None:
    """The customer approves what has just been sent."""
    till.until_seen("waiting_panel")
    till.until(lambda: len(sandbox.transactions()) == before + 1)
    sandbox.act(last_attempt(sandbox), "approve")
    till.until_result("PAID")


def test_with_the_keyboard(till: StartedTill, sandbox: Sandbox, hands: Counted) -> None:
    """One key by QR, two by push; the next sale begins with its first digit, and a retry types nothing again."""
    hands.type("12.50")
    assert "12.5" in till.says("amount")
    hands.forget()
    hands.press(Qt.Key.Key_Return)
    sandbox.scan(until_code(till))
    till.until_result("PAID")
    assert (hands.keys, hands.touches) == (1, 0)

    hands.type("380")
    till.until_seen("methods_panel")
    assert "380" in till.says("amount")
    hands.forget()
    hands.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    hands.type(NUMBER)
    hands.press(Qt.Key.Key_Return)
    pay_by_push(till, sandbox, before=1)
    assert hands.keys - len(NUMBER) == MOST_KEYS

    hands.type("21")
    hands.press(Qt.Key.Key_F2)
    until_code(till)
    sandbox.act(last_attempt(sandbox), "reject")
    till.until_result("NOT PAID")
    till.until_seen("result_push")
    hands.forget()
    hands.press(Qt.Key.Key_F2)
    sandbox.scan(until_code(till))
    till.until_result("PAID")
    assert hands.keys == 1, "the other way, or the same, for the same sale"
    assert sandbox.transactions()[0]["transactionAmount"] == "21.00"


def test_with_a_finger(till: StartedTill, sandbox: Sandbox, hands: Counted) -> None:
    """One touch by QR, two by push, a third to leave the result where no digit does."""
    hands.tap_digits("90")
    hands.forget()
    hands.tap("method_qr")
    sandbox.scan(until_code(till))
    till.until_result("PAID")
    assert (hands.keys, hands.touches) == (0, 1)

    hands.tap_digits("45")
    till.until_seen("methods_panel")
    assert "45" in till.says("amount")
    hands.forget()
    hands.tap("method_push")
    till.until_seen("wallet_number")
    hands.tap_digits(NUMBER)
    hands.tap("push_send")
    pay_by_push(till, sandbox, before=1)
    hands.tap("result_next")
    till.until_seen("methods_panel")
    assert (hands.keys, hands.touches - len(NUMBER)) == (0, MOST_TOUCHES)
