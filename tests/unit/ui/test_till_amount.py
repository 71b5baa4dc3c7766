"""Typing an amount: what the keys make of it, what is refused, and that a thousand never becomes a point."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from pos_app.domain.attempt import State
from pos_app.domain.commands import Charge
from pos_app.domain.money import AmountError, AmountFormat, AmountProblem, currency
from pos_app.ui.till.amount.amount_entry import Entry, shown
from tests.support.published import attempt, change, terminal
from tests.support.stage import Stage

COMMA = AmountFormat(decimal=",", group=".")
POINT = AmountFormat(decimal=".", group=",")
SPACE = AmountFormat(decimal=",", group=" ")
LKR = currency("LKR")
KWD = currency("KWD")


def _type(keys: str, written: AmountFormat, code: str = "LKR") -> Entry:
    entry = Entry()
    for key in keys:
        entry = entry.then(key, currency(code), written)
    return entry


@pytest.mark.parametrize(
    ("keys", "written", "display"),
    [
        ("", POINT, "0.00"),
        ("1250", POINT, "1,250"),
        ("1250.5", POINT, "1,250.5"),
        ("1250.005", POINT, "1,250.00"),
        ("1250.0055555", POINT, "1,250.00"),
        (",5", POINT, "0,5"),
        ("1.250.00", POINT, "1.25"),
        ("007", POINT, "7"),
        (".5", POINT, "0.5"),
        ("1..5", POINT, "1.5"),
        ("1,250.00", POINT, "1,250.00"),
        ("1250,5", COMMA, "1.250,5"),
        ("1.250,50", COMMA, "1.250,50"),
        ("", COMMA, "0,00"),
        ("1234567890123", POINT, "123,456,789,012"),
        ("12x3 ", POINT, "12"),
        ("\u0661\u0662", POINT, "0.00"),
        ("\uff11\uff12", POINT, "0.00"),
    ],
)
def test_the_display_follows_the_keys(keys: str, written: AmountFormat, display: str) -> None:
    assert _type(keys, written).figure(LKR, written) == display


@pytest.mark.parametrize(
    ("keys", "written"),
    [
        ("12,50", POINT),
        ("12.50", COMMA),
        ("1,2500", POINT),
        (",5", POINT),
        (",500", POINT),
        ("12.50", SPACE),
        ("1.250", SPACE),
    ],
)
def test_a_thousand_separator_is_never_taken_for_a_point(keys: str, written: AmountFormat) -> None:
    with pytest.raises(AmountError) as refused:
        _type(keys, written).amount(LKR, written)
    assert refused.value.problem is AmountProblem.NOT_A_NUMBER


@pytest.mark.parametrize(
    ("keys", "written", "code"),
    [
        ("1,250", COMMA, "LKR"),
        ("1.250", POINT, "LKR"),
        ("1.250.00", POINT, "LKR"),
        ("12.505", POINT, "LKR"),
        ("12.5", POINT, "JPY"),
        ("1.250", POINT, "JPY"),
    ],
)
def test_nothing_is_charged_while_a_digit_too_many_stands(
    keys: str, written: AmountFormat, code: str
) -> None:
    """What was meant may be a thousand."""
    with pytest.raises(AmountError) as refused:
        _type(keys, written, code).amount(currency(code), written)
    assert refused.value.problem is AmountProblem.TOO_MANY_DIGITS


def test_a_currency_without_digits_shows_none() -> None:
    assert shown("", currency("JPY"), POINT) == "0"


@pytest.mark.parametrize("written", [POINT, COMMA, SPACE])
def test_the_numeric_keypad_s_decimal_key_is_the_point(qtbot: Any, written: AmountFormat) -> None:
    """Whatever layout prints on it."""
    on = Stage(qtbot, written=written)
    for key, printed in ((Qt.Key.Key_Period, "."), (Qt.Key.Key_Comma, ",")):
        on.press(Qt.Key.Key_Delete)
        on.type("12")
        on.press_at_keypad(key, printed)
        on.type("5")
        assert on.part("amount_pad").amount() == Decimal("12.50")


NO_AMOUNT = "Enter an amount between"
PASTED = {
    POINT: (
        ("1,250.00", "1,250.00", ""),
        ("  12.50 ", "12.50", ""),
        ("1.250,00", "1.250,00", "Write it with “.”"),
        ("LKR 12.50", "7", NO_AMOUNT),
        ("12.50\n13.50", "7", NO_AMOUNT),
        ("1" * 4000, "7", NO_AMOUNT),
        ("\u0661\u0662", "7", NO_AMOUNT),
        ("", "7", NO_AMOUNT),
    ),
    COMMA: (
        ("1.250,00", "1.250,00", ""),
        ("12.50", "12.50", "Write it with “,”"),
        ("1,250", "1,250", "LKR has 2 digits after the point"),
    ),
}


@pytest.mark.parametrize("written", [POINT, COMMA])
def test_a_pasted_amount_is_right_or_refused_as_a_whole(qtbot: Any, written: AmountFormat) -> None:
    on = Stage(qtbot, written=written)
    for text, display, said in PASTED[written]:
        on.press(Qt.Key.Key_Delete)
        on.type("7")
        QGuiApplication.clipboard().setText(text)
        qtbot.keyClick(on.window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert on.part("amount_figure").figure() == display
        assert on.part("amount_problem").isVisible() is bool(said), text
        assert not said or on.part("amount_problem").text().startswith(said)


@pytest.mark.parametrize("keys", [",500", "1,500", "12,500+"])
@pytest.mark.parametrize("written", [POINT, COMMA])
@pytest.mark.parametrize("pasted", [False, True])
def test_where_a_fraction_has_three_digits_the_other_sign_charges_no_thousand(
    qtbot: Any, written: AmountFormat, keys: str, pasted: bool
) -> None:
    """Half a dinar is never five hundred."""
    on = Stage(qtbot, currency=KWD, written=written)
    keys = keys.replace(",", written.group)
    if pasted:
        QGuiApplication.clipboard().setText(keys.removesuffix("+"))
        qtbot.keyClick(on.window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    else:
        on.type(keys)
    on.press(Qt.Key.Key_F2)
    assert on.posted == []
    assert on.part("amount_problem").text().startswith(f"Write it with “{written.decimal}”")
    on.press(Qt.Key.Key_Delete)
    on.type(f"1500{written.decimal}5")
    on.press(Qt.Key.Key_F2)
    assert on.commands(Charge)[0].amount == Decimal("1500.500")


def test_a_paste_behind_the_lock_or_a_question_changes_nothing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("7")
    QGuiApplication.clipboard().setText("99")
    on.press(Qt.Key.Key_F1)
    qtbot.keyClick(on.window.focusWidget(), Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    on.press(Qt.Key.Key_Escape)
    on.receive(terminal(locked=True))
    qtbot.keyClick(on.window.focusWidget() or on.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert on.part("amount_figure").figure() == "7"


def test_digits_reach_the_amount_wherever_the_focus_is(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", parked=True)))
    for name in ("method_push", "key_7", "recent_0", "help_button", "find_button", "parked_0"):
        on.part(name).setFocus()
        assert on.window.focusWidget() is on.part(name)
        on.type("1")
    assert on.part("amount_figure").figure() == "111,111"


def test_a_text_field_keeps_its_digits(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.part("fold").click()
    on.type("77")
    on.part("key_5").click()
    assert on.part("invoice").text() == "775"
    assert on.part("amount_figure").figure() == "0.00"


def test_the_keypad_types_like_the_keyboard(qtbot: Any) -> None:
    on = Stage(qtbot)
    for name in ("key_1", "key_2", "key_point", "key_5", "key_0", "key_backspace"):
        qtbot.mouseClick(on.part(name), Qt.MouseButton.LeftButton)
    assert on.part("amount_figure").figure() == "12.5"
    on.press(Qt.Key.Key_Backspace)
    assert on.part("amount_figure").figure() == "12."
    on.press(Qt.Key.Key_Delete)
    assert on.part("amount_figure").figure() == "0.00"


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
        ("0.00", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
        ("1000000", "Enter an amount between 0.01 and 999,999.99, for example 12.50."),
        ("12,50", "Write it with “.”, like 12.50: “,” does not stand there."),
    ],
)
def test_a_bad_amount_is_named_with_limits_and_example_and_stays(qtbot: Any, keys: str, says: str) -> None:
    on = Stage(qtbot)
    on.type(keys)
    before = on.part("amount_figure").figure()
    on.press(Qt.Key.Key_F2)
    assert on.part("amount_problem").text() == says
    assert on.part("amount_problem").isVisible()
    assert on.part("amount_figure").figure() == before
    assert on.window.focusWidget() is on.part("amount")
    assert on.posted == []


def test_the_example_is_none_that_is_refused(qtbot: Any) -> None:
    """A counter that takes 10.00 at most named 12.50."""
    on = Stage(qtbot, max_amount=Decimal("10"))
    on.type("11")
    on.press(Qt.Key.Key_F2)
    assert on.part("amount_problem").text() == "Enter an amount between 0.01 and 10.00, for example 10.00."


@pytest.mark.parametrize("bad", ["a*b", "x" * 41, "<b>PAID</b>", "\x1b@", "é"])
def test_a_bad_invoice_number_is_named_and_stays(qtbot: Any, bad: str) -> None:
    on = Stage(qtbot)
    on.type("5")
    on.part("fold").click()
    on.part("invoice").setText(bad)
    on.part("method_qr").click()
    assert on.part("invoice_error").text() == "Use up to 40 letters, digits, space, - / ."
    assert on.window.focusWidget() is on.part("invoice")
    assert on.posted == []


def test_invoice_number_and_reference_go_with_the_charge(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("5")
    on.part("fold").click()
    on.part("invoice").setText("INV-7/2")
    on.part("reference").setText("Table 4")
    on.press(Qt.Key.Key_F2)
    charge = on.commands(Charge)[0]
    assert (charge.invoice_number, charge.payment_reference) == ("INV-7/2", "Table 4")
    assert charge.amount == Decimal("5.00")


def test_enter_in_a_text_field_charges_nothing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("5")
    on.part("fold").click()
    on.press(Qt.Key.Key_Return)
    assert on.posted == []
    assert on.window.focusWidget() is on.part("amount")


@pytest.mark.parametrize(("written", "kept"), [(POINT, "1.25"), (COMMA, "")])
def test_another_window_takes_over_only_what_it_reads_alike(
    qtbot: Any, written: AmountFormat, kept: str
) -> None:
    """1.250 is one and a quarter here and twelve hundred and fifty there."""
    old, new = Stage(qtbot, written=POINT), Stage(qtbot, written=written)
    old.type("1.250")
    new.window.take_over(old.window)
    assert new.part("amount_pad").text == kept


def _figure(on: Stage) -> str:
    return str(on.part("amount_figure").figure())


def test_plus_adds_prices_and_the_sale_keeps_them(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12+30.5")
    assert _figure(on) == "42.50", "what stands in large is what is charged"
    assert on.part("amount_sum").text() == "12.00 + 30.5"
    on.press(Qt.Key.Key_F2)
    charge = on.commands(Charge)[0]
    assert (charge.amount, charge.prices) == (Decimal("42.50"), (Decimal("12.00"), Decimal("30.50")))


def test_one_price_and_a_plus_is_that_price(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12+")
    assert (_figure(on), on.part("amount_sum").text()) == ("12.00", "12.00 + …")
    on.press(Qt.Key.Key_F2)
    assert (on.commands(Charge)[0].amount, on.commands(Charge)[0].prices) == (Decimal("12.00"), ())


def test_backspace_takes_a_plus_back_too(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("1.5+2")
    for shown_then in ("1.50", "1.50", "1.5", "1."):
        on.press(Qt.Key.Key_Backspace)
        assert _figure(on) == shown_then
    assert not on.seen("amount_sum")


@pytest.mark.parametrize(
    ("keys", "sign"), [("3*450", "*"), ("-5", "-"), ("12/4", "/"), ("9=", "="), ("3x450", "x")]
)
def test_a_sign_that_is_not_plus_is_refused_and_no_digit_runs_on(qtbot: Any, keys: str, sign: str) -> None:
    on = Stage(qtbot)
    before, _, after = keys.partition(sign)
    on.type(keys)
    on.press(Qt.Key.Key_Return)
    on.press(Qt.Key.Key_F2)
    assert on.posted == []
    assert _figure(on) == (before or "0.00")
    assert on.part("amount_problem").text().startswith(f"“{sign}” is no part of an amount.")
    on.press(Qt.Key.Key_Backspace)
    assert not on.seen("amount_problem")
    on.type(after or "1")
    assert _figure(on) == f"{int(before + (after or '1')):,}"


@pytest.mark.parametrize(("keys", "figure"), [("12.505", "12.50"), ("1234567890123", "123,456,789,012")])
def test_a_third_decimal_and_a_thirteenth_digit_do_not_appear(qtbot: Any, keys: str, figure: str) -> None:
    on = Stage(qtbot)
    on.type(keys)
    assert _figure(on) == figure
    assert on.seen("amount_problem")
    on.press(Qt.Key.Key_F2)
    assert on.posted == []
    on.press(Qt.Key.Key_Backspace)
    assert _figure(on) == figure
    assert not on.seen("amount_problem")


def test_a_price_that_is_none_is_not_added(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12,50+")
    assert on.part("amount_problem").text().startswith("Write it with “.”")
    assert not on.seen("amount_sum")
    on.press(Qt.Key.Key_Escape)
    on.type("+5")
    assert _figure(on) == "5"


def test_a_sum_above_the_limit_is_refused_whole(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("900000+100000")
    on.press(Qt.Key.Key_F2)
    assert on.posted == []
    assert on.seen("amount_problem")


def test_the_keys_for_00_c_and_plus(qtbot: Any) -> None:
    on = Stage(qtbot)
    for name in ("key_1", "key_00", "key_plus", "key_5", "key_0"):
        qtbot.mouseClick(on.part(name), Qt.MouseButton.LeftButton)
    assert _figure(on) == "150.00"
    qtbot.mouseClick(on.part("key_clear"), Qt.MouseButton.LeftButton)
    assert _figure(on) == "0.00"
    on.part("fold").click()
    on.type("77")
    qtbot.mouseClick(on.part("key_clear"), Qt.MouseButton.LeftButton)
    assert on.part("invoice").text() == ""


def test_a_currency_without_decimals_has_000_in_the_points_place(qtbot: Any) -> None:
    on = Stage(qtbot, currency=currency("JPY"))
    qtbot.mouseClick(on.part("key_5"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(on.part("key_000"), Qt.MouseButton.LeftButton)
    assert _figure(on) == "5,000"
    on.type(".5")
    on.press(Qt.Key.Key_F2)
    assert on.posted == []
    assert _figure(on) == "5,000"


def test_esc_clears_the_amount_before_it_asks_about_the_payment(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.type("50+7*")
    on.press(Qt.Key.Key_Escape)
    assert _figure(on) == "0.00"
    assert not on.seen("question")
    on.press(Qt.Key.Key_Escape)
    assert on.seen("question")


def test_the_card_of_a_payment_shows_what_was_added(qtbot: Any) -> None:
    on = Stage(qtbot)
    prices = (Decimal("12.00"), Decimal("30.50"))
    on.receive(terminal(recent=(attempt(state=State.PAID, amount=Decimal("42.50"), prices=prices),)))
    on.part("recent_0").click()
    on.settle()
    assert any(
        "12.00 + 30.50 = 42.50" in each.text() for each in on.part("payment_details").findChildren(QLabel)
    )
