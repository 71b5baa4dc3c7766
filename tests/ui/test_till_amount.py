"""Typing an amount: what the keys make of it, what is refused, and that a thousand never becomes a point."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from pos_app.domain.money import AmountError, AmountFormat, AmountProblem, currency, parse_amount
from pos_app.domain.wishes import Charge
from pos_app.ui.till.amount_entry import shown, typed
from tests.ui.till_cases import attempt, change, terminal
from tests.ui.till_stage import Stage

COMMA = AmountFormat(decimal=",", group=".")
POINT = AmountFormat(decimal=".", group=",")
SPACE = AmountFormat(decimal=",", group=" ")
LKR = currency("LKR")


def _type(keys: str, written: AmountFormat, code: str = "LKR") -> str:
    text = ""
    for key in keys:
        text = typed(text, key, currency(code), written)
    return text


@pytest.mark.parametrize(
    ("keys", "written", "display"),
    [
        ("", POINT, "0.00"),
        ("1250", POINT, "1,250"),
        ("1250.5", POINT, "1,250.5"),
        ("1250.005", POINT, "1,250.005"),
        ("1250.0055555", POINT, "1,250.00555"),
        (",5", POINT, "0,5"),
        ("1.250.00", POINT, "1.250.00"),
        ("007", POINT, "7"),
        (".5", POINT, "0.5"),
        ("1..5", POINT, "1.5"),
        ("1,250.00", POINT, "1,250.00"),
        ("1250,5", COMMA, "1.250,5"),
        ("1.250,50", COMMA, "1.250,50"),
        ("", COMMA, "0,00"),
        ("1234567890123", POINT, "123,456,789,012"),
        ("12x3 ", POINT, "123"),
        ("\u0661\u0662", POINT, "0.00"),
        ("\uff11\uff12", POINT, "0.00"),
    ],
)
def test_the_display_follows_the_keys(keys: str, written: AmountFormat, display: str) -> None:
    assert shown(_type(keys, written), LKR, written) == display


@pytest.mark.parametrize(
    ("keys", "written"),
    [
        ("12,50", POINT),
        ("12.50", COMMA),
        ("1,2500", POINT),
        (",5", POINT),
        ("1.250.00", POINT),
        ("12.50", SPACE),
        ("1.250", SPACE),
    ],
)
def test_a_thousand_separator_is_never_taken_for_a_point(keys: str, written: AmountFormat) -> None:
    with pytest.raises(AmountError) as refused:
        parse_amount(_type(keys, written), LKR, written)
    assert refused.value.problem is AmountProblem.NOT_A_NUMBER


@pytest.mark.parametrize(
    ("keys", "written", "code"),
    [
        ("1,250", COMMA, "LKR"),
        ("1.250", POINT, "LKR"),
        ("12.505", POINT, "LKR"),
        ("12.5", POINT, "JPY"),
        ("1.250", POINT, "JPY"),
    ],
)
def test_digits_too_many_are_refused_and_never_cut_off(keys: str, written: AmountFormat, code: str) -> None:
    """What was meant may be a thousand."""
    with pytest.raises(AmountError) as refused:
        parse_amount(_type(keys, written, code), currency(code), written)
    assert refused.value.problem is AmountProblem.TOO_MANY_DIGITS


def test_a_currency_without_digits_shows_none() -> None:
    assert shown("", currency("JPY"), POINT) == "0"


@pytest.mark.parametrize("written", [POINT, COMMA, SPACE])
def test_the_numeric_keypad_s_decimal_key_is_the_point(qtbot: Any, written: AmountFormat) -> None:
    """Whatever layout prints on it."""
    on = Stage(qtbot, written=written)
    for key, printed in ((Qt.Key.Key_Period, "."), (Qt.Key.Key_Comma, ",")):
        on.press(qtbot, Qt.Key.Key_Delete)
        on.type(qtbot, "12")
        on.press_at_keypad(key, printed)
        on.type(qtbot, "5")
        assert on.window._pad.amount() == Decimal("12.50")


NO_AMOUNT = "Enter an amount between"
PASTED = {
    POINT: (
        ("1,250.00", "1,250.00", ""),
        ("  12.50 ", "12.50", ""),
        ("1.250,00", "1.250,00", NO_AMOUNT),
        ("LKR 12.50", "7", NO_AMOUNT),
        ("12.50\n13.50", "7", NO_AMOUNT),
        ("1" * 4000, "7", NO_AMOUNT),
        ("\u0661\u0662", "7", NO_AMOUNT),
        ("", "7", NO_AMOUNT),
    ),
    COMMA: (
        ("1.250,00", "1.250,00", ""),
        ("12.50", "12.50", NO_AMOUNT),
        ("1,250", "1,250", "LKR has 2 digits after the point"),
    ),
}


@pytest.mark.parametrize("written", [POINT, COMMA])
def test_a_pasted_amount_is_right_or_refused_as_a_whole(qtbot: Any, written: AmountFormat) -> None:
    on = Stage(qtbot, written=written)
    for text, display, said in PASTED[written]:
        on.press(qtbot, Qt.Key.Key_Delete)
        on.type(qtbot, "7")
        QGuiApplication.clipboard().setText(text)
        qtbot.keyClick(on.window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert on.part("amount_figure").figure() == display
        assert on.part("amount_problem").isVisible() is bool(said), text
        assert not said or on.part("amount_problem").text().startswith(said)


def test_a_paste_behind_the_lock_or_a_question_changes_nothing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type(qtbot, "7")
    QGuiApplication.clipboard().setText("99")
    on.press(qtbot, Qt.Key.Key_F1)
    qtbot.keyClick(on.window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    on.press(qtbot, Qt.Key.Key_Escape)
    on.receive(terminal(locked=True))
    qtbot.keyClick(on.window.focusWidget() or on.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert on.part("amount_figure").figure() == "7"


def test_digits_reach_the_amount_wherever_the_focus_is(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", parked=True)))
    for name in ("method_push", "key_7", "recent_0", "help_button", "find_button", "parked_0"):
        on.part(name).setFocus()
        assert on.window.focusWidget() is on.part(name)
        on.type(qtbot, "1")
    assert on.part("amount_figure").figure() == "111,111"


def test_a_text_field_keeps_its_digits(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.part("fold").click()
    on.type(qtbot, "77")
    on.part("key_5").click()
    assert on.part("invoice").text() == "775"
    assert on.part("amount_figure").figure() == "0.00"


def test_the_keypad_types_like_the_keyboard(qtbot: Any) -> None:
    on = Stage(qtbot)
    for name in ("key_1", "key_2", "key_point", "key_5", "key_0", "key_backspace"):
        qtbot.mouseClick(on.part(name), Qt.MouseButton.LeftButton)
    assert on.part("amount_figure").figure() == "12.5"
    on.press(qtbot, Qt.Key.Key_Backspace)
    assert on.part("amount_figure").figure() == "12."
    on.press(qtbot, Qt.Key.Key_Delete)
    assert on.part("amount_figure").figure() == "0.00"


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
        ("0.00", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
        ("1000000", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
        ("12,50", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
    ],
)
def test_a_bad_amount_is_named_with_limits_and_example_and_stays(qtbot: Any, keys: str, says: str) -> None:
    on = Stage(qtbot)
    on.type(qtbot, keys)
    before = on.part("amount_figure").figure()
    on.press(qtbot, Qt.Key.Key_F2)
    assert on.part("amount_problem").text() == says
    assert on.part("amount_problem").isVisible()
    assert on.part("amount_figure").figure() == before
    assert on.window.focusWidget() is on.part("amount")
    assert on.posted == []


@pytest.mark.parametrize("bad", ["a*b", "x" * 41, "<b>PAID</b>", "\x1b@", "é"])
def test_a_bad_invoice_number_is_named_and_stays(qtbot: Any, bad: str) -> None:
    on = Stage(qtbot)
    on.type(qtbot, "5")
    on.part("fold").click()
    on.part("invoice").setText(bad)
    on.part("method_qr").click()
    assert on.part("invoice_error").text() == "Use up to 40 letters, digits, space, - / ."
    assert on.window.focusWidget() is on.part("invoice")
    assert on.posted == []


def test_invoice_number_and_reference_go_with_the_charge(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type(qtbot, "5")
    on.part("fold").click()
    on.part("invoice").setText("INV-7/2")
    on.part("reference").setText("Table 4")
    on.press(qtbot, Qt.Key.Key_F2)
    charge = on.wishes(Charge)[0]
    assert (charge.invoice_number, charge.payment_reference) == ("INV-7/2", "Table 4")
    assert charge.amount == Decimal("5.00")


def test_enter_in_a_text_field_charges_nothing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type(qtbot, "5")
    on.part("fold").click()
    on.press(qtbot, Qt.Key.Key_Return)
    assert on.posted == []
    assert on.window.focusWidget() is on.part("amount")


@pytest.mark.parametrize(("written", "kept"), [(POINT, "1.250"), (COMMA, "")])
def test_another_window_takes_over_only_what_it_reads_alike(
    qtbot: Any, written: AmountFormat, kept: str
) -> None:
    """1.250 is one and a quarter here and twelve hundred and fifty there."""
    old, new = Stage(qtbot, written=POINT), Stage(qtbot, written=written)
    old.type(qtbot, "1.250")
    new.window.take_over(old.window)
    assert new.part("amount_pad").text == kept
