"""What a cashier may not do alone is allowed by a manager beside them, by passcode; the cashier stays signed in."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from pos_app.domain.commands import Cancel
from pos_app.domain.people import TERMINAL
from pos_app.ui.till.window.payment_details import PaymentDetails
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import allow, hand_over, open_menu, written
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

WALLET = "+94 77 123 4567"


@pytest.fixture
def till(make_till: MakeTill) -> StartedTill:
    """Nimali, the manager, has a passcode and a payment that waits; Kasun is at the till."""
    till = make_till()
    till.charge_push("36")
    till.press(Qt.Key.Key_F6)
    hand_over(till, "Kasun")
    return till


def of_nimali(till: StartedTill) -> str:
    """The id of her payment."""
    return written(till).recent[0].attempt_id


def test_another_s_payment_is_cancelled_with_a_manager_s_passcode(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = of_nimali(till)
    till.press(Qt.Key.Key_F8)
    till.until_seen("open_payments")
    assert till.says(f"cancel_{attempt_id}") == "Cancel · manager"
    till.touch(f"cancel_{attempt_id}")
    allow(till, "111222")
    till.until_says("passcode_error", "9 tries left")
    assert sandbox.calls("cancel") == []
    allow(till)
    till.until(lambda: not till.seen("approval"))
    till.until(lambda: sandbox.calls("cancel"))
    assert till.says("person") == "Kasun"
    approved = next(each for each in written(till).acts if each.kind == "APPROVED")
    assert approved.content["act"] == "cancel"
    assert approved.content["reason"] == "The customer asked for it"
    assert approved.content["for"] != approved.actor


def test_the_engine_refuses_what_no_button_asked_for(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = of_nimali(till)
    till.session.bridge.post(Cancel(attempt_id, TERMINAL))
    till.until(lambda: any(each.kind == "RIGHT_REFUSED" for each in written(till).acts))
    assert sandbox.calls("cancel") == []


def test_going_back_does_nothing(till: StartedTill, sandbox: Sandbox) -> None:
    till.press(Qt.Key.Key_F8)
    till.touch(f"cancel_{of_nimali(till)}")
    till.until_seen("approval")
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("approval"))
    assert till.seen("open_payments")
    assert sandbox.calls("cancel") == []


def test_a_wallet_number_is_shown_for_a_moment_and_the_act_is_recorded(
    till: StartedTill, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PaymentDetails, "SHOWN_S", 2)
    sandbox.act(of_nimali(till), "pay")
    till.until(lambda: "Paid" in till.part("recent_0").accessibleName())
    till.touch("recent_0")
    till.until_seen("payment_details")
    assert till.says("details_number") == "+94 •• ••• 567"
    till.touch("details_show_number")
    allow(till)
    till.until_says("details_number", WALLET)
    till.until_says("details_number", "+94 •• ••• 567")
    everything = [part.accessibleName() + part.windowTitle() for part in till.window.findChildren(QWidget)]
    assert not any("1234567" in each.replace(" ", "") for each in (*everything, till.window.windowTitle()))
    shown = next(each for each in written(till).acts if each.kind == "NUMBER_UNMASKED")
    assert "1234567" not in str(shown.content)
    assert shown.content["reason"] == "The customer asks about this payment"


def test_a_manager_needs_no_second_person_but_a_reason(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till()
    sandbox.act(till.charge_push("36"), "pay")
    till.until_result("PAID")
    till.type("7")
    till.touch("recent_0")
    till.touch("details_show_number")
    till.until_seen("permit")
    till.touch("permit_do")
    till.until_says("permit_reason_error", "at least 3 letters")
    till.touch("permit_reason_suggestion_0")
    till.touch("permit_do")
    till.until_says("details_number", WALLET)
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("payment_details"))


def log_read_by_nimali(till: StartedTill) -> list[str]:
    """The lines of what was done; the cashier leaves the open payments for it, and the till."""
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("open_payments"))
    hand_over(till, "Nimali")
    open_menu(till, "manager_done")
    till.until(lambda: till.rows("staff_log_lines"))
    return till.rows("staff_log_lines")


def test_the_log_names_the_manager_the_cashier_and_the_reason(till: StartedTill, sandbox: Sandbox) -> None:
    till.press(Qt.Key.Key_F8)
    till.touch(f"cancel_{of_nimali(till)}")
    allow(till, reason=1)
    till.until(lambda: sandbox.calls("cancel") and not till.seen("approval"))
    told = log_read_by_nimali(till)
    said = next(each for each in told if each.startswith("Nimali: Allowed: Cancel a payment: sale"))
    assert "for Kasun" in said
    assert "Why: The cashier has gone" in said


def test_the_log_names_whose_passcode_was_tried_beside_a_cashier(till: StartedTill) -> None:
    """It said that something was refused beside a manager, and not that somebody guesses Nimali's passcode."""
    till.press(Qt.Key.Key_F8)
    till.touch(f"cancel_{of_nimali(till)}")
    allow(till, "111222")
    till.until_says("passcode_error", "9 tries left")
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("approval"))
    told = log_read_by_nimali(till)
    assert any(each.startswith("Kasun: Refused beside a manager: Cancel a payment: Nimali") for each in told)


def test_a_manager_beside_the_cashier_signs_off_and_the_question_goes(make_till: MakeTill) -> None:
    """It came back with the same buttons, so the other one could be pressed too."""
    till = make_till()
    hand_over(till, "Kasun")
    attempt_id = till.charge_push("38")
    till.act_and_say(attempt_id, "pay", transactionAmount=3.8)
    till.until_result("DO NOT HAND OVER")
    till.press(Qt.Key.Key_F8)
    till.touch(f"sign_off_{attempt_id}")
    till.touch("settle_reason_suggestion_0")
    till.touch("settle_not_paid")
    till.until_seen("approval")
    till.type_passcode()
    till.until(lambda: not till.seen("approval"))
    till.until_seen("open_done")
    assert not till.seen("settle")
    assert till.says("open_done").startswith("LKR 38.00 · sale 0001 · ")
    assert "signed it off as not paid" in till.says("open_done")
    assert till.seen("nothing_open")
    answered = [each for each in written(till).recent if each.attempt_id == attempt_id]
    assert [each.resolution.action for each in answered if each.resolution] == ["not_paid"]
