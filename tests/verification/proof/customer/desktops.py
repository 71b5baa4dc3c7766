"""Desktops with two displays, without a person before them: an X server's monitors, a Wayland compositor's outputs."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIMIT_S = 20
NOBODY = 65534
SECOND = ("1024/271x600/159+1366+0", "none")
"""The second monitor's place on the X screen, and the output it is on: none of its own."""

_SWAY = """\
output HEADLESS-1 resolution 1366x768 position 0,0
output HEADLESS-2 resolution 1024x600 position 1366,0
workspace 1 output HEADLESS-1
workspace 2 output HEADLESS-2
focus output HEADLESS-1
default_border none
"""
_HEADLESS = {
    "WLR_BACKENDS": "headless",
    "WLR_HEADLESS_OUTPUTS": "2",
    "WLR_RENDERER": "pixman",
    "WLR_LIBINPUT_NO_DEVICES": "1",
}


@contextmanager
def two_monitors() -> Iterator[dict[str, str]]:
    """The environment of an X display with a till's monitor and another, "HDMI-2", beside it."""
    told, tell = os.pipe()
    with os.fdopen(told) as line:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(tell), "-screen", "0", "2390x768x24", "-nolisten", "tcp", "-noreset"],
            stderr=subprocess.DEVNULL,
            pass_fds=(tell,),
        )
        os.close(tell)
        try:
            number = line.readline().strip()
            assert number, "Xvfb did not start"
            there = {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
            for monitor in (("TILL", "1366/361x768/203+0+0", "screen"), ("HDMI-2", *SECOND)):
                subprocess.run(
                    ["xrandr", "--setmonitor", *monitor], env=there, check=True, capture_output=True
                )
            yield there
        finally:
            server.terminate()
            server.wait(LIMIT_S)


@contextmanager
def two_outputs(compositor: str, rule: str = "") -> Iterator[dict[str, str]]:
    """The environment of sway or cage, headless, with two outputs; `rule`: a line of sway's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.mkfifo(folder / "ready", 0o666)
        tell = f"echo $WAYLAND_DISPLAY > {folder}/ready"
        (folder / "sway.conf").write_text(f"{_SWAY}{rule}\nexec {tell}\n", "utf-8")
        command = {
            "sway": ["sway", "-c", str(folder / "sway.conf")],
            "cage": ["cage", "-m", "extend", "--", "sh", "-c", f"{tell}; exec sleep 600"],
        }[compositor]
        if os.geteuid() == 0:
            # Sway refuses to be root's.
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
            for each in (folder, *folder.iterdir()):
                os.chown(each, NOBODY, NOBODY)
        there = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        there |= {"XDG_RUNTIME_DIR": str(folder), "QT_QPA_PLATFORM": "wayland"}
        with (folder / "log").open("wb") as log:
            running = subprocess.Popen(command, env={**there, **_HEADLESS}, stdout=log, stderr=log)
            try:
                yield {**there, "WAYLAND_DISPLAY": _told(folder)}
            finally:
                running.terminate()
                running.wait(LIMIT_S)


def _told(folder: Path) -> str:
    """What is written into the pipe, once it is."""
    pipe = os.open(folder / "ready", os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready, _, _ = select.select([pipe], [], [], LIMIT_S)
        said = os.read(pipe, 100).decode().strip() if ready else ""
    finally:
        os.close(pipe)
    assert said, (folder / "log").read_text("utf-8", "replace")
    return said
