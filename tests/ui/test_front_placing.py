"""The till and the customer's phone find their places on every screen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize

from pos_app.app.placing import LEAST, PHONE, PHONE_LEAST, phone_place, till_place
from pos_app.phone import window as phone_window

SCREENS = [(1024, 768), (1366, 768), (1440, 900), (1920, 1080), (3840, 2160)]


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize(("left", "top"), [(0, 0), (60, 32), (-1920, 0)])
def test_both_are_wholly_on_the_screen(width: int, height: int, left: int, top: int) -> None:
    room = QRect(left, top, width, height)
    till = till_place(room, phone=True)
    phone = QRect(phone_place(room, till), PHONE_LEAST)
    assert room.contains(till)
    assert room.contains(phone)
    assert till.width() >= LEAST.width()


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1440, 900), (1920, 1080)])
def test_the_phone_stands_beside_the_till_where_there_is_room(width: int, height: int) -> None:
    room = QRect(0, 0, width, height)
    till = till_place(room, phone=True)
    assert not till.intersects(QRect(phone_place(room, till), PHONE_LEAST))


def test_without_a_phone_the_till_has_the_middle() -> None:
    till = till_place(QRect(0, 0, 1920, 1080), phone=False)
    assert till.center() == QRect(0, 0, 1920, 1080).center()


def test_the_place_kept_for_the_phone_is_the_phone_s_size() -> None:
    assert QSize(phone_window.WIDTH, phone_window.HEIGHT) == PHONE
    assert QSize(phone_window.LEAST_WIDTH, phone_window.LEAST_HEIGHT) == PHONE_LEAST
