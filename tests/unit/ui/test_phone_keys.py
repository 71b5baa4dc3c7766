"""The customer's phone beside the sandbox by keys alone: all of it is come to, and what has the keyboard keeps it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.domain.views import Terminal
from pos_app.training.coach.model import verdict
from pos_app.training.course.exercises import COURSE
from pos_app.training.course.run import Run
from pos_app.training.course.slips import Slip
from pos_app.training.phone.values import Message, Payment
from pos_app.ui.theme.theme import apply
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.overlay import focusable
from tests.unit.ui.dialog_cases import Key, focused, press, settle
from tests.unit.ui.training_stage import Beside


def payments(count: int) -> tuple[Payment, ...]:
    return tuple(
        Payment(f"9428013819997{at:03}", "push", "Merchant Initiated", f"{100 + at}.00", "+94771234567")
        for at in range(count)
    )


def messages(count: int) -> tuple[Message, ...]:
    texts = (f"Corner Shop: your code is {100_000 + at}. Tell it to nobody." for at in range(count))
    return tuple(
        Message(text, "", "94771234567", f"2026-01-31T14:{at:02}:00") for at, text in enumerate(texts)
    )


@pytest.fixture
def beside(qtbot: QtBot) -> Beside:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply(application, "light")
    made = Beside(qtbot)
    made.sheet.activateWindow()
    qtbot.waitUntil(made.sheet.isActiveWindow)
    return made


def seen(part: QWidget) -> bool:
    """Whether any of it is in sight."""
    return not part.visibleRegion().isEmpty()


def name() -> str:
    part = focused()
    return "" if part is None else part.objectName()


def test_the_last_message_is_come_to_by_tab(beside: Beside) -> None:
    """Messages below the edge were for a finger alone."""
    beside.phone.show_tab(2)
    beside.phone.wallet.inbox.emit(messages(9))
    settle()
    last = beside.sheet.findChild(QWidget, "message_8")
    assert last is not None
    assert not seen(last)
    beside.phone.tabs[2].setFocus()
    for _ in range(9):
        press(Key.Key_Tab)
    assert name() == "message_8"
    assert seen(last)
    assert "100008" in last.accessibleName()
    place = QRect(last.mapTo(beside.sheet, QPoint(0, 0)), last.size()).adjusted(-2, -2, 2, 2)
    ringed = beside.sheet.grab(place).toImage()
    press(Key.Key_Tab)
    settle()
    assert beside.sheet.grab(place).toImage() != ringed, "what has the keyboard is seen"


def test_every_stop_is_something_that_is_seen(beside: Beside) -> None:
    """One was the phone's whole body, which shows nothing when it has the keyboard."""
    assert "phone" not in [part.objectName() for part in focusable(beside.sheet)]


def test_pay_now_keeps_the_keyboard_when_another_payment_comes(beside: Beside) -> None:
    """It went to a button of the coach, whose Enter made the window a strip."""
    three = payments(3)
    for each in three:
        beside.phone.wallet.put_aside(each.wallet_transaction_id)
    beside.phone.wallet.changed.emit(three[1:])
    pay = f"pay_now_{three[2].wallet_transaction_id}"
    button = beside.sheet.findChild(QWidget, pay)
    assert button is not None
    button.setFocus()
    beside.phone.wallet.changed.emit(three)
    settle()
    assert name() == pay
    assert three[2].money("") in focused().accessibleDescription()  # type: ignore[union-attr]


def test_a_message_that_is_read_keeps_the_keyboard_when_another_comes(beside: Beside) -> None:
    beside.phone.show_tab(2)
    two = messages(2)
    beside.phone.wallet.inbox.emit(two[:1])
    settle()
    first = beside.sheet.findChild(QWidget, "message_0")
    assert first is not None
    first.setFocus()
    beside.phone.wallet.inbox.emit((two[1], two[0]))
    settle()
    assert name() == "message_1"


def test_the_keyboard_follows_the_page_that_comes_up(beside: Beside) -> None:
    """A request that rings covers the messages; whoever read one stands at its tab."""
    beside.phone.wallet.changed.emit(())
    beside.phone.show_tab(2)
    beside.phone.wallet.inbox.emit(messages(1))
    settle()
    read = beside.sheet.findChild(QWidget, "message_0")
    assert read is not None
    read.setFocus()
    beside.phone.wallet.changed.emit(payments(1))
    settle()
    assert beside.phone.wallet_page.isVisible()
    assert name() == "tab_wallet"
    assert beside.phone.tabs[0].isChecked()


def test_an_answered_request_leaves_the_keyboard_on_the_phone(beside: Beside) -> None:
    (one,) = payments(1)
    beside.phone.wallet.changed.emit((one,))
    settle()
    approve = beside.phone.wallet_page.ask.buttons["approve"]
    approve.setFocus()
    approve.setEnabled(False)
    beside.phone.wallet.changed.emit(())
    settle()
    assert name() == "tab_wallet"


@pytest.mark.parametrize(("slip", "marked"), [(None, "course_next"), (Slip.HANDED_UNPAID, "course_repeat")])
def test_enter_does_what_stands_out_when_an_exercise_has_ended(
    beside: Beside, slip: Slip | None, marked: str
) -> None:
    """After a slip "do it again" stood out, and Enter went on to the next exercise."""
    run = Run(COURSE[0], Terminal())
    run.slip = slip
    beside.sheet.coach.leave.setFocus()
    beside.sheet.coach.show_verdict(verdict(run), "")
    settle()
    button = focused()
    assert isinstance(button, Button)
    assert button.objectName() == marked
    assert button.kind == "primary"
