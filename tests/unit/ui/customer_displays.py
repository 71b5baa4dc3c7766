"""A till on one off-screen display and its customer's screen on another; as a program, tells what was seen."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication

from pos_app.domain.attempt import CancelWish, State
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.screen import CustomerScreen
from pos_app.ui.dialogs.settings.displays import displays
from tests.support.driver import Driver
from tests.support.living import let_live
from tests.support.published import NIMALI, QR_TEXT, attempt, change, config, recent, terminal
from tests.support.stage import STATES, Stage
from tests.unit.ui.customer_cases import said
from tests.unit.ui.qr_reader import read

LIMIT_MS = 60_000
STEP_MS = 5
STAFF = (
    "Nimali",
    "Ruwan",
    "Kasun",
    "0123",
    "SBX-",
    "•",
    "321",
    "900123",
    "reject",
    "service",
    "journal",
    "380.00",
)


class Story:
    """The till, the customer's screen beside it, and what was seen."""

    def __init__(self, wanted: str) -> None:
        self.on = Stage(None)
        self.screen = CustomerScreen(config(), CustomerWords(), wanted, self.on.window)
        self.seen: dict[str, Any] = {}

    def headline(self) -> str:
        """The largest words for the customer, "" without a window."""
        window = self.screen.window
        return Driver(window).text("customer_headline") if window is not None else ""

    def display(self) -> str:
        """The display it stands on."""
        return self.screen.window.screen().name() if self.screen.window is not None else ""

    def code(self) -> str:
        """What can be scanned from it."""
        return self.screen.window.code if self.screen.window is not None else ""

    def until(self, condition: Callable[[], Any]) -> None:
        """Lets both windows live until it is so."""
        deadline = QDeadlineTimer(LIMIT_MS)
        while not condition():
            assert not deadline.hasExpired(), self.headline()
            let_live(STEP_MS)

    def until_says(self, headline: str) -> None:
        """The customer's screen says this."""
        self.until(lambda: self.headline() == headline)

    def play(self) -> None:
        """A payment, its end, the next one, and displays that come and go."""
        self.type_an_amount()
        self.show_a_code()
        self.end_it()
        self.sign_out()
        self.read_everything()
        self.pull_the_plug()

    def type_an_amount(self) -> None:
        """Two prices, one after the other; a lock takes them away."""
        words = CustomerWords()
        assert self.screen.window is not None
        self.on.type("12+30.5")
        self.until_says(words.AMOUNT)
        self.seen["typed"] = [
            Driver(self.screen.window).text(f"customer_{name}") for name in ("amount", "more")
        ]
        self.on.receive(terminal(signed_in=None))
        self.until_says(words.WELCOME)
        self.on.receive(terminal(recent=recent()))

    def show_a_code(self) -> None:
        window = self.screen.window
        assert window is not None
        made: list[object] = []
        self.on.window.encoder.encoded.connect(lambda _text, matrix: made.append(matrix))
        self.seen["geometry"] = window.geometry().getRect()
        self.seen["display"] = self.display()
        self.seen["full"] = window.isFullScreen()
        self.on.begin(change())
        self.until(lambda: self.code() == QR_TEXT)
        self.until(lambda: self.on.part("qr").is_shown and made)
        # Whoever asks once more is given the same one.
        self.seen["encoded"] = len({id(each) for each in made})
        self.seen["read"] = read(window.grab().toImage())
        self.until(lambda: QApplication.focusWindow() is self.on.window.windowHandle())
        self.on.receive(terminal(locked=True))
        let_live(100)
        self.seen["locked"] = self.code()
        self.on.receive(change(attempt(cancel_wish=CancelWish(NIMALI.person_id, 5_000))))
        self.seen["at once"] = self.code()
        self.on.receive(terminal())

    def end_it(self) -> None:
        words = CustomerWords()
        self.on.receive(change(attempt(state=State.PAID, ended_at=9_000)))
        since = QElapsedTimer()
        since.start()
        self.seen["till"] = self.on.part("result_headline").text()
        # At once: however slow the machine, it is looked at before it goes.
        self.screen.show_now()
        self.seen["paid"] = self.headline()
        self.until_says(words.WELCOME)
        self.seen["cleared after"] = since.elapsed()

    def sign_out(self) -> None:
        words = CustomerWords()
        self.on.part("result_next").click()
        self.on.begin(change(attempt(attempt_id="SBX-TK7M3Q9RD-0125-1", sale_id="0125")))
        self.until(lambda: self.code() == QR_TEXT)
        self.on.receive(terminal(signed_in=None))
        self.seen["signed out"] = self.code()
        self.until_says(words.WELCOME)
        self.on.receive(terminal(recent=recent()))
        self.until(lambda: self.code() == QR_TEXT)
        self.on.press(Qt.Key.Key_F6)
        self.until_says(words.WELCOME)

    def read_everything(self) -> None:
        """Each state a cashier can meet: no word of it is the customer's."""
        found: list[str] = []
        for name, put_on in STATES.items():
            on = Stage(None)
            screen = CustomerScreen(config(), CustomerWords(), "", on.window)
            put_on(on)
            screen.show_now()
            assert screen.window is not None
            text = said(screen.window)
            found += [f"{name}: {each}" for each in STAFF if each in text]
            screen.stop()
            on.window.close()
            on.window.deleteLater()
        self.seen["staff"] = found

    def pull_the_plug(self) -> None:
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        self.on.begin(change(attempt(attempt_id="SBX-TK7M3Q9RD-0126-1", sale_id="0126")))
        self.until(lambda: self.code() == QR_TEXT)
        display = self.screen.window.screen() if self.screen.window is not None else None
        assert isinstance(display, QScreen)
        application.screenRemoved.emit(display)
        self.seen["unplugged"] = self.display()
        self.seen["main"] = self.on.part("qr").is_shown
        application.screenAdded.emit(display)
        self.until(lambda: self.code() == QR_TEXT)
        self.seen["plugged"] = self.display()
        self.screen.window.close()  # type: ignore[union-attr]
        self.seen["closed"] = self.display()
        self.until(lambda: self.code() == QR_TEXT)
        self.let_the_tills_display_sleep(application)

    def let_the_tills_display_sleep(self, application: QGuiApplication) -> None:
        """Some cables take a display that sleeps for one that is pulled out; Qt moves the till to what is left."""
        window = self.on.window
        stood = window.geometry()
        application.screenRemoved.emit(window.screen())
        self.seen["asleep"] = self.display()
        own, customers = sorted(application.screens(), key=lambda each: each.geometry().x())
        window.setScreen(customers)
        window.setGeometry(customers.geometry())
        application.screenAdded.emit(own)
        self.until(lambda: self.code() == QR_TEXT)
        self.seen["awake"] = [window.screen().name(), window.geometry() == stood, self.display()]


def main(wanted: str, play: str) -> None:
    """`wanted` as in the settings; `play`: the whole story, else where the window stands is all."""
    app = QApplication(["till"])
    story = Story(wanted)
    story.seen["display"] = story.display()
    story.seen["choices"] = displays()
    if play:
        story.play()
    # The till's window is the last one: the customer's keeps no application going.
    QTimer.singleShot(0, story.on.window.close)
    app.exec()
    story.screen.stop()
    sys.stdout.write(json.dumps(story.seen))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
