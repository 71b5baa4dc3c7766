"""The customer's window: readable at every size and shape, in the sandbox marked, and deaf to whoever touches it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from pos_app.domain.attempt import Attempt, Environment, State
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.seen import View, see
from pos_app.ui.customer.window import places
from pos_app.ui.till.lock.idle import IdleWatch
from tests.support.published import QR_TEXT, attempt, change, config
from tests.unit.ui.customer_cases import VIEWS, Shown, longer, said
from tests.unit.ui.qr_reader import read

SIZES = [(1024, 600), (1280, 800), (800, 1280), (1920, 1080), (480, 800), (800, 480)]
FAR = 3.2
"""Hundredths of the shorter side: on a screen 13 cm high, letters of 4 mm, which are read from two metres."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_all_words_are_whole_and_large(qtbot: Any, size: tuple[int, int]) -> None:
    for words, least in ((CustomerWords(), FAR), (longer(), FAR * 0.7)):
        on = Shown(qtbot, config(), words, size)
        for view in VIEWS:
            on.show(view)
            assert not on.cut(), (view, words.PAID)
            for part in on.parts():
                if part.text():
                    assert part.pixels() >= least * min(size) / 100, (view, part.objectName(), part.pixels())


@pytest.mark.parametrize("it", [attempt(), attempt(state=State.PAID), attempt(state=State.CANCELLED)])
def test_an_amount_stands_in_the_payments_own_currency(qtbot: Any, it: Attempt) -> None:
    """The counter's is another one since."""
    on = Shown(qtbot, config(), CustomerWords(), SIZES[0])
    dinars = replace(it, amount=Decimal("7.125"), currency="KWD")
    on.window.show_seen(see(change(dinars), config(), CustomerWords()))
    assert "KWD 7.125" in said(on.window)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("view", View)
def test_nothing_stands_on_something_else(size: tuple[int, int], view: View) -> None:
    from PySide6.QtCore import QRect

    room = QRect(0, 28, size[0], size[1] - 28)
    at = places(room, view)
    rooms = [each for each in at if isinstance(each, QRect) and each.isValid()]
    for number, one in enumerate(rooms):
        assert room.contains(one)
        assert not any(one.intersects(other) for other in rooms[number + 1 :])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_code_is_read_from_its_picture(qtbot: Any, size: tuple[int, int]) -> None:
    on = Shown(qtbot, config(), CustomerWords(), size)
    on.show("code")
    qtbot.waitUntil(lambda: on.window.code == QR_TEXT)
    assert read(on.window.grab().toImage()) == [QR_TEXT]


def test_the_code_goes_at_once(qtbot: Any) -> None:
    on = Shown(qtbot, config(), CustomerWords(), (1024, 600))
    on.show("code")
    qtbot.waitUntil(lambda: on.window.code == QR_TEXT)
    on.window.hide_code()
    assert not on.window.code
    assert not read(on.window.grab().toImage())
    on.show("code")
    assert on.window.code == QR_TEXT, "the encoder still has it"


def test_the_sandbox_is_marked_and_a_live_screen_is_not(qtbot: Any) -> None:
    on = Shown(qtbot, config(), CustomerWords(), (1024, 600))
    band = on.window.findChild(QWidget, "sandbox_band")
    assert isinstance(band, QWidget)
    band.setVisible(False)
    for view in VIEWS:
        on.show(view)
        assert band.isVisible()
        assert band.width() == on.window.width()
    live = Shown(qtbot, config(environment=Environment.LIVE), CustomerWords(), (1024, 600))
    assert live.window.findChild(QWidget, "sandbox_band") is None


def test_it_begins_at_the_right_in_arabic(qtbot: Any) -> None:
    on = Shown(qtbot, config(language="ar"), CustomerWords(), (1280, 800))
    on.show("code")
    code, amount = (on.window.findChild(QWidget, name) for name in ("customer_code", "customer_amount"))
    assert isinstance(code, QWidget)
    assert isinstance(amount, QWidget)
    assert code.x() > amount.geometry().right()
    assert not on.cut()


def test_nothing_on_it_takes_the_focus(qtbot: Any) -> None:
    on = Shown(qtbot, config(), CustomerWords(), (1024, 600))
    flags = on.window.windowFlags()
    assert flags & Qt.WindowType.WindowDoesNotAcceptFocus
    assert flags & Qt.WindowType.FramelessWindowHint
    assert on.window.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert not on.window.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose)
    assert on.window.cursor().shape() is Qt.CursorShape.BlankCursor
    every = [on.window, *on.window.findChildren(QWidget)]
    assert all(each.focusPolicy() is Qt.FocusPolicy.NoFocus for each in every)


def test_a_finger_on_it_does_nothing_and_keeps_no_idle_till_open(qtbot: Any) -> None:
    now = 100.0
    on = Shown(qtbot, config(), CustomerWords(), (1024, 600))
    watch = IdleWatch(300, on.till, clock=lambda: now)
    watch.start()
    handle = on.window.windowHandle()
    assert isinstance(handle, QWindow)
    now = 200.0
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        QTest.mouseClick(handle, button)
    now = 400.0
    assert watch.is_over
    watch.stop()


def test_keys_that_a_desktop_gives_it_go_on_to_the_till(qtbot: Any) -> None:
    on = Shown(qtbot, config(), CustomerWords(), (1024, 600))
    field = QLineEdit(on.till)
    on.till.show()
    field.setFocus()
    handle = on.window.windowHandle()
    assert isinstance(handle, QWindow)
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, Qt.Key.Key_7, Qt.KeyboardModifier.NoModifier, "7")
        QApplication.sendEvent(handle, event)
    assert field.text() == "7"


@pytest.mark.parametrize("name", ["x" * 500, "Shop " * 60, "\u202eposh\u0000", "<b>Shop</b>", "Mini\nMarket"])
def test_a_shop_may_be_called_anything(qtbot: Any, name: str) -> None:
    on = Shown(qtbot, config(shop_name=name), CustomerWords(), (1024, 600))
    for view in ("idle", "code", "paid"):
        on.show(view)
        assert on.cut() in ([], ["customer_shop"])
        assert "\u202e" not in said(on.window)
        assert not on.window.grab().isNull()


def test_no_word_of_staff_is_on_any_of_its_pictures(qtbot: Any) -> None:
    on = Shown(qtbot, config(), CustomerWords(), (1024, 600))
    for view in VIEWS:
        on.show(view)
        for secret in ("Nimali", "Ruwan", "0123", "SBX-", "900123", "•", "321", "rejected", "p1", "5005"):
            assert secret not in said(on.window), (view, secret)
