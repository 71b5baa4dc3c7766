"""A whole till in this process, worked as a cashier does: by keys, touches and what stands on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from pos_app.app import demo_people
from pos_app.app.run import App
from pos_app.app.session import Session
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import open_shop
from pos_app.ui.widgets import motion
from tests.guards.canaries import PASSCODE
from tests.support.command_line import arguments
from tests.support.living import let_live
from tests.support.sandbox import Sandbox

__all__ = ["NUMBERS", "PASSCODE", "Front", "arguments", "enrol"]

LIMIT_MS = 60_000
"""Only a test that fails waits as long: a busy machine is none of the till's faults."""
STEP_MS = 10
NUMBERS = {"Nimali": "94770000010", "Kasun": "94770000011"}


def enrol(asked: Options) -> None:
    """Two people on an empty list, as the sandbox has them."""
    shop = open_shop(asked)
    assert shop.journal is not None
    demo_people.enrol(shop.journal)
    shop.close()


def at_rest() -> None:
    """What a till dressed the application in goes on after it: the next test begins without motion."""
    application = QApplication.instance()
    assert application is not None
    motion.switch(application, on=False)


class Front:
    """One run of the till. Parts are found by object name, and only when they can be seen."""

    def __init__(self, sandbox: Sandbox, asked: Options) -> None:
        self.sandbox = sandbox
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        self.app: App | None = App(application, asked)
        self.app.open()

    @property
    def session(self) -> Session:
        """The run of the till that is on."""
        assert self.app is not None
        assert self.app._session is not None
        return self.app._session

    @property
    def window(self) -> QWidget:
        """The one window of ours that is on the screen."""
        shown = [each for each in QApplication.topLevelWidgets() if each.isVisible() and each.objectName()]
        names = [each for each in shown if each.objectName() in ("till", "wizard")]
        assert len(names) == 1, names
        return names[0]

    def parts(self, name: str) -> list[Any]:
        """All visible parts of this name."""
        return [each for each in self.window.findChildren(QWidget, name) if each.isVisible()]

    def part(self, name: str) -> Any:
        """The visible part of this name."""
        found = self.parts(name)
        assert len(found) == 1, (name, found)
        return found[0]

    def seen(self, name: str) -> bool:
        """Whether a part of this name can be seen."""
        return bool(self.parts(name))

    def until(self, condition: Callable[[], Any], limit_ms: int = LIMIT_MS) -> None:
        """Lets the window live until it is so; else what stands on the screen is told."""
        deadline = QDeadlineTimer(limit_ms)
        while not condition():
            assert not deadline.hasExpired(), f"not within {limit_ms} ms; the screen says {self.words()}"
            let_live(STEP_MS)

    def until_seen(self, name: str, limit_ms: int = LIMIT_MS) -> Any:
        """The part, once it can be seen."""
        self.until(lambda: self.seen(name), limit_ms)
        return self.part(name)

    def until_says(self, name: str, text: str, limit_ms: int = LIMIT_MS) -> None:
        """A part of this name says this."""
        self.until(lambda: text in self.says(name), limit_ms)

    def says(self, name: str) -> str:
        """The words of a part, "" when it cannot be seen."""
        for part in self.parts(name):
            text = str(part.text()) if hasattr(part, "text") else ""
            return text or str(part.accessibleName())
        return ""

    def words(self) -> list[str]:
        """All words on the screen, as a person would read them."""
        parts: list[Any] = [*self.window.findChildren(QLabel), *self.window.findChildren(QAbstractButton)]
        return [str(each.text()) for each in parts if each.isVisible() and each.text()]

    def touch(self, name: str) -> None:
        """A finger on the middle of it, once it can be seen and pressed."""
        self.until(lambda: self.seen(name) and self.part(name).isEnabled())
        QTest.mouseClick(self.part(name), Qt.MouseButton.LeftButton)

    def type(self, text: str) -> None:
        """Keys into whatever has the focus."""
        for character in text:
            QTest.keyClicks(self._focused(), character)

    def press(self, key: Qt.Key) -> None:
        """One key into whatever has the focus."""
        QTest.keyClick(self._focused(), key)

    def _focused(self) -> QWidget:
        return self.window.focusWidget() or self.window

    def picture(self, part: str = "") -> QImage:
        """The screen, or one part of it, as it is now."""
        whole = self.window.grab().toImage()
        if not part:
            return whole
        widget, ratio = self.part(part), whole.devicePixelRatio()
        place = QRect(widget.mapTo(self.window, QPoint(0, 0)), widget.size())
        return whole.copy(
            QRect(
                round(place.x() * ratio),
                round(place.y() * ratio),
                round(place.width() * ratio),
                round(place.height() * ratio),
            )
        )

    def code(self, name: str) -> str:
        """The newest sign-in code this person's phone has got."""
        inbox = self.sandbox.sms(NUMBERS[name])
        return str(inbox[0]["code"]) if inbox else ""

    def pick(self, name: str) -> None:
        """Touches a name on the list of cashiers."""
        self.pick_row("people", name)

    def pick_row(self, list_name: str, text: str) -> None:
        """Enter on the row with this text, once the list has it: a list may be seen before its last row comes."""
        self.until(lambda: text in self.rows(list_name))
        listed = self.part(list_name)
        listed.setCurrentItem(listed.findItems(text, Qt.MatchFlag.MatchExactly)[0])
        listed.setFocus()
        QTest.keyClick(listed, Qt.Key.Key_Return)

    def rows(self, list_name: str) -> list[str]:
        """The texts of a list's rows, none while it cannot be seen."""
        if not self.seen(list_name):
            return []
        listed = self.part(list_name)
        return [str(listed.item(row).text()) for row in range(listed.count())]

    def sign_in(self, name: str = "Nimali") -> None:
        """By the passcode where it is enough; else by the code that came by SMS, and a passcode the first time."""
        self.pick(name)
        self.until(lambda: self.takes("code") or self.takes("passcode"))
        if self.takes("passcode"):
            self.type_passcode()
        else:
            self.type(self.code(name))
            self.until(lambda: self.takes("new_passcode") or not self.seen("sign_in"))
            if self.seen("sign_in"):
                self.choose_passcode()
        self.until_at_the_till(name)

    def takes(self, name: str) -> bool:
        """Whether this field is seen and takes what is typed."""
        return self.seen(name) and self.part(name).isEnabled()

    def choose_passcode(self, passcode: str = PASSCODE) -> None:
        """Twice, as it is asked for."""
        for field in ("new_passcode", "passcode_again"):
            self._enter(field, passcode)

    def _enter(self, field: str, text: str) -> None:
        self.until(lambda: self.takes(field) and self.window.focusWidget() is self.part(field))
        self.type(text)
        self.press(Qt.Key.Key_Return)

    def type_passcode(self, passcode: str = PASSCODE) -> None:
        """On the page that asks for it."""
        self._enter("passcode", passcode)

    def until_at_the_till(self, name: str) -> None:
        """They are signed in, and the till is there."""
        self.until(lambda: not self.seen("sign_in"))
        self.until(lambda: self.says("person") == name)
        # The overlay's panel is deleted later; until then it holds the keyboard's way.
        self.until(lambda: self.window.findChild(QObject, "sign_in") is None)

    def charge_qr(self, amount: str) -> str:
        """A new sale by QR; the attempt's id once its code can be scanned."""
        self.type(amount)
        self.press(Qt.Key.Key_F2)
        self.until(lambda: self.seen("qr") and self.part("qr").is_shown)
        return str(self.sandbox.transactions()[0]["externalMerchantTransactionId"])

    def start_push(self, amount: str, number: str = "+94771234567") -> None:
        """A new sale by push, until it is sent off."""
        self.type(amount)
        self.press(Qt.Key.Key_F3)
        self.until_seen("wallet_number")
        self.type(number)
        self.press(Qt.Key.Key_Return)

    def charge_push(self, amount: str, number: str = "+94771234567") -> str:
        """A new sale by push; the attempt's id once the phone has rung."""
        before = len(self.sandbox.transactions())
        self.start_push(amount, number)
        self.until(lambda: len(self.sandbox.transactions()) > before)
        self.until_seen("waiting_panel")
        return str(self.sandbox.transactions()[0]["externalMerchantTransactionId"])

    def cancel(self) -> None:
        """Esc, and yes."""
        self.press(Qt.Key.Key_Escape)
        self.until_seen("question")
        self.touch("question_yes")

    def until_result(self, words: str, limit_ms: int = LIMIT_MS) -> None:
        """A result stands on the panel."""
        self.until(lambda: words in self.says("result_headline"), limit_ms)

    def stop(self) -> bool:
        """Closes the window and ends everything, once; whether it all ended in time."""
        app, self.app = self.app, None
        at_rest()
        return app is None or app.stop()
