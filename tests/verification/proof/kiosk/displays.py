"""Run on an X display of two monitors: a till alone, and displays that come and go. Tells what it did, as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from tests.verification.proof.kiosk.starting import begun

TILLS = ("1366/361x768/203+0+0", "screen")
SECOND = ("1024/271x600/159+1366+0", "none")


def main() -> int:
    """0 when it came to its end."""
    qt, _, till = begun(lambda: monitor("--setmonitor", "TILL", *TILLS))
    till.until(lambda: till.window.geometry() == QRect(0, 0, 1366, 768))
    monitor("--setmonitor", "HDMI-2", *SECOND)
    till.until(lambda: [each.geometry() for each in grounds()] == [QRect(1366, 0, 1024, 600)])
    told: dict[str, object] = {"customer": seen_there()}
    monitor("--delmonitor", "HDMI-2")
    till.until(lambda: not grounds())
    # What else a display does is played in tests/integration/kiosk: this server changes no size.
    told["till"] = till.window.geometry() == QRect(0, 0, 1366, 768) and till.window.isVisible()
    qt.processEvents()
    sys.stdout.write(json.dumps(told | {"stopped": till.stop()}) + "\n")
    return 0


def monitor(*words: str) -> None:
    """As a cable does."""
    subprocess.run(["xrandr", *words], check=True, capture_output=True)


def grounds() -> list[QWidget]:
    """What covers the display that is not the till's."""
    return [
        each
        for each in QApplication.topLevelWidgets()
        if each.objectName() == "backdrop" and each.isVisible() and each.x()
    ]


def seen_there() -> bool:
    """Whether the customer's screen, with the sandbox's band, lies above the ground."""
    screen = next(each for each in QGuiApplication.screens() if each.geometry().x() == 1366)
    colour = screen.grabWindow(0, 40, 3, 1, 1).toImage().pixelColor(0, 0)
    return colour.red() > 200 and colour.blue() < 120


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError:
        # Said here: the log takes what a till did not expect.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
