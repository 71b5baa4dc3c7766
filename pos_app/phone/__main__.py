"""`python -m pos_app.phone`: the customer's phone, a process of its own. No token in its arguments."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    # Started by its file: isolated, Python puts no folder of ours on its path.
    sys.path.append(str(Path(__file__).resolve().parents[2]))

TOKEN_VARIABLE = "POS_APP_CONTROL_TOKEN"


def parser() -> argparse.ArgumentParser:
    """The options; see till_lines for what comes on standard input."""
    made = argparse.ArgumentParser(prog="pos-app phone", description="The customer's phone, for the sandbox.")
    made.add_argument("--control-url", required=True, help="the sandbox's control interface")
    made.add_argument("--number", default="", help="the phone's number, +94771234567; left out: every number")
    made.add_argument("--theme", choices=("light", "dark"), default="light")
    made.add_argument("--at", default="", metavar="X,Y", help="where the window stands")
    made.add_argument(
        "--till-lines",
        action="store_true",
        help="read the till's lines from standard input, and end when it closes; so too without a token",
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs until the window is closed or the till has gone."""
    asked = parser().parse_args(arguments)
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QApplication

    from pos_app.phone.till_lines import Key, TillLines
    from pos_app.phone.window import PhoneWindow
    from pos_app.phone.wire import Wire
    from pos_app.ui.design.theme import apply

    application = QApplication(["pos-app-phone"])
    apply(application, asked.theme)
    window = PhoneWindow(Wire(asked.control_url), asked.number)
    token = os.environ.pop(TOKEN_VARIABLE, "")
    if token:
        window.take(Key(token))
    if asked.till_lines or not token:
        lines = TillLines(sys.stdin.fileno(), window)
        lines.told.connect(window.take)
        lines.ended.connect(application.quit)
        lines.start()
    across, _, down = asked.at.partition(",")
    if across.lstrip("-").isdigit() and down.lstrip("-").isdigit():
        window.stand_at(QPoint(int(across), int(down)))
    window.show()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
