"""The built-in display's light. Where the system does not let us at it, nothing happens and nobody is told.

Written where the kernel lists it, if this account may; else asked of logind, which lets whoever sits before the
display change it. A display on a cable is not listed: its light is its own affair.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

LISTED = Path("/sys/class/backlight")
LIMIT_S = 2.0
STOP_LIMIT_S = 1.0

_ASKS_LOGIND = (
    *("/usr/bin/busctl", "--system", "--quiet", "--timeout=2", "call"),
    *("org.freedesktop.login1", "/org/freedesktop/login1/session/auto"),
    *("org.freedesktop.login1.Session", "SetBrightness", "ssu", "backlight"),
)


class _Light(NamedTuple):
    folder: Path
    before: int
    raised_to: int


class Backlight:
    """`want` returns at once; a thread of its own does it. The last wish counts."""

    def __init__(self, listed: Path = LISTED, asks: Sequence[str] = _ASKS_LOGIND) -> None:
        """`asks`: the program and its words that set a light; a display's name and a number follow them."""
        self._listed = listed
        self._asks = tuple(asks)
        self._wanted: queue.SimpleQueue[bool | None] = queue.SimpleQueue()
        self._raised: list[_Light] = []
        self._thread: threading.Thread | None = None

    def want(self, *, full: bool) -> None:
        """All the light there is, or again as much as before."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="backlight", daemon=True)
            self._thread.start()
        self._wanted.put(full)

    def stop(self) -> None:
        """As much light as before, and no thread."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._wanted.put(False)
            self._wanted.put(None)
            thread.join(STOP_LIMIT_S)

    def _work(self) -> None:
        while (full := self._wanted.get()) is not None:
            with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
                self._raise() if full else self._lower()

    def _raise(self) -> None:
        if self._raised or not self._listed.is_dir():
            return
        for folder in sorted(self._listed.iterdir()):
            before, most = _number(folder / "brightness"), _number(folder / "max_brightness")
            if before < most:
                set_light(folder, most, self._asks)
                self._raised.append(_Light(folder, before, most))

    def _lower(self) -> None:
        raised, self._raised = self._raised, []
        for light in raised:
            # Whoever has changed it meanwhile meant it so.
            if _number(light.folder / "brightness") == light.raised_to:
                set_light(light.folder, light.before, self._asks)


def set_light(folder: Path, light: int, asks: Sequence[str]) -> None:
    """Writes it into the display's file, or has the login service do it where only root may write there."""
    try:
        (folder / "brightness").write_text(f"{light}\n")
    except OSError:
        subprocess.run(
            [*asks, folder.name, str(light)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
            timeout=LIMIT_S,
            check=False,
        )


def _number(file: Path) -> int:
    return int(file.read_text())
