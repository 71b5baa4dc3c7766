"""Run on an X display: a till alone, and others who want its place. Tells what the display then shows, as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback

from PySide6.QtCore import QProcess
from PySide6.QtGui import QColor, QGuiApplication

from tests.integration.kiosk.alone import AloneTill
from tests.support.sandbox import REPOSITORY
from tests.verification.proof.kiosk.starting import begun

RED = QColor("#ff0000")
CORNER = (3, 400)
"""Where the till's ground is seen, and no part of it."""


def main() -> int:
    """0 when it came to its end."""
    qt, _, till = begun()
    ground = shown()
    rival = QProcess()
    rival.setWorkingDirectory(str(REPOSITORY))
    rival.start(sys.executable, ["-m", "tests.verification.proof.kiosk.rival"])
    till.until(lambda: "rival" in named())
    told: dict[str, object] = {"ground": ground != RED.name()}
    till.until(lambda: shown() == ground)
    till.until(till.window.isActiveWindow)
    rival.kill()
    rival.waitForFinished()
    ours = str(int(till.window.winId()))
    whole = QGuiApplication.primaryScreen().geometry()
    for doing, *rest in (["windowminimize"], ["windowmove", "300", "300"], ["windowsize", "200", "200"]):
        subprocess.run(["xdotool", doing, ours, *rest], check=True)
        till.until(lambda: shown() == ground and till.window.geometry() == whole)
        told[doing] = till.window.isVisible()
    subprocess.run(["xdotool", "key", "alt+F4"], check=True)
    till.until(lambda: hears(till))
    told["alt+F4"] = till.window.isVisible() and shown() == ground
    qt.processEvents()
    sys.stdout.write(json.dumps(told | {"stopped": till.stop()}) + "\n")
    return 0


def hears(till: AloneTill) -> bool:
    """Whether keys come to the till again: while the window manager is at one of its own, they are lost."""
    subprocess.run(["xdotool", "key", "5"], check=True)
    return "5" in till.says("amount")


def shown() -> str:
    """The colour the display shows there, whosever window it is."""
    return QGuiApplication.primaryScreen().grabWindow(0, *CORNER, 1, 1).toImage().pixelColor(0, 0).name()


def named() -> str:
    """The names of all windows that the display shows."""
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", "rival"], capture_output=True, text=True, check=False
    )
    return "rival" if found.stdout.strip() else ""


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError:
        # Said here: the log takes what a till did not expect.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
