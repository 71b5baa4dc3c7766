"""The till, and what stands beside it in the sandbox, find their places on every screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from pos_app.app.window_placement import OnDesktop
from pos_app.ui.places import (
    LEAST,
    PHONE,
    PHONE_LEAST,
    STRIP,
    remembered,
    sheet_places,
    till_place,
    written,
)
from pos_app.ui.theme import theme

SCREENS = [(1024, 768), (1366, 768), (1440, 900), (1920, 1080), (3840, 2160)]


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize(("left", "top"), [(0, 0), (60, 32), (-1920, 0)])
def test_all_are_wholly_on_the_screen(width: int, height: int, left: int, top: int) -> None:
    room = QRect(left, top, width, height)
    till = till_place(room, phone=True)
    wide, small = sheet_places(room, till)
    assert room.contains(till)
    assert room.contains(wide)
    assert room.contains(small)
    assert till.width() >= LEAST.width()
    assert PHONE_LEAST.width() <= wide.width() <= PHONE.width()


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900), (1920, 1080)])
def test_the_course_and_the_phone_stand_beside_the_till_where_there_is_room(width: int, height: int) -> None:
    room = QRect(0, 0, width, height)
    till = till_place(room, phone=True)
    wide, _small = sheet_places(room, till)
    assert not till.intersects(wide)


def test_where_there_is_none_the_strip_covers_nothing_of_the_till() -> None:
    room = QRect(0, 0, 1024, 768)
    till = till_place(room, phone=True)
    wide, small = sheet_places(room, till)
    assert till.intersects(wide)
    assert not till.intersects(small)
    assert small.height() == STRIP


@pytest.mark.parametrize("mirrored", [False, True])
def test_where_there_is_none_they_stand_before_the_ends_of_the_till_s_lines(mirrored: bool) -> None:
    """In Arabic they lay over the amount, and over the code that a learner was typing."""
    room = QRect(60, 0, 1024, 768)
    till = till_place(room, phone=True)
    wide, _small = sheet_places(room, till, mirrored=mirrored)
    assert room.contains(wide)
    assert (wide.left() == room.left()) is mirrored
    assert (wide.right() == room.right()) is not mirrored


def test_beside_the_till_they_stand_at_one_side_in_every_language() -> None:
    room = QRect(0, 0, 1440, 900)
    till = till_place(room, phone=True)
    assert sheet_places(room, till, mirrored=True) == sheet_places(room, till)


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_without_them_the_till_fills_its_screen(width: int, height: int) -> None:
    room = QRect(0, 32, width, height - 32)
    till = till_place(room, phone=False)
    assert room.contains(till)
    assert till.width() == width
    assert till.bottom() == room.bottom()
    assert till.top() >= room.top() + min(40, height - 32 - LEAST.height()), (
        "its title bar is on the screen too"
    )


PLACE, ROOM = QRect(100, 60, 1200, 700), QRect(0, 0, 1920, 1048)


def test_a_place_is_remembered_and_read_again() -> None:
    rooms = [QRect(0, 0, 1920, 1080)]
    assert remembered(written(PLACE, filled=False), rooms) == (PLACE, False)
    assert remembered(written(PLACE, filled=True), rooms) == (PLACE, True)


@pytest.mark.parametrize(
    "said",
    [
        "", "100 60 1200", "100 60 1200 700 2", "a b c d e", "100 60 200 100 0", "1900 60 1200 700 0",
        "-5000 0 1200 700 0", "100 60 1200 700 0 1", "9" * 5000, "100 60 99999999999999999999 700 0",
    ],
)  # fmt: skip
def test_what_is_no_place_or_on_no_screen_is_forgotten(said: str) -> None:
    assert remembered(said, [QRect(0, 0, 1920, 1080)]) is None


@pytest.fixture
def placed(qtbot: Any, tmp_path: Path) -> Callable[[], QWidget]:
    """A window put where the till would be put; several, one after the other."""
    standing = OnDesktop(phone=False, memory=tmp_path / "window", rooms=lambda _window: [ROOM])
    shown: list[QWidget] = []

    def place() -> QWidget:
        if shown:
            standing.remember(shown[-1])
            shown[-1].close()
        window = QWidget()
        window.setObjectName("till")
        window.setWindowTitle("a till")
        qtbot.addWidget(window, before_close_func=lambda window: window.objectName())
        shown.append(window)
        with qtbot.waitExposed(window):
            standing.show(window)
        return window

    return place


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_the_place_of_what_was_remembered_is_not_waited_for(
    placed: Callable[[], QWidget], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "window")
    placed().showNormal()
    assert placed().isMaximized()


def test_a_till_fills_its_screen_and_is_found_where_it_was_put(placed: Callable[[], QWidget]) -> None:
    first = placed()
    assert first.isMaximized()
    first.showNormal()
    first.setGeometry(PLACE)
    second = placed()
    assert not second.isMaximized()
    assert second.geometry() == PLACE
    second.showMaximized()
    assert placed().isMaximized()


def test_no_window_becomes_smaller_than_what_it_cuts_nothing_at(placed: Callable[[], QWidget]) -> None:
    assert placed().minimumSize() == theme.least()
