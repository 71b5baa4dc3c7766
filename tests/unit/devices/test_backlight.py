"""A code makes the display bright, its end as bright as before; where the system does not let us, nothing happens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.devices.backlight import Backlight, set_light

LIMIT_S = 30.0


class Display:
    """A folder as the kernel lists a display's light, and a logind that may write it where we may not."""

    def __init__(self, path: Path, light: int = 40, most: int = 120) -> None:
        self.listed = path / "backlight"
        self.folder = self.listed / "intel_backlight"
        self.folder.mkdir(parents=True)
        self.file = self.folder / "brightness"
        self.file.write_text(f"{light}\n")
        (self.folder / "max_brightness").write_text(f"{most}\n")
        self.asked = path / "asked"

    @property
    def light(self) -> int:
        return int((self.folder / "brightness").read_text() or 0)

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline, self.light
            threading.Event().wait(0.005)


@pytest.fixture
def display(tmp_path: Path) -> Display:
    return Display(tmp_path)


def test_a_code_is_bright_and_its_end_as_before(display: Display) -> None:
    backlight = Backlight(display.listed)
    for _ in range(2):
        backlight.want(full=True)
        display.until(lambda: display.light == 120)
        backlight.want(full=False)
        display.until(lambda: display.light == 40)
    backlight.want(full=True)
    backlight.stop()
    assert display.light == 40


def test_a_second_code_forgets_nothing(display: Display) -> None:
    backlight = Backlight(display.listed)
    backlight.want(full=True)
    backlight.want(full=True)
    backlight.stop()
    assert display.light == 40


def test_what_somebody_set_meanwhile_stays(display: Display) -> None:
    backlight = Backlight(display.listed)
    backlight.want(full=True)
    display.until(lambda: display.light == 120)
    display.file.write_text("70\n")
    backlight.stop()
    assert display.light == 70


def test_where_the_file_cannot_be_written_logind_is_asked(display: Display, tmp_path: Path) -> None:
    # A folder in the place of the file that is written: nobody can write it, whoever runs the test.
    display.file.unlink()
    display.file.mkdir()
    logind = tmp_path / "busctl"
    logind.write_text(f'#!/bin/sh\necho "$*" >> "{display.asked}"\n')
    logind.chmod(0o755)
    set_light(display.folder, 120, (str(logind), "call"))
    assert display.asked.read_text() == "call intel_backlight 120\n"


@pytest.mark.parametrize("broken", ["none", "empty", "unreadable"])
def test_without_a_light_nothing_happens(tmp_path: Path, broken: str) -> None:
    display = Display(tmp_path)
    if broken == "unreadable":
        display.file.write_text("dark\n")
    listed = {"none": tmp_path / "nowhere", "empty": tmp_path / "empty"}.get(broken, display.listed)
    (tmp_path / "empty").mkdir()
    backlight = Backlight(listed, asks=("/nowhere/busctl",))
    backlight.want(full=True)
    backlight.stop()
    assert "backlight" not in {thread.name for thread in threading.enumerate()}


def test_without_logind_nothing_happens(tmp_path: Path) -> None:
    display = Display(tmp_path)
    display.file.unlink()
    display.file.mkdir()
    backlight = Backlight(display.listed, asks=("/nowhere/busctl",))
    backlight.want(full=True)
    backlight.stop()
    assert not display.asked.exists()
