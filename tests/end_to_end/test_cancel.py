"""Cancelling through the window: it counts when the service says so, and may lose its race."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill
from tests.unit.ui.qr_reader import read


def test_a_cancel_takes_the_code_away_and_ends_cancelled(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_qr("15")
    till.cancel()
    till.until_result("NOT PAID")
    assert till.says("result_lead") == "The payment was cancelled. Nothing was charged."
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Cancel"
    assert read(till.picture()) == []


def test_the_first_escape_only_asks_and_the_second_goes_on_waiting(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_qr("16")
    till.press(Qt.Key.Key_Escape)
    till.until_seen("question")
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("question"))
    assert till.part("qr").is_shown
    assert sandbox.calls("cancel") == []
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")


def test_a_cancel_that_loses_its_race_must_be_answered(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_push("17")
    sandbox.fault("cancel_loses", "cancel")
    till.cancel()
    till.until_result("PAID")
    till.until_seen("settle")
    assert "Paid before the cancel arrived" in " ".join(till.words())
    till.part("settle_reason").setFocus()
    till.type("The customer has the goods")
    till.touch("settle_complete")
    till.until(lambda: not till.seen("settle"))
    till.until(lambda: not till.seen("open_badge"))
    assert sandbox.transaction(attempt_id)["status"] == "Payment Success"


def test_a_cancel_that_is_held_shows_no_end_until_the_service_says_so(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_qr("18")
    sandbox.fault("hold", "cancel")
    till.cancel()
    till.until(lambda: sandbox.held() == ["cancel"])
    till.until_says("waiting_title", "Cancelling…")
    assert not till.seen("qr")
    assert not till.seen("waiting_cancel")
    assert sandbox.transaction(attempt_id)["status"] == "Merchant Initiated"
    sandbox.release()
    till.until_result("NOT PAID")


def test_a_request_is_cancelled_and_sent_again_as_a_code_with_one_touch(
    till: StartedTill, sandbox: Sandbox
) -> None:
    first = till.charge_push("19")
    sandbox.fault("hold", "cancel")
    # The offer comes after a minute; the touch is what it would be.
    till.part("waiting_panel").other_wanted.emit()
    till.until(lambda: sandbox.held() == ["cancel"])
    assert len(sandbox.transactions()) == 1
    sandbox.release()
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    assert sandbox.transaction(first)["status"] == "Merchant Cancel"
    sandbox.scan(read(till.picture())[0])
    till.until_result("PAID")
