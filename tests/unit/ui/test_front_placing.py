"""The till, and what stands beside it in the sandbox, find their places on every screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect

from pos_app.ui.places import LEAST, PHONE, PHONE_LEAST, STRIP, sheet_places, till_place

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


def test_without_them_the_till_has_the_middle() -> None:
    till = till_place(QRect(0, 0, 1920, 1080), phone=False)
    assert till.center() == QRect(0, 0, 1920, 1080).center()
