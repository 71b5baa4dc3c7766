"""A scanner is a keyboard that nobody means: it charges, confirms, cancels and approves nothing (threat 36)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Charge, SubmitOtp
from pos_app.domain.staff import Approve
from pos_app.domain.views import ChargeOpened, SignIn, SignInStep
from pos_app.training.coach.sheet import Need
from pos_app.training.phone.window import PhoneWindow
from pos_app.training.phone.wire import Wire
from pos_app.ui.kiosk.safe_screen import SafeScreen, Told
from pos_app.ui.widgets.button import Button
from tests.support.driver import Key, Keyboard
from tests.support.published import NIMALI, RUWAN, attempt, change, recent, terminal
from tests.support.stage import STATES, Stage
from tests.unit.ui.training_stage import Beside

BOSS = replace(RUWAN, passcode_set=True)
PEOPLE = (NIMALI, BOSS)
WAITS = attempt(kind=Kind.PUSH)
LATE = attempt(state=State.PAID_LATE, ended_at=18_000)
UNKNOWN = attempt(state=State.UNRESOLVED)
SPEEDS = (1, 5, 12, 30)


def _stage(qtbot: Any, **told: Any) -> Stage:
    on = Stage(qtbot, **told)
    on.window.activateWindow()
    on.settle()
    return on


def _scan(on: Stage, code: str, *, gap_ms: int = 5, end: Key | None = Key.Key_Return) -> None:
    hands = on.keyboard(gap_ms)
    hands.type(code)
    if end is not None:
        hands.press(end)
    on.settle()


def _amount(on: Stage, figure: str) -> None:
    on.keyboard().type(figure)


def _cancel_question(on: Stage) -> None:
    on.begin(change())
    on.keyboard().press(Key.Key_Escape)
    assert on.seen("question")


def _park_question(on: Stage) -> None:
    on.begin(change())
    _amount(on, "50")
    on.keyboard().press(Key.Key_F2)
    assert on.seen("question")


def _large_question(on: Stage) -> None:
    _amount(on, "90000")
    on.keyboard().press(Key.Key_F2)
    assert on.seen("question")


def _number(on: Stage) -> None:
    _amount(on, "50")
    on.keyboard().press(Key.Key_F3)
    on.keyboard().type("0771234567")


def _focused_cancel(on: Stage) -> None:
    on.begin(change())
    on.part("waiting_cancel").setFocus()


def _list_question(on: Stage) -> None:
    on.receive(terminal(open=(WAITS,), recent=recent()))
    on.keyboard().press(Key.Key_F8)
    on.part(f"cancel_{WAITS.attempt_id}").click()


def _settle(on: Stage) -> None:
    on.receive(terminal(attention=(LATE,), recent=recent()), change(LATE))
    on.part("settle_reason_suggestion_0").click()
    on.part("settle_complete").setFocus()


def _approval(on: Stage) -> None:
    theirs = replace(WAITS, owner="p2")
    on.receive(terminal(people=PEOPLE, open=(theirs,), recent=recent()), change(theirs))
    on.window.open_attempt(theirs.attempt_id)
    on.part("waiting_cancel").click()
    on.part("approval_reason").setText("The cashier has gone")
    on.part("passcode").setFocus()


def _sign_in(on: Stage) -> None:
    on.receive(terminal(signed_in=None))
    on.receive(SignIn(step=SignInStep.CODE_SENT, person_id="p1", number_mask="+94 •• ••• 111"))


SCREENS: dict[str, Callable[[Stage], None]] = {
    **STATES,
    "amount": lambda on: _amount(on, "12.50"),
    "cancel-question": _cancel_question,
    "park-question": _park_question,
    "large-question": _large_question,
    "number": _number,
    "cancel-has-the-keyboard": _focused_cancel,
    "question-in-the-list": _list_question,
    "settle": _settle,
    "approval": _approval,
    "sign-in": _sign_in,
}


@pytest.mark.parametrize("name", SCREENS)
def test_a_code_and_its_enter_ask_nothing_of_the_engine(qtbot: Any, name: str) -> None:
    on = _stage(qtbot)
    SCREENS[name](on)
    on.settle()
    on.posted.clear()
    before = [each.objectName() for each in on.window.overlay.panels]
    for code in ("2345", "704918", "4791234567890", "INV-0042", " 12 34", "123"):
        _scan(on, code)
        assert on.posted == [], code
        panels = [each.objectName() for each in on.window.overlay.panels]
        assert panels == before, f"what was open is open still after {code}"


ENDS = (Key.Key_Return, Key.Key_Enter, Key.Key_Tab, None)


@pytest.mark.parametrize(("gap_ms", "end"), tuple(zip(SPEEDS, ENDS, strict=True)))
def test_a_code_on_the_amount_becomes_the_invoice_number(qtbot: Any, gap_ms: int, end: Key | None) -> None:
    on = _stage(qtbot)
    _amount(on, "12.5")
    _scan(on, "4791234567890", gap_ms=gap_ms, end=end)
    if end is None:
        qtbot.waitUntil(lambda: on.seen("amount_note"))
    assert on.posted == []
    assert on.part("amount_pad").text == "12.5"
    assert on.part("invoice").text() == "4791234567890"
    assert "Scanned: 4791234567890" in on.part("amount_note").text()
    hands = on.keyboard()
    hands.type("0")
    hands.press(Key.Key_F2)
    charge = on.commands(Charge)[-1]
    assert (str(charge.amount), charge.invoice_number) == ("12.50", "4791234567890")


def test_esc_takes_the_code_away_and_no_more(qtbot: Any) -> None:
    on = _stage(qtbot)
    hands = on.keyboard()
    hands.press(Key.Key_F7)
    assert on.window.focusWidget() is on.part("invoice")
    hands.type("A-1")
    hands.press(Key.Key_Return)
    hands.type("50")
    _scan(on, "479123")
    _scan(on, "479124")
    assert on.part("invoice").text() == "479124"
    hands.wait(1000)
    hands.press(Key.Key_Escape)
    assert on.part("invoice").text() == "A-1"
    assert on.part("amount_pad").text == "50"
    assert not on.seen("amount_note")


def test_a_scanned_second_code_replaces_the_first_in_the_field_itself(qtbot: Any) -> None:
    on = _stage(qtbot)
    on.keyboard().press(Key.Key_F7)
    _scan(on, "111222")
    _scan(on, "333444")
    assert on.part("invoice").text() == "333444"


@pytest.mark.parametrize(
    ("into", "invoice", "reference"),
    [("invoice", "4711", ""), ("reference", "", "4711"), ("nowhere", None, None)],
)
def test_the_settings_say_where_it_goes_and_what_is_around_it(
    qtbot: Any, into: str, invoice: str | None, reference: str | None
) -> None:
    on = _stage(qtbot, scan_into=into, scan_prefix="~", scan_suffix="#")
    _scan(on, "~4711#")
    assert on.posted == []
    for name, text in (("invoice", invoice), ("reference", reference)):
        assert (on.part(name).text() if on.seen(name) else None) == text


@pytest.mark.parametrize(
    "code", ["0771234567", "+94771234567", "tel:+94771234567", "wallet://pay?to=94771234567&v=1"]
)
def test_a_wallets_code_fills_the_number_and_sends_nothing(qtbot: Any, code: str) -> None:
    on = _stage(qtbot)
    _amount(on, "50")
    on.keyboard().press(Key.Key_F3)
    _scan(on, code)
    assert on.posted == []
    assert on.part("wallet_number").text() == "+94 77 123 4567"
    on.keyboard().press(Key.Key_Return)
    assert on.commands(Charge)[-1].wallet_number == "+94771234567"


def test_a_wallets_code_on_the_amount_asks_for_the_number_with_it(qtbot: Any) -> None:
    on = _stage(qtbot)
    _amount(on, "50")
    _scan(on, "tel:+94771234567")
    assert on.posted == []
    assert on.part("wallet_number").text() == "+94 77 123 4567"


def test_what_holds_no_number_is_said_and_the_typed_one_stays(qtbot: Any) -> None:
    on = _stage(qtbot)
    _number(on)
    _scan(on, "4791234567890")
    assert on.posted == []
    assert on.part("wallet_number").text() == "0771234567"
    assert "no mobile number" in on.part("wallet_number_error").text()


def test_a_passcode_and_a_code_by_sms_are_never_scanned(qtbot: Any) -> None:
    on = _stage(qtbot)
    _approval(on)
    on.keyboard().type("70")
    _scan(on, "4918")
    assert on.part("passcode").text() == "70"
    assert on.commands(Approve) == []
    _sign_in(on)
    _scan(on, "123456")
    assert on.commands(SubmitOtp) == []


def test_the_search_takes_a_code_like_any_text(qtbot: Any) -> None:
    on = _stage(qtbot)
    on.keyboard().press(Key.Key_F4)
    _scan(on, "INV-0042")
    assert on.part("found_search").text() == "INV-0042"


def test_a_persons_keys_are_theirs_however_late_the_till_gets_them(qtbot: Any) -> None:
    """All at once after a stall: their times are a person's. A key that is labelled 000 sends three zeros at once."""
    on = _stage(qtbot)
    hands = on.keyboard(60)
    hands.type("12")
    on.keyboard(2).type("000")
    hands.wait(3_000_000)
    hands.press(Key.Key_Return)
    assert str(on.commands(Charge)[-1].amount) == "12000.00"


