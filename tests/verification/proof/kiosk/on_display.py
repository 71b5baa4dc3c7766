"""Run on an X display without a window manager: real keys at one screen of a till alone. Tells what changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QProcess

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

PERSON_MS = 40
"""From one key to the next: what comes sooner is a scanner's, and does nothing at all."""

HELD_MS = 24
"""The robot waits for each key of a combination, down and up: that is longer than PERSON_MS together."""


def lines() -> list[str]:
    """Every combination, one command each."""
    combined = [f"{held}+{key}" for held in HELD for key in (*LETTERS, *NAMED)]
    alone = (*OTHERS, *(f"shift+{key}" for key in OTHERS))
    return [
        *(f"key --delay {HELD_MS} {keys}" for keys in combined),
        *(f"key --delay {PERSON_MS} {keys}" for keys in alone),
    ]


def main() -> int:
    """0 when it came to its end."""
    folder, screen = Path(sys.argv[1]), sys.argv[2]
    qt, sandbox, till = begun(signed_in="" if screen == "sign-in" else "Nimali")
    if screen != "sign-in":
        SCREENS[screen](till)
    else:
        till.until_seen("people")
    seen, cancels = Seen(till), len(sandbox.calls("cancel"))
    before = windows()
    (folder / "keys").write_text("\n".join(lines()) + "\n")
    robot = QProcess()
    robot.start("xdotool", [str(folder / "keys")])
    till.until(lambda: robot.state() is QProcess.ProcessState.NotRunning, 200_000)
    qt.processEvents()
    seen.same("every key")
    told = {
        "keys": len(lines()),
        "failed": robot.exitCode(),
        "windows": windows() - before,
        "children": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()),
        "cancels": len(sandbox.calls("cancel")) - cancels,
        "size": list(till.window.size().toTuple()),
        "heard": _hears(till) if screen == "ready" else True,
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


def _hears(till: AloneTill) -> bool:
    """Whether the keys of the robot come to the till at all."""
    robot = QProcess()
    robot.start("xdotool", ["key", "5"])
    till.until(lambda: "5" in till.says("amount"))
    robot.waitForFinished()
    return True


if __name__ == "__main__":
    sys.exit(main())
