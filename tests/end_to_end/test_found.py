"""Today's payments through the window: found by what the customer says, and opened; by keys and by touch."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill


def found(till: StartedTill) -> list[str]:
    """The rows on the screen, in words."""
    return till.rows("found_list")


def test_payments_are_found_by_amount_last_digits_reference_and_sale(
    till: StartedTill, sandbox: Sandbox
) -> None:
    sandbox.act(till.charge_push("12.50", "0771234321"), "pay")
    till.until_result("PAID")
    till.press(Qt.Key.Key_Return)
    till.until_seen("methods_panel")
    waiting = till.charge_qr("80")
    till.press(Qt.Key.Key_F6)
    till.until_seen("methods_panel")
    till.press(Qt.Key.Key_F4)
    till.until(lambda: len(found(till)) == 2)
    assert found(till)[0].startswith("LKR 80.00, Waiting")
    assert found(till)[1].startswith("LKR 12.50, Paid")
    for typed in ("12.5", "321", "0771234321", "paid"):
        till.type(typed)
        till.until(lambda: [row[:9] for row in found(till)] == ["LKR 12.50"])
        till.part("found_search").clear()
        till.touch("digit_clear")
        till.until(lambda: len(found(till)) == 2)
    sandbox.act(waiting, "pay")
    till.until(lambda: found(till)[0].startswith("LKR 80.00, Paid"))
    till.type("999")
    till.until_says("found_said", "No payment of today fits “999”.")
    assert "1234321" not in " ".join(till.words())


def test_enter_opens_a_payment_and_esc_leads_back_to_the_amount(till: StartedTill, sandbox: Sandbox) -> None:
    sandbox.act(till.charge_push("31"), "pay")
    till.until_result("PAID")
    till.press(Qt.Key.Key_F4)
    till.until(lambda: len(found(till)) == 1)
    till.press(Qt.Key.Key_Return)
    till.until_seen("payment_details")
    assert "LKR 31.00" in till.words()
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: till.seen("found_payments"))
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("found_payments"))
    till.type("7")
    till.until_seen("methods_panel")
    assert "7" in till.says("amount")


def test_a_finger_finds_a_parked_payment_and_brings_it_back(till: StartedTill) -> None:
    parked = till.charge_qr("54")
    till.touch("waiting_park")
    till.until_seen("methods_panel")
    till.touch("find_button")
    till.until(lambda: len(found(till)) == 1)
    rows = till.part("found_list")
    place = rows.visualItemRect(rows.item(0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    till.until_seen("payment_details")
    till.touch("details_panel")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert till.session.window.shown_id == parked