def test_two_keys_at_once_are_no_charge(qtbot: Any) -> None:
    """A macro keyboard, a stuck or bouncing key."""
    on = _stage(qtbot)
    hands = on.keyboard(3)
    hands.type("5")
    for key in (Key.Key_F2, Key.Key_Return, Key.Key_F3, Key.Key_Return):
        hands.press(key)
    assert on.posted == []
    assert on.seen("methods_panel")


def test_a_space_presses_a_button_only_when_nothing_follows(qtbot: Any) -> None:
    on = _stage(qtbot)
    _cancel_question(on)
    _scan(on, " 4711")
    assert on.seen("question")
    on.part("question_yes").setFocus()
    on.keyboard().type(" ")
    qtbot.waitUntil(lambda: not on.seen("question"))


def _safe_screen(qtbot: Any) -> tuple[QWidget, Button, list[None]]:
    safe = SafeScreen(Told(stopped=True, version="1", time="12:00"))
    qtbot.addWidget(safe)
    pressed: list[None] = []
    safe.again.connect(lambda: pressed.append(None))
    (again,) = safe.findChildren(Button, "safe_again")
    return safe, again, pressed


def _sheet(qtbot: Any) -> tuple[QWidget, Button, list[None]]:
    beside = Beside(qtbot)
    pressed: list[None] = []
    beside.sheet.coach.opened.connect(lambda: pressed.append(None))
    beside.sheet.coach.show_invitation()
    beside.sheet.need(Need.PHONE)
    return beside.sheet, beside.sheet.coach.open, pressed


