"""What the till says while it does not know: no pay button, the words of the failure model, then the truth."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.domain.ids import sale_and_number
from tests.end_to_end.conftest import MakeTill
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

PAYING = ("result_qr", "result_push", "method_qr", "method_push", "waiting_cancel")


def may_pay(till: StartedTill) -> list[str]:
    """Every control on the screen that would take this payment again."""
    return [name for name in PAYING[:-1] if till.seen(name) and till.part(name).isEnabled()]


def test_a_lost_reply_is_amber_without_a_way_to_pay_again_and_then_found(
    till: StartedTill, sandbox: Sandbox
) -> None:
    sandbox.fault("drop_after", "initiate_push")
    sandbox.fault("drop_before", "get_status", count=None)
    till.type("33")
    till.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    till.type("+94771234567")
    till.press(Qt.Key.Key_Return)
    till.until_result("NOT KNOWN YET")
    assert till.says("result_lead") == "Do not take the payment again."
    assert may_pay(till) == []
    sandbox.clear_faults()
    till.press(Qt.Key.Key_F5)
    till.until_seen("waiting_panel")
    assert len(sandbox.transactions()) == 1
    sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "pay")
    till.until_result("PAID")


def test_a_code_whose_reply_was_lost_is_cancelled_and_a_new_one_shown_without_a_touch(
    till: StartedTill, sandbox: Sandbox
) -> None:
    sandbox.fault("drop_after", "initiate_qr")
    till.type("34")
    till.press(Qt.Key.Key_F2)
    till.until(lambda: till.seen("qr") and till.part("qr").is_shown)
    second, first = sandbox.transactions()
    assert (first["status"], second["status"]) == ("Merchant Cancel", "Merchant Initiated")
    ids = [sale_and_number(each["externalMerchantTransactionId"]) for each in (first, second)]
    assert ids == [("0001", 1), ("0001", 2)]


def test_the_connection_is_lost_and_comes_back_while_a_customer_pays(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_push("35")
    sandbox.fault("drop_before", "get_status", count=None)
    till.until_says("trouble", "Connection lost – the payment may still complete. Next check in")
    till.until_says("connection", "No connection")
    assert may_pay(till) == []
    sandbox.act(attempt_id, "pay")
    sandbox.clear_faults()
    till.press(Qt.Key.Key_F5)
    till.until_result("PAID")
    till.until_says("connection", "Connected")


def test_the_panel_and_the_top_bar_lose_the_connection_together(till: StartedTill, sandbox: Sandbox) -> None:
    till.charge_push("35.50")
    told: list[tuple[str, bool]] = []
    till.session.bridge.published.connect(
        lambda each: told.append((till.says("connection"), till.seen("trouble"))) if each else None
    )
    sandbox.fault("drop_before", "get_status", count=None)
    till.until_says("connection", "No connection")
    first = next(at for at, (bar, _) in enumerate(told) if bar == "No connection")
    assert told[first][1], "the bar says so, the payment's panel does not yet"


def test_a_busy_service_says_when_it_is_asked_again(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_push("36")
    sandbox.fault("throttle", "get_status", count=None, retry_after=3)
    till.until_says("trouble", "Service busy – next check in")
    sandbox.clear_faults()
    sandbox.act(attempt_id, "pay")
    till.until_result("PAID")


def test_a_refused_sign_in_of_the_terminal_blocks_new_payments_until_it_is_renewed(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_push("37")
    sandbox.fault("token_expired", "*", count=None)
    till.until_says("trouble", "refused this terminal’s sign-in")
    assert "stays open" in till.says("trouble")
    till.press(Qt.Key.Key_F6)
    till.until_says("block", "No new payments")
    assert may_pay(till) == []
    sandbox.clear_faults()
    till.until(lambda: not till.seen("block"))
    sandbox.act(attempt_id, "pay")
    till.until_says("ended", "Paid")


def test_another_amount_in_the_reply_is_disputed_and_never_paid(till: StartedTill) -> None:
    till.act_and_say(till.charge_push("38"), "pay", transactionAmount=3.8)
    till.press(Qt.Key.Key_F5)
    till.until_result("DO NOT HAND OVER")
    assert till.says("result_lead") == "Do not hand over goods. Manager needed."
    assert may_pay(till) == []


def test_giving_up_leaves_not_known_and_a_late_payment_is_answered_with_name_and_reason(
    make_till: MakeTill, sandbox: Sandbox
) -> None:
    till = make_till(settings="\n[payment]\ngive_up_s = 5\nextension_s = 0\n")
    # However late the customer scans it: the cancel of whoever gives up comes behind that.
    sandbox.fault("hold", "cancel")
    attempt_id = till.charge_push("39")
    sandbox.act(attempt_id, "verify")
    till.until(lambda: sandbox.held() == ["cancel"])
    sandbox.fault("drop_before", "get_status", count=None)
    sandbox.release()
    till.until_result("NOT KNOWN YET", 80_000)
    assert till.says("result_lead") == "Do not take the payment again."
    assert may_pay(till) == []
    sandbox.act(attempt_id, "pay")
    sandbox.clear_faults()
    till.press(Qt.Key.Key_F5)
    till.until_seen("settle")
    assert any("LATE PAYMENT" in each for each in till.words())
    till.until_says("open_badge", "1 open payment")
    assert "Nimali" in till.says("settle_who")
    till.part("settle_reason").setFocus()
    till.type("The customer has the goods")
    till.touch("settle_complete")
    till.until(lambda: not till.seen("settle") and not till.seen("open_badge"))
