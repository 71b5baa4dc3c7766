"""The customer's screen on a second display, off-screen: it follows the till, and comes and goes with its display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PySide6.QtCore import QRect

from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.displays import OFF, customers, tills
from pos_app.ui.customer.screen import AFTER_TILL_MS, CLEAR_MS
from tests.support.published import QR_TEXT

PROGRAM = "tests.unit.ui.customer_displays"
ROOT = Path(__file__).parents[3]
TOLD_OF_THE_MACHINE = ("propagateSizeHints", "qt.text.font.db")
"""Qt's words about this display and its fonts; any other is about us."""


class Display(NamedTuple):
    """A display as a QScreen tells of itself."""

    called: str
    place: QRect

    def name(self) -> str:
        return self.called

    def geometry(self) -> QRect:
        return self.place


LEFT, RIGHT, FAR = (
    Display(name, QRect(left, 0, 1366, 768))
    for name, left in (("DP-1", 0), ("HDMI-2", 1366), ("HDMI-3", 2732))
)
MIRROR = Display("HDMI-2", QRect(0, 0, 1366, 768))


@pytest.mark.parametrize(
    ("displays", "till", "wanted", "chosen"),
    [
        ((LEFT,), LEFT, "", None),
        ((LEFT, RIGHT), LEFT, "", RIGHT),
        ((LEFT, RIGHT), RIGHT, "", LEFT),
        ((LEFT, RIGHT, FAR), LEFT, "HDMI-3", FAR),
        ((LEFT, RIGHT), LEFT, "HDMI-3", None),
        ((LEFT, RIGHT), LEFT, "DP-1", None),
        ((LEFT, RIGHT), LEFT, "off", None),
        ((LEFT, MIRROR), LEFT, "", None),
        ((LEFT, MIRROR, FAR), LEFT, "", FAR),
        ((), LEFT, "", None),
    ],
)
def test_which_display_is_the_customers(
    displays: tuple[Display, ...], till: Display, wanted: str, chosen: Display | None
) -> None:
    assert customers(displays, till, wanted) is chosen


def test_the_till_leaves_a_named_display_to_the_customer() -> None:
    assert tills((LEFT, RIGHT), LEFT, "") is LEFT
    assert tills((LEFT, RIGHT), LEFT, "DP-1") is RIGHT
    assert tills((LEFT, RIGHT), LEFT, "HDMI-2") is LEFT
    assert tills((LEFT,), LEFT, "DP-1") is LEFT


def run(folder: Path, wanted: str, *, play: bool = False, count: int = 2) -> dict[str, Any]:
    """What the program saw on a desktop with so many displays."""
    screens = [
        {"name": name, "x": left, "y": 0, "width": width, "height": height, "dpr": ratio}
        | {"logicalDpi": 96, "logicalBaseDpi": 96}
        for name, left, width, height, ratio in (("till", 0, 1366, 768, 1), ("HDMI-2", 1366, 1024, 600, 1.5))[
            :count
        ]
    ]
    file = folder / "displays.json"
    file.write_text(json.dumps({"screens": screens}), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", PROGRAM, wanted, "play" if play else ""],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={file}"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    odd = [line for line in done.stderr.splitlines() if not any(each in line for each in TOLD_OF_THE_MACHINE)]
    assert not odd, odd
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The whole story, once."""
    return run(tmp_path_factory.mktemp("displays"), "", play=True)


def test_it_fills_the_second_display_and_leaves_the_till_the_focus(seen: dict[str, Any]) -> None:
    assert seen["display"] == "HDMI-2"
    assert seen["geometry"] == [1366, 0, 1024, 600]
    assert seen["full"]
    # The program waited until the till had the keyboard.


def test_the_amount_is_seen_while_it_is_typed_and_goes_with_whoever_typed_it(seen: dict[str, Any]) -> None:
    # The program waited until a lock had taken it away.
    assert seen["typed"] == ["LKR 42.50", "12.00 + 30.50"]


def test_the_code_is_read_from_it_and_was_encoded_once(seen: dict[str, Any]) -> None:
    assert seen["read"] == [QR_TEXT]
    assert seen["encoded"] == 1


def test_behind_a_lock_the_customer_can_still_scan(seen: dict[str, Any]) -> None:
    assert seen["locked"] == QR_TEXT


def test_the_code_is_gone_the_moment_the_attempt_is_not_waiting(seen: dict[str, Any]) -> None:
    assert seen["at once"] == ""
    assert seen["signed out"] == ""


def test_the_result_is_gone_within_five_seconds(seen: dict[str, Any]) -> None:
    assert (seen["till"], seen["paid"]) == ("PAID", CustomerWords.PAID)
    assert CLEAR_MS + AFTER_TILL_MS <= 4_800
    assert seen["cleared after"] > 2_000


def test_nothing_of_staff_or_other_payments_is_on_it(seen: dict[str, Any]) -> None:
    assert seen["staff"] == []


def test_it_goes_and_comes_with_its_display_and_with_what_it_showed(seen: dict[str, Any]) -> None:
    assert seen["unplugged"] == ""
    assert seen["main"], "the till's own screen shows the code as ever"
    assert seen["plugged"] == "HDMI-2"


def test_closed_by_somebody_it_comes_back(seen: dict[str, Any]) -> None:
    assert seen["closed"] == ""


def test_a_till_that_its_display_has_left_comes_back_to_it_and_is_not_covered(seen: dict[str, Any]) -> None:
    assert seen["asleep"] == ""
    assert seen["awake"] == ["till", True, "HDMI-2"]


def test_a_manager_chooses_among_the_displays_that_are_there(seen: dict[str, Any]) -> None:
    first, *named, last = seen["choices"]
    assert (first[0], last[0]) == ("", OFF)
    assert sorted(named) == [["HDMI-2", "HDMI-2 · 1024 × 600"], ["till", "till · 1366 × 768"]]


def test_without_a_second_display_the_till_is_as_ever(tmp_path: Path) -> None:
    seen = run(tmp_path, "", count=1)
    assert seen["display"] == ""
    assert [value for value, _words in seen["choices"]] == ["", OFF]
