"""A whole till with a customer's screen, on whatever desktop it was started; as a program, tells what was seen."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QElapsedTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from pos_app.ui.customer.window import CustomerWindow
from pos_app.ui.theme import theme
from tests.support.driver import Driver
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill, arguments, enrol
from tests.unit.ui.qr_reader import read


class Play:
    """One sale, seen from the customer's side of the counter."""

    def __init__(self, front: StartedTill, asked: argparse.Namespace) -> None:
        self.front = front
        self.asked = asked
        self.seen: dict[str, Any] = {"displays": [each.name() for each in QGuiApplication.screens()]}

    @property
    def window(self) -> CustomerWindow | None:
        """The customer's window, while there is one."""
        shown = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        return next((each for each in shown if isinstance(each, CustomerWindow)), None)

    def headline(self) -> str:
        """Its largest words."""
        return Driver(self.window).text("customer_headline") if self.window is not None else ""

    def code(self) -> str:
        """What can be scanned from it."""
        return self.window.code if self.window is not None else ""

    def run(self) -> None:
        """The sale; its display is pulled out and put in again meanwhile, where that can be done."""
        front = self.front
        front.until(lambda: self.window is not None)
        front.sign_in()
        attempt_id = front.charge_qr("12.50")
        front.until(self.code)
        front.until(lambda: self.scanned() == [self.code()])
        window = self.window
        assert window is not None
        self.seen["display"] = window.screen().name()
        self.seen["till"] = front.window.screen().name()
        self.seen["size"] = [window.width(), window.height()]
        self.seen["read"] = self.scanned() == read(front.picture())
        self.seen["focus"] = self.focused()
        if self.asked.keys:
            # Beside us: a keyboard that comes and goes while we wait for it types nothing.
            with subprocess.Popen(self.asked.keys):
                front.until(lambda: "75" in front.says("amount"))
        if self.asked.unplug:
            self.replug()
        front.sandbox.scan(self.scanned()[0])
        self.finish(attempt_id)

    def run_without(self) -> None:
        """The desktop spreads windows over all displays: no second one may lie over the till."""
        front = self.front
        front.sign_in()
        front.charge_qr("12.50")
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            wanted = read(front.picture())

            def is_seen() -> bool:
                _do([*self.asked.picture, file.name])
                return read(QImage(file.name)) == wanted

            front.until(is_seen)
        self.seen["window"] = self.window is not None

    def replug(self) -> None:
        """Out, and in again: the till's own screen goes on showing the code."""
        front = self.front
        _do(self.asked.unplug)
        front.until(lambda: self.window is None)
        self.seen["unplugged"] = read(front.picture())
        _do(self.asked.plug)
        front.until(self.code)
        front.until(lambda: self.scanned() == self.seen["unplugged"])
        self.seen["plugged"] = self.window.screen().name() if self.window is not None else ""

    def finish(self, attempt_id: str) -> None:
        """Paid on both screens, and gone from the customer's."""
        front = self.front
        front.until_result("PAID")
        since = QElapsedTimer()
        since.start()
        front.until(lambda: self.headline() == "Paid")
        self.seen["paid"] = front.sandbox.transaction(attempt_id)["status"]
        self.seen["code"] = self.code()
        # The cashier has typed on meanwhile, where there is a keyboard: the next customer's amount comes up then.
        front.until(lambda: self.headline() == ("To pay" if self.asked.keys else "Welcome"))
        self.seen["cleared after"] = since.elapsed()

    def focused(self) -> str:
        """Which of our windows has the keyboard."""
        window = QGuiApplication.focusWindow()
        return window.objectName() if window is not None else ""

    def scanned(self) -> list[str]:
        """What a camera reads from the customer's display."""
        window = self.window
        if window is None:
            return []
        if not self.asked.picture:
            return read(window.screen().grabWindow(0).toImage())
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            _do([*self.asked.picture, window.screen().name(), file.name])
            return read(QImage(file.name))


def _do(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=20)


def main(asked: argparse.Namespace) -> int:
    """0 when the sale went to its end."""
    application = QApplication(["till", *theme.STYLE_ARGUMENTS])
    application.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as folder, Sandbox(config_dir=Path(folder) / "config") as sandbox:
        till = arguments(Path(folder) / "config", Path(folder) / "data")
        enrol(till)
        front = StartedTill(sandbox, till)
        play = Play(front, asked)
        try:
            play.run_without() if asked.without else play.run()
        finally:
            ended = front.stop()
        sys.stdout.write(json.dumps(play.seen))
    return 0 if ended else 1


def wanted() -> argparse.Namespace:
    """The commands of this desktop, each a JSON list."""
    parser = argparse.ArgumentParser()
    for name in ("--unplug", "--plug", "--picture", "--keys"):
        parser.add_argument(name, type=json.loads, default=[])
    parser.add_argument("--without", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(wanted()))
