"""A whole till in this process, worked as a cashier does: by keys, touches and what stands on the screen.

`tills` makes them for fixtures (tests/end_to_end/conftest.py has some ready); `enrol` puts two people on the list.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.app import demo_people
from pos_app.app.run import App
from pos_app.app.session import Session
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import open_shop
from pos_app.ui.till.window.controller import UNSEEN_S
from pos_app.ui.widgets import motion
from tests.guards.canaries import PASSCODE
from tests.support.command_line import arguments
from tests.support.driver import LIMIT_MS, Driver
from tests.support.sandbox import Sandbox

__all__ = ["NUMBERS", "PASSCODE", "StartedTill", "arguments", "at_rest", "enrol", "tills"]

NUMBERS = {"Nimali": "94770000010", "Kasun": "94770000011"}

UNREACHABLE = {
    "shop_name": "Harbour Shop",
    "counter_id": "4",
    "merchant_pg_identifier": "M-0001",
    "base_url": "https://gateway.invalid",
    "access_token": "canary-token",
    "merchant_secret_code": "canary-code",
    "merchant_password": "canary-word",
}
"""A counter as the wizard asks for it, at a name that exists nowhere (RFC 6761), so that nobody is asked."""


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


class StartedTill(Driver):
    """One run of the till, at a sandbox that runs elsewhere; `stop` ends it."""

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
        assert self.app.session is not None
        return self.app.session

    @property
    def window(self) -> QWidget:
        """The one window of ours that is on the screen."""
        # By the system's windows, which are few: parts that have no parent yet are top-level widgets, too, hundreds.
        shown = [each for each in QApplication.topLevelWindows() if each.isVisible()]
        ours = [each for each in shown if each.objectName() in ("tillWindow", "wizardWindow")]
        assert len(ours) == 1, ours
        window = QWidget.find(ours[0].winId())
        assert window is not None
        return window

    def meet_own_sandbox(self) -> None:
        """The sandbox is the one that this till has started."""
        control = self.session.shop.control
        assert control is not None
        self.sandbox = Sandbox.elsewhere(control.control_url, control.control_token)

    def code(self, name: str) -> str:
        """The newest sign-in code this person's phone has got."""
        inbox = self.sandbox.sms(NUMBERS[name])
        return str(inbox[0]["code"]) if inbox else ""

    def pick(self, name: str) -> None:
        """Touches a name on the list of cashiers."""
        self.pick_row("people", name)

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

    def choose_passcode(self, passcode: str = PASSCODE) -> None:
        """Twice, as it is asked for."""
        for field in ("new_passcode", "passcode_again"):
            self._enter(field, passcode)

    def _enter(self, field: str, text: str) -> None:
        self.until(lambda: self.has_focus(field))
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

    def act_and_say(self, attempt_id: str, verb: str, **said: object) -> None:
        """The customer acts, and each answer that tells of it says this: none between the two tells the truth."""
        self.sandbox.fault("hold", "get_status", at="after")
        self.until(lambda: "get_status" in self.sandbox.held())
        self.sandbox.act(attempt_id, verb)
        self.sandbox.fault("edit", "get_status", count=None, set=said)
        self.sandbox.release()

    def cancel(self) -> None:
        """Esc, and yes."""
        self.press(Qt.Key.Key_Escape)
        self.until_seen("question")
        self.touch("question_yes")

    def leave_menu(self) -> None:
        """Esc once more, where closing what the manager's menu led to has gone back to it."""
        if self.seen("managers_menu"):
            self.press(Qt.Key.Key_Escape)
            self.until(lambda: not self.seen("managers_menu"))

    def until_result(self, words: str, limit_ms: int = LIMIT_MS) -> None:
        """A result stands on the panel, and was read: one that is left sooner is told once more."""
        self.until(lambda: words in self.says("result_headline"), limit_ms)
        read_by = time.monotonic() + 1.25 * UNSEEN_S
        self.until(lambda: time.monotonic() > read_by)

    def stop(self) -> bool:
        """Closes the window and ends everything, once; whether it all ended in time."""
        app, self.app = self.app, None
        at_rest()
        return app is None or app.stop()


AnyTill = TypeVar("AnyTill", bound=StartedTill)


@contextmanager
def tills(
    build: Callable[[Options], AnyTill], config_dir: Path, data_dir: Path, **asked_too: object
) -> Iterator[Callable[..., AnyTill]]:
    """What makes tills on one data folder, each ended at the end; AssertionError when one did not end in time."""
    made: list[AnyTill] = []

    def make(
        *, signed_in: str = "Nimali", settings: str = "", people: bool = True, **asked_more: object
    ) -> AnyTill:
        asked = arguments(config_dir, data_dir, **(asked_too | asked_more))
        if settings:
            file = config_dir / "config.toml"
            file.write_text(file.read_text("utf-8") + settings, "utf-8")
        if people:
            enrol(asked)
        till = build(asked)
        made.append(till)
        if signed_in:
            till.sign_in(signed_in)
        return till

    yield make
    ended = [till.stop() for till in made]
    assert all(ended), "a till did not end its threads in time"
