"""Run on an X display without a window manager: real keys at one screen of a till alone. Tells what changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QProcess, Qt
from PySide6.QtGui import QKeyEvent

from pos_app.ui.widgets.key_bursts import GAP_MS
from tests.integration.kiosk.alone import AloneTill
from tests.integration.kiosk.test_robot import SCREENS, Seen
from tests.verification.proof.kiosk.starting import begun

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
NAMED = (
    *(f"F{at}" for at in range(1, 25)), "Escape", "Tab", "Return", "space", "BackSpace", "Delete", "Insert",
    "Home", "End", "Prior", "Next", "Left", "Right", "Up", "Down", "Print", "Sys_Req", "Pause", "Menu",
    "Help", "KP_Enter", "KP_Add", "KP_Delete", "minus", "plus", "equal", "comma", "period", "slash", "grave",
)  # fmt: skip
OTHERS = (
    "Print", "Sys_Req", "Pause", "Menu", "Help", "Insert", "Super_L", "Super_R", "Meta_L", "Hyper_L",
    *(f"F{at}" for at in range(11, 25)),
    *(f"XF86{name}" for name in (
        "AudioRaiseVolume", "AudioLowerVolume", "AudioMute", "AudioPlay", "AudioNext", "AudioPrev", "WWW",
        "Mail", "Calculator", "Search", "HomePage", "Explorer", "MyComputer", "Terminal", "Sleep", "WakeUp",
        "PowerOff", "ScreenSaver", "Display", "Favorites", "Back", "Forward", "Refresh", "Tools", "Eject",
        "MonBrightnessUp", "TouchpadToggle", "WLAN", "Launch1", "LaunchA", "Copy", "Cut", "Paste", "Close",
        "New", "Open", "Save", "Send", "Reload", "ZoomIn", "RotateWindows", "TaskPane",
    )),
)  # fmt: skip
HELD = (
    "ctrl", "alt", "super", "ctrl+alt", "ctrl+shift", "alt+shift", "super+shift", "ctrl+super", "alt+super",
    "ctrl+alt+shift", "ctrl+alt+super",
)  # fmt: skip

HELP = "0xff6a"
"""By its number: the robot has a command of that name, and would press nothing."""

PERSON_MS = GAP_MS + 5
"""From one key to the next: what comes sooner is a scanner's, and does nothing at all."""


def keys() -> list[str]:
    """Every combination, as the robot names it."""
    combined = [f"{held}+{key}" for held in HELD for key in (*LETTERS, *NAMED)]
    alone = (HELP if key == "Help" else key for key in OTHERS)
    return [*combined, *alone, *(f"shift+{key}" for key in OTHERS)]


def label_keys() -> None:
    """Puts those that this display's keyboard has not on it, where else the robot would, for a moment each time."""
    table = subprocess.run(["xmodmap", "-pke"], capture_output=True, text=True, check=True).stdout
    codes = {line.split()[1]: line.split("=")[1].split() for line in table.splitlines()}
    there = {symbol for symbols in codes.values() for symbol in symbols}
    missing = [key for key in dict.fromkeys((*NAMED, *OTHERS)) if key not in there]
    free = [code for code, symbols in codes.items() if not symbols]
    for code, key in zip(free, missing, strict=False):
        subprocess.run(["xmodmap", "-e", f"keycode {code} = {key}"], check=True)


HOLDING = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta)
"""What is held; the robot holds Shift of itself for a sign that needs it."""


class Robot(QObject):
    """Presses one combination after the other: the next once the window has heard the last, as late as a person.

    What a busy machine is slow to bring is waited for, and a key that never comes is no key that did nothing.
    """

    def __init__(self, till: AloneTill, left: Iterable[str]) -> None:
        super().__init__()
        self._till = till
        self._native = till.native
        self._left = deque(left)
        self._down = self._up = self._last_ms = self.heard = 0
        self.taken: list[str] = []
        self.hurried: list[str] = []
        self._hands = QProcess()
        self._hands.start("xdotool", ["-"])

    def press_all(self) -> None:
        """Until each is up again. Raises AssertionError, with its name, where one does not come."""
        application = QCoreApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self._press()
        while self._left:
            before = len(self._left)
            try:
                self._till.until(lambda before=before: len(self._left) < before)  # type: ignore[misc]
            except AssertionError as error:
                raise AssertionError(
                    f"{self._left[0]} did not come: {self._down} down, {self._up} up"
                ) from error
        application.removeEventFilter(self)
        self._hands.closeWriteChannel()
        self._till.until(lambda: self._hands.state() is QProcess.ProcessState.NotRunning)

    def _press(self) -> None:
        self._down = self._up = 0
        line = f"sleep {PERSON_MS / 1000} key --delay 0 {self._left[0]}\n"
        self._hands.write(line.encode())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Looks on: all goes to the till."""
        if (
            watched is self._native
            and isinstance(event, QKeyEvent)
            and not event.isAutoRepeat()
            and self._left
        ):
            if event.type() == QEvent.Type.KeyPress:
                self._down += 1
                if event.key() not in HOLDING:
                    self._pressed(event)
            elif event.type() == QEvent.Type.KeyRelease:
                self._up += 1
                if self._up >= max(self._down, 1 + self._left[0].count("+")):
                    self._go_on()
        return False

    def _pressed(self, event: QKeyEvent) -> None:
        if event.timestamp() - self._last_ms <= GAP_MS:
            self.hurried.append(self._left[0])
        self._last_ms = event.timestamp()

    def _go_on(self) -> None:
        if self._down > self._left[0].count("+"):
            self.heard += 1
        else:
            self.taken.append(self._left[0])
        self._left.popleft()
        if self._left:
            self._press()


def main() -> int:
    """0 when it came to its end."""
    screen = sys.argv[2]
    qt, sandbox, till = begun(label_keys, signed_in="" if screen == "sign-in" else "Nimali")
    if screen != "sign-in":
        SCREENS[screen](till)
    else:
        till.until_seen("people")
    seen, cancels = Seen(till), len(sandbox.calls("cancel"))
    before = windows()
    robot = Robot(till, keys())
    robot.press_all()
    qt.processEvents()
    seen.same("every key")
    told = {
        "keys": len(keys()),
        "heard": robot.heard,
        "taken": robot.taken,
        "hurried": robot.hurried,
        "windows": windows() - before,
        "children": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()),
        "cancels": len(sandbox.calls("cancel")) - cancels,
        "size": list(till.window.size().toTuple()),
    }
    stopped = till.stop()
    sys.stdout.write(json.dumps(told | {"stopped": stopped}) + "\n")
    return 0


def windows() -> int:
    """How many windows the display shows, whosever they are."""
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", ".*"], capture_output=True, text=True, check=False
    )
    return len(found.stdout.split())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError:
        # Said here: the log takes what a till did not expect.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
