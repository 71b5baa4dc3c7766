"""A wallet number from the fingers to the phone: a missing digit is named, who typed it sees it, a retry has it."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.end_to_end.staffing import fill, hand_over, open_people
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

MASK = "+94 •• ••• 678"
WHOLE = "+94 71 234 5678"


def wallet(till: StartedTill) -> str:
    """What stands in the field."""
    return str(till.part("wallet_number").text())


def test_a_number_with_a_digit_missing_is_sent_nowhere_and_says_so(
    till: StartedTill, sandbox: Sandbox
) -> None:
    till.start_push("20", "071234567")
    till.until_says("wallet_number_error", "1 digit is missing: 071 234 567_")
    assert sandbox.transactions() == []
    till.press(Qt.Key.Key_End)
    till.type("89")
    till.press(Qt.Key.Key_Return)
    till.until_says("wallet_number_error", "1 digit too many: 071 234 5678 9")
    till.press(Qt.Key.Key_Backspace)
    till.press(Qt.Key.Key_Return)
    till.until(lambda: sandbox.transactions())
    till.until_seen("waiting_panel")


def test_who_typed_it_sees_it_until_the_sale_ends_and_nobody_else(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_push("20", "0712345678")
    assert till.says("wallet_mask") == WHOLE
    hand_over(till, "Kasun")
    till.press(Qt.Key.Key_F8)
    till.touch(f"show_{attempt_id}")
    till.until_seen("waiting_panel")
    assert till.says("wallet_mask") == MASK
    assert not any("5678" in each for each in till.words())
    hand_over(till, "Nimali")
    till.until_says("wallet_mask", WHOLE)
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")
    till.type("21")
    till.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    assert wallet(till) == ""


def test_a_retry_has_the_number_filled_in_and_selected(till: StartedTill, sandbox: Sandbox) -> None:
    sandbox.act(till.charge_push("20", "0712345678"), "reject")
    till.until_result("NOT PAID")
    till.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    assert wallet(till) == WHOLE
    assert till.part("wallet_number").selectedText() == WHOLE
    till.press(Qt.Key.Key_Return)
    till.until(lambda: len(sandbox.transactions()) == 2)
    till.until_seen("waiting_panel")
    sandbox.act(str(sandbox.transactions()[0]["externalMerchantTransactionId"]), "reject")
    till.until_result("NOT PAID")
    till.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    till.type("0771234567")
    assert wallet(till) == "0771234567", "a digit replaces it"
    till.press(Qt.Key.Key_Return)
    till.until(lambda: len(sandbox.transactions()) == 3)
    till.until_says("wallet_mask", "+94 77 123 4567")


def test_a_sale_that_was_left_takes_its_number_with_it(till: StartedTill, sandbox: Sandbox) -> None:
    sandbox.act(till.charge_push("20", "0712345678"), "reject")
    till.until_result("NOT PAID")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("methods_panel")
    till.touch("recent_0")
    till.until_seen("payment_details")
    assert not any("5678" in each for each in till.words())


def test_a_new_cashiers_number_is_refused_alike_and_seen_while_its_code_is_typed(till: StartedTill) -> None:
    open_people(till)
    till.touch("staff_enrol")
    fill(till, person_name="Amara", person_number="077123456")
    till.touch("staff_question_reason_suggestion_0")
    till.touch("staff_question_do")
    till.until_says("person_number_error", "1 digit is missing: 077 123 456_")
    fill(till, person_number="0771234568")
    till.touch("staff_question_do")
    till.until(lambda: any("+94 77 123 4568" in each for each in till.words()))
