"""Locking, unlocking and handing over a real till against the real sandbox, with payments running behind it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from tests.end_to_end.conftest import MakeTill
from tests.support.sandbox import Sandbox
from tests.support.till import NUMBERS, PASSCODE, StartedTill
from tests.unit.ui.qr_reader import read

F9, ESC, ENTER = Qt.Key.Key_F9, Qt.Key.Key_Escape, Qt.Key.Key_Return
WRONG = "704919"


class SetClock:
    """Seconds, as a test sets them."""

    now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


def lock(till: StartedTill) -> None:
    till.press(F9)
    till.until_seen("cover")


def unlock(till: StartedTill, name: str = "Nimali", passcode: str = PASSCODE) -> None:
    """As whoever locked it."""
    till.type_passcode(passcode)
    till.until_at_the_till(name)


def hand_over(till: StartedTill, name: str) -> None:
    """By the menu: locked, then the other name."""
    till.touch("person")
    till.until_seen("person_menu")
    till.touch("menu_switch")
    till.sign_in(name)


def readable(till: StartedTill) -> str:
    """All that stands on the screen, for the eye and for a screen reader."""
    parts: list[Any] = [each for each in till.window.findChildren(QWidget) if each.isVisible()]
    texts = [each.text() for each in parts if isinstance(each, QLabel)]
    return " | ".join([*texts, *(each.accessibleName() for each in parts)])


def wrong_passcode(till: StartedTill) -> None:
    till.type_passcode(WRONG)
    till.until(lambda: till.says("passcode_error") != "" or till.says("passcode_problem") != "")


def test_a_payment_runs_on_behind_the_lock_and_its_result_is_there_after_unlocking(
    till: StartedTill, sandbox: Sandbox
) -> None:
    attempt_id = till.charge_qr("12.50")
    code = read(till.picture())[0]
    lock(till)
    assert read(till.picture()) == []
    said = readable(till)
    assert "12.50" not in said
    assert attempt_id[-6:-2] not in said
    assert "1 payment is running" in said
    sandbox.scan(code)
    till.until(lambda: "1 payment is running" not in readable(till))
    assert "PAID" not in readable(till)
    till.touch("someone_else")
    till.until_seen("people")
    till.press(ESC)
    assert till.seen("cover")
    till.pick("Nimali")
    unlock(till)
    till.until_result("PAID")
    assert "12.50" in till.says("result_panel")


def test_another_cashier_sees_the_badge_and_the_former_gets_the_result(
    till: StartedTill, sandbox: Sandbox
) -> None:
    hand_over(till, "Kasun")
    attempt_id = till.charge_push("380")
    hand_over(till, "Nimali")
    till.until(lambda: "Kasun" in till.says("waiting_sale"))
    hand_over(till, "Kasun")
    till.until_seen("waiting_panel")
    till.touch("person")
    till.until_seen("person_menu")
    till.touch("menu_sign_out")
    assert "1 payment of yours is still open" in till.until_seen("question_more").text()
    till.touch("question_yes")
    till.until_seen("people")
    sandbox.act(attempt_id, "approve")
    till.until(lambda: "1 payment is running" not in readable(till))
    assert "PAID" not in readable(till)
    till.sign_in("Nimali")
    till.until_result("PAID")
    assert "Kasun" in till.says("result_facts")


def test_a_cashier_does_not_get_the_manager_s_payment(till: StartedTill, sandbox: Sandbox) -> None:
    attempt_id = till.charge_push("41")
    hand_over(till, "Kasun")
    till.until_seen("methods_panel")
    till.until_seen("open_badge")
    sandbox.act(attempt_id, "approve")
    till.until(lambda: not till.seen("open_badge"))
    assert not till.seen("result_headline")
    hand_over(till, "Nimali")
    till.until_result("PAID")


def test_the_amount_comes_back_for_the_same_person_only(till: StartedTill) -> None:
    till.type("77")
    lock(till)
    unlock(till)
    assert till.says("amount").endswith("77")
    hand_over(till, "Kasun")
    assert "77" not in till.says("amount")


def test_a_wallet_number_half_typed_comes_back_as_the_amount_does(
    till: StartedTill, sandbox: Sandbox
) -> None:
    """The customer had to say it once more, and what was typed on stood behind the amount."""
    till.type("77")
    till.press(Qt.Key.Key_F3)
    till.until_seen("wallet_number")
    till.type("077123")
    lock(till)
    assert "077123" not in readable(till)
    unlock(till)
    till.type("4567")
    assert till.seen("wallet_number")
    assert till.text("wallet_number") == "0771234567"
    till.press(ENTER)
    till.until(lambda: [each["transactionAmount"] for each in sandbox.transactions()] == ["77.00"])


def test_an_invoice_number_half_typed_goes_on_where_it_was(till: StartedTill) -> None:
    """Its other half stood behind the amount, ready to be charged."""
    till.type("12.5")
    till.press(Qt.Key.Key_F7)
    till.until(lambda: till.has_focus("invoice"))
    till.type("INV-")
    lock(till)
    unlock(till)
    till.type("7")
    assert till.text("invoice") == "INV-7"
    assert till.part("amount_figure").figure() == "12.5"
    lock(till)
    till.touch("someone_else")
    till.sign_in("Kasun")
    till.type("7")
    assert till.part("amount_figure").figure() == "7", "another person begins at the amount"
    assert not till.seen("invoice")


def test_no_sms_goes_out_for_whoever_has_a_session(till: StartedTill, sandbox: Sandbox) -> None:
    hand_over(till, "Kasun")
    hand_over(till, "Nimali")
    lock(till)
    unlock(till)
    assert [len(sandbox.sms(number)) for number in NUMBERS.values()] == [1, 1]


def test_wrong_passcodes_are_counted_and_wait(till: StartedTill) -> None:
    lock(till)
    for left in (9, 8):
        wrong_passcode(till)
        till.until_says("passcode_error", f"{left} tries left")
    wrong_passcode(till)
    till.until_says("passcode_error", "The next try in")
    assert not till.part("submit_passcode").isEnabled()
    assert till.seen("cover")


def test_a_till_that_nobody_touches_locks_itself_but_not_while_a_customer_is_waited_for(
    till: StartedTill, sandbox: Sandbox
) -> None:
    watch = till.session.window.controller.lock_screen.watch
    clock = SetClock()
    watch.stop()
    watch.clock = clock
    watch.start()
    attempt_id = till.charge_push("5")
    clock.now_s += 10_000
    watch.look()
    sandbox.act(attempt_id, "approve")
    till.until_result("PAID")
    till.until(lambda: not watch.held)
    clock.now_s += 299
    watch.look()
    till.press(Qt.Key.Key_Shift)
    clock.now_s += 299
    watch.look()
    assert not till.seen("cover")
    clock.now_s += 1
    watch.look()
    till.until_seen("cover")
    unlock(till)
    till.until_result("Paid · ")


def test_after_a_restart_the_passcode_is_enough(make_till: MakeTill, sandbox: Sandbox) -> None:
    first = make_till()
    lock(first)
    assert first.stop()
    again = make_till(signed_in="", people=False)
    again.pick("Nimali")
    unlock(again)
    assert len(sandbox.sms(NUMBERS["Nimali"])) == 1


def test_a_passcode_is_changed_and_the_one_before_it_no_longer_unlocks(till: StartedTill) -> None:
    till.touch("person")
    till.until_seen("person_menu")
    till.touch("menu_passcode")
    till.type_passcode()
    till.choose_passcode("520873")
    till.until_seen("passcode_changed")
    till.press(ENTER)
    lock(till)
    till.type_passcode()
    till.until_says("passcode_error", "9 tries left")
    unlock(till, passcode="520873")
