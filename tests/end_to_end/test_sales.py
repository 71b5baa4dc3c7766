"""A sale through the window: a code or a request, the customer's answer, and what the screen says of it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.domain.ids import sale_and_number
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read


def test_a_code_on_the_screen_is_scanned_and_paid(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_qr("12.50")
    shown = read(till.picture())
    assert len(shown) == 1
    assert sandbox.scan(shown[0])["externalMerchantTransactionId"] == attempt_id
    till.until_result("PAID")
    assert sandbox.transaction(attempt_id)["status"] == "Payment Success"
    assert read(till.picture()) == []
    assert "12.50" in till.says("result_panel")
    till.until(lambda: till.says("recent_0").startswith("LKR 12.50 Paid"))


def test_a_request_is_approved_on_the_phone(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_push("380", "0771234567")
    assert till.says("wallet_mask").endswith("567")
    assert "1234567" not in " ".join(till.words())
    sandbox.act(attempt_id, "approve")
    till.until_result("PAID")
    assert sandbox.transaction(attempt_id)["transactionAmount"] == "380.00"


def test_the_next_amount_may_be_typed_the_moment_the_result_is_there(
    till: StartedTill, sandbox: Sandbox
) -> None:
    sandbox.scan(read_code(till, "5"))
    till.until_result("PAID")
    till.type("7")
    till.until_seen("methods_panel")
    assert "7" in till.says("amount")


def test_a_rejected_request_is_not_paid_and_the_other_way_is_offered_for_the_same_sale(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_push("21")
    sandbox.act(attempt_id, "reject")
    till.until_result("NOT PAID")
    assert till.says("result_lead") == "The customer rejected the payment."
    till.touch("result_qr")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    second = sandbox.transactions()[0]
    sale, _ = sale_and_number(attempt_id)
    assert sale_and_number(second["externalMerchantTransactionId"]) == (sale, 2)
    sandbox.scan(read(till.picture())[0])
    till.until_result("PAID")


def test_a_refused_number_says_why_and_the_same_sale_goes_on_by_qr(
    till: StartedTill, sandbox: Sandbox
) -> None:
    till.type("9.90")
    till.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    till.type("+94771005005")
    till.press(Qt.Key.Key_Return)
    till.until_result("NOT PAID")
    assert till.says("result_lead") == "Refused: No wallet with this number (5005)"
    assert sandbox.transactions() == []
    till.until_seen("result_qr")
    till.press(Qt.Key.Key_F2)
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    sandbox.scan(read(till.picture())[0])
    till.until_result("PAID")


def test_the_customer_s_steps_are_shown_as_they_are_reported(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_qr("40")
    sandbox.act(attempt_id, "verify")
    till.press(Qt.Key.Key_F5)
    till.until_says("next_step", "They scanned it. Ask them to approve.")
    assert till.says("stages") != ""
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")


def test_the_keyboard_is_back_at_the_amount_after_each_way_to_charge(
    till: StartedTill, sandbox: Sandbox
) -> None:
    sandbox.act(till.charge_push("8"), "pay")
    assert till.window.focusWidget().objectName() == "amount"
    till.until_result("PAID")
    till.press(Qt.Key.Key_Return)
    till.until_seen("methods_panel")
    till.type("9")
    till.part("method_qr").setFocus()
    till.touch("method_qr")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert till.window.focusWidget().objectName() == "amount"


def read_code(till: StartedTill, amount: str) -> str:
    """Charges by QR and reads the code from the screen."""
    till.charge_qr(amount)
    return read(till.picture())[0]
