"""More than one payment at a time: parked ones end in the background, equal ones are asked about."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read


def test_a_waiting_payment_is_parked_and_the_next_customer_is_served(
    till: StartedTill, sandbox: Sandbox
) -> None:
    parked = till.charge_push("50")
    till.press(Qt.Key.Key_F6)
    till.until_seen("methods_panel")
    till.until_says("open_badge", "1 open payment")
    served = till.charge_qr("60")
    till.until_says("open_badge", "1 open payment")
    sandbox.act(parked, "pay")
    till.until(lambda: not till.seen("open_badge"))
    assert till.part("qr").is_shown
    sandbox.scan(read(till.picture())[0])
    till.until_result("PAID")
    assert "60.00" in till.says("result_panel")
    assert sandbox.transaction(served)["status"] == "Payment Success"
    till.press(Qt.Key.Key_Return)
    till.until_says("ended", "LKR 50.00 · Paid")
    till.touch("ended_button")
    till.until_result("PAID")
    assert "50.00" in till.says("result_panel")


def test_a_second_amount_while_one_waits_asks_to_park_it_first(till: StartedTill, sandbox: Sandbox) -> None:
    first = till.charge_push("51")
    till.type("52")
    till.press(Qt.Key.Key_F2)
    till.until_seen("question")
    assert len(sandbox.transactions()) == 1
    till.touch("question_yes")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert len(sandbox.transactions()) == 2
    assert sandbox.transaction(first)["status"] == "Merchant Initiated"


def test_the_same_amount_again_asks_whether_it_is_another_customer(
    till: StartedTill, sandbox: Sandbox
) -> None:
    till.charge_qr("53")
    till.press(Qt.Key.Key_F6)
    till.until_seen("methods_panel")
    till.type("53")
    till.press(Qt.Key.Key_F2)
    till.until_seen("question")
    assert any("53.00 is still open" in each for each in till.words())
    till.press(Qt.Key.Key_Return)
    till.until(lambda: not till.seen("question"))
    assert len(sandbox.transactions()) == 1, "Enter takes the safe answer"
    till.press(Qt.Key.Key_F2)
    till.until_seen("question")
    till.touch("question_yes")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert len(sandbox.transactions()) == 2


def test_the_question_whether_it_is_another_customer_goes_when_that_payment_ends(
    till: StartedTill, sandbox: Sandbox
) -> None:
    """It said "still open" of what was paid, and "wait for that payment"; "Another customer" charged once more."""
    attempt_id = till.charge_push("53")
    till.press(Qt.Key.Key_F6)
    till.until_seen("methods_panel")
    till.type("53")
    till.press(Qt.Key.Key_F2)
    till.until_seen("question")
    sandbox.act(attempt_id, "pay")
    till.until(lambda: any("53.00 · Paid" in each for each in till.words()))
    till.settle()
    assert not till.seen("question")
    assert till.says("amount").endswith("53")
    assert len(sandbox.transactions()) == 1


def test_the_list_of_open_payments_brings_a_parked_one_back(till: StartedTill, sandbox: Sandbox) -> None:
    parked = till.charge_qr("54")
    shown = read(till.picture())
    till.press(Qt.Key.Key_F6)
    till.until_seen("methods_panel")
    assert read(till.picture()) == []
    till.press(Qt.Key.Key_F8)
    till.until_seen("open_payments")
    till.touch(f"show_{parked}")
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert read(till.picture()) == shown
    sandbox.act(parked, "pay")
    till.until_result("PAID")