def _phone(qtbot: Any) -> tuple[QWidget, Button, list[None]]:
    phone = PhoneWindow(Wire("http://127.0.0.1:1"))
    qtbot.addWidget(phone)
    pressed: list[None] = []
    phone.tabs[2].clicked.connect(lambda: pressed.append(None))
    return phone, phone.tabs[2], pressed


@pytest.mark.parametrize("other", [_safe_screen, _sheet, _phone])
def test_beside_and_instead_of_the_till_a_code_presses_nothing_either(
    qtbot: Any, other: Callable[[Any], tuple[QWidget, Button, list[None]]]
) -> None:
    window, button, pressed = other(qtbot)
    window.show()
    window.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    for code in ("4791234567890", "    ", "123"):
        hands = Keyboard(window, 5)
        hands.type(code)
        hands.press(Key.Key_Return)
        QApplication.processEvents()
    assert pressed == []
    Keyboard(window).press(Key.Key_Return)
    assert len(pressed) == 1


def test_a_code_that_began_while_a_charge_was_recorded_brings_no_charged_amount_back(qtbot: Any) -> None:
    on = _stage(qtbot)
    _amount(on, "50")
    on.keyboard().press(Key.Key_F2)
    (asked,) = on.commands(Charge)
    scanner = on.keyboard(5)
    scanner.type("47")
    on.receive(ChargeOpened(asked.request_id, attempt().attempt_id, "0123"), change())
    scanner.type("90123456")
    scanner.press(Key.Key_Return)
    on.settle()
    assert on.part("amount_figure").figure() == "0.00"
    assert on.commands(Charge) == [asked]
