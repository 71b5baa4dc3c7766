"""What stands instead of a till that does not run: all of it is read, touched and heard, on the smallest display."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from pos_app.ui.kiosk.safe_screen import SafeScreen, Told, Updating
from pos_app.ui.language import set_language
from pos_app.ui.theme.fonts import body_at
from pos_app.ui.theme.theme import apply
from tests.support.published import config, recent
from tests.unit.ui.dialog_cases import Key, faults, focused, press, settle

WHY = (
    "The record of payments /var/lib/pos-app/live/journal.sqlite3 cannot be opened: disk I/O error. Another "
    "program may have it open: end that, or call whoever looks after this till."
)


@pytest.fixture(autouse=True)
def as_before(qapp: QApplication) -> Iterator[None]:
    yield
    set_language("en")
    apply(qapp, "light")


def opened(
    qtbot: Any, size: tuple[int, int] = (1024, 768), *, is_dressed: bool = False, **more: Any
) -> SafeScreen:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    if not is_dressed:
        apply(application, "light")
    told = {"stopped": False, "why": WHY, "payments": recent() * 2, "version": "0.1.0", "time": "14:07"}
    screen = SafeScreen(Told(**{**told, "config": config(), **more}))
    qtbot.addWidget(screen, before_close_func=lambda _screen: screen.objectName())
    screen.resize(*size)
    screen.show()
    screen.activateWindow()
    qtbot.waitUntil(screen.isActiveWindow)
    settle()
    return screen


def seen_whole(part: QWidget, on: QWidget) -> bool:
    return on.rect().contains(QRect(part.mapTo(on, QPoint(0, 0)), part.size()))


@pytest.mark.parametrize("size", [(1024, 680), (1024, 768), (1366, 768)])
@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_nothing_is_cut_however_much_is_open(qtbot: Any, language: str, size: tuple[int, int]) -> None:
    """Half of the letters of "do not take any of them again" were, and the button stood below the display."""
    set_language(language)
    screen = opened(qtbot, size)
    assert screen.size().toTuple() == size
    assert faults(screen) == []
    again = screen.findChild(QWidget, "safe_again")
    assert again is not None
    assert seen_whole(again, screen)


@pytest.mark.parametrize("language", ["en", "ta"])
@pytest.mark.parametrize(("percent", "size"), [(150, (1600, 900)), (200, (1920, 1080))])
def test_large_texts_have_their_room(
    qtbot: Any, qapp: QApplication, language: str, percent: int, size: tuple[int, int]
) -> None:
    set_language(language)
    apply(qapp, "light")
    qapp.setFont(body_at(percent))
    screen = opened(qtbot, size, is_dressed=True)
    assert screen.size().toTuple() == size
    assert faults(screen) == []


def test_what_is_below_the_edge_is_reached_by_keys(qtbot: Any) -> None:
    set_language("ar")
    screen = opened(qtbot, (1024, 680))
    area, last = screen.findChild(QScrollArea), screen.findChild(QWidget, "safe_help")
    again = screen.findChild(QWidget, "safe_again")
    assert area is not None
    assert last is not None
    assert again is not None
    assert area.verticalScrollBar().maximum() > 0
    press(Key.Key_PageDown)
    press(Key.Key_PageDown)
    assert area.verticalScrollBar().value() == area.verticalScrollBar().maximum()
    assert focused() is again
    assert last.mapTo(screen, last.rect().bottomLeft()).y() <= again.mapTo(screen, QPoint(0, 0)).y()


def test_whoever_hears_it_hears_why_and_what_not_to_take_again(qtbot: Any) -> None:
    """The keyboard is at its one button; nobody was told more than that button's name."""
    screen = opened(qtbot)
    heard = focused()
    assert heard is not None
    assert heard.objectName() == "safe_again"
    said = heard.accessibleDescription()
    assert "The till cannot open" in said
    assert "disk I/O error" in said
    assert "Do not take any of them again" in said
    assert "LKR 1,250.00" in said
    assert screen.findChild(QWidget, "safe_starting") is not None


def test_an_update_is_heard_where_there_is_nothing_to_press(qtbot: Any) -> None:
    opened(qtbot, why="", payments=(), updating=Updating.ALONE)
    heard = focused()
    assert heard is not None
    assert heard.focusPolicy() is Qt.FocusPolicy.StrongFocus
    assert "The till is being updated" in heard.accessibleName()
    assert "No payment is open" in heard.accessibleName()
