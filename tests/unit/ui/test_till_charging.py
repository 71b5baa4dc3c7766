"""From the amount to one Charge: two keys, one wish, the questions that must be asked, and every refusal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from pos_app.domain.attempt import CancelWish, Kind, Reason, State
from pos_app.domain.commands import Cancel, Charge, Park
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import Block, ChargeDeclined, ChargeOpened, Decline, Terminal
from pos_app.i18n.words.till import words
from tests.support.published import NIMALI, attempt, change, terminal
from tests.support.stage import Stage

ENGLISH = words
F2, F3, ENTER, ESC = Qt.Key.Key_F2, Qt.Key.Key_F3, Qt.Key.Key_Return, Qt.Key.Key_Escape


@pytest.mark.parametrize("key", [F2, ENTER])
def test_amount_and_one_key_charge_by_qr(qtbot: Any, key: Qt.Key) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(key)
    (charge,) = on.commands(Charge)
    assert (charge.kind, charge.amount, charge.who) == (Kind.QR, Decimal("12.50"), NIMALI.person_id)
    assert (charge.sale_id, charge.another_customer, charge.wallet_number) == ("", False, "")


def test_enter_uses_the_counters_default_method(qtbot: Any) -> None:
    on = Stage(qtbot, default_method=Kind.PUSH)
    on.type("5")
    on.press(ENTER)
    assert on.window.focusWidget() is on.part("wallet_number")


def test_f3_asks_for_the_number_and_enter_sends_it(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.type("0771234567")
    on.press(ENTER)
    (charge,) = on.commands(Charge)
    assert (charge.kind, charge.amount) == (Kind.PUSH, Decimal("380.00"))
    assert charge.wallet_number == "+94771234567"


@pytest.mark.parametrize(
    "pasted", ["\u202a077 123 4567\u202c", "077\u00a0123\u00a04567", "\u2066+94771234567\u2069"]
)
def test_a_number_pasted_with_signs_that_nobody_sees_is_sent_without_them(qtbot: Any, pasted: str) -> None:
    """As a contact holds it: the cashier was told to enter a number, and saw nothing wrong with it."""
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.part("wallet_number").setText(pasted)
    on.press(ENTER)
    (charge,) = on.commands(Charge)
    assert charge.wallet_number == "+94771234567"


def test_a_number_that_is_given_while_nothing_may_start_stays(qtbot: Any) -> None:
    """An update began while it was typed: it was gone, why stood there twice, and the customer was asked again."""
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.type("0771234567")
    on.receive(terminal(block=Block.UPDATING))
    on.press(ENTER)
    assert on.commands(Charge) == []
    assert on.part("wallet_number").text() == "0771234567"
    assert on.part("wallet_number_error").text() == ENGLISH.block[Block.UPDATING]
    assert on.window.focusWidget() is on.part("wallet_number")
    on.receive(terminal())
    on.press(ENTER)
    (charge,) = on.commands(Charge)
    assert charge.wallet_number == "+94771234567"


def test_why_nothing_may_start_is_said_once_and_no_longer_than_it_is_so(qtbot: Any) -> None:
    """It stood there twice, and once still when the till sold again."""
    on = Stage(qtbot)
    on.type("380")
    on.press(F2)
    on.receive(terminal(block=Block.UPDATING))
    on.receive(ChargeDeclined(on.commands(Charge)[0].request_id, Decline.BLOCKED, block=Block.UPDATING))
    assert on.part("block").text() == ENGLISH.block[Block.UPDATING]
    assert not on.seen("declined")
    on.receive(terminal())
    assert not on.seen("block")
    assert on.part("amount_figure").figure() == "380"


@pytest.mark.parametrize(
    "number", ["", "++94", "abc", "077 123", "+", "0771234567890123", "0112345678", "=cmd|"]
)
def test_a_bad_number_is_named_with_an_example_and_stays(qtbot: Any, number: str) -> None:
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.part("wallet_number").setText(number)
    on.part("push_send").click()
    assert "for example 071 234 5678" in on.part("wallet_number_error").text()
    assert on.part("wallet_number").text() == number
    assert on.window.focusWidget() is on.part("wallet_number")
    assert on.posted == []


def test_the_number_does_not_stay_for_the_next_customer(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(kind=Kind.PUSH)))
    on.part("waiting_park").click()
    on.type("9")
    on.press(F3)
    assert on.part("wallet_number").text() == ""


def test_esc_goes_back_from_the_number_and_keeps_the_amount(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.press(ESC)
    assert on.part("methods_panel").isVisible()
    assert on.part("amount_figure").figure() == "380"
    assert on.window.focusWidget() is on.part("amount")


def test_a_second_press_before_the_intent_is_recorded_does_nothing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(F2)
    on.press(F2)
    on.press(ENTER)
    on.press(F3)
    assert not on.seen("push_panel")
    assert not on.part("method_qr").isEnabled()
    assert len(on.commands(Charge)) == 1


def test_the_till_is_free_for_the_next_amount_when_the_intent_is_recorded(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(F2)
    asked = on.commands(Charge)[0]
    on.receive(ChargeOpened("someone-else", "X", "0999"))
    assert on.part("amount_figure").figure() == "12.5"
    on.receive(ChargeOpened(asked.request_id, attempt().attempt_id, "0123"), change())
    assert on.part("amount_figure").figure() == "0.00"
    assert on.part("waiting_panel").isVisible()
    on.type("7")
    assert on.part("amount_figure").figure() == "7"
    assert on.part("waiting_panel").isVisible()


def test_the_attempt_may_be_published_before_the_charge_is_answered(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(F2)
    asked = on.commands(Charge)[0]
    on.receive(change(), ChargeOpened(asked.request_id, attempt().attempt_id, "0123"))
    assert on.part("waiting_panel").isVisible()


def test_a_large_amount_is_asked_about_once(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("50000.01")
    on.press(F2)
    assert on.posted == []
    assert "LKR 50,000.01" in on.part("question_question").text()
    on.part("question_no").click()
    assert on.posted == []
    on.press(F2)
    on.part("question_yes").click()
    assert [command.amount for command in on.commands(Charge)] == [Decimal("50000.01")]


def test_looks_like_one_already_open_goes_back_unless_it_is_another_customer(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(F2)
    first = on.commands(Charge)[0]
    similar = attempt(amount=Decimal("12.50"))
    on.receive(ChargeDeclined(first.request_id, Decline.LOOKS_OPEN, similar=similar, similar_age_s=125))
    said = on.part("question_more").text()
    assert said.startswith("12.50 is still open (sale 0123, 2 min).")
    assert on.window.focusWidget() is on.part("question_no")
    on.press(ENTER)
    assert len(on.commands(Charge)) == 1
    assert on.part("amount_figure").figure() == "12.5"
    on.press(F2)
    second = on.commands(Charge)[1]
    on.receive(ChargeDeclined(second.request_id, Decline.LOOKS_OPEN, similar=similar, similar_age_s=130))
    on.part("question_yes").click()
    third = on.commands(Charge)[2]
    assert third.another_customer
    assert third.amount == Decimal("12.50")
    assert third.request_id not in (first.request_id, second.request_id)


def test_the_same_sale_once_more_is_asked_about_too_and_stays_that_sale(qtbot: Any) -> None:
    """Its amount is on the panel and not on the pad: nothing is put back there."""
    on = Stage(qtbot)
    on.begin(change(FAILED, may_start_another=True))
    on.press(F2)
    first = on.commands(Charge)[0]
    similar = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124")
    on.receive(ChargeDeclined(first.request_id, Decline.LOOKS_OPEN, similar=similar, similar_age_s=125))
    on.part("question_yes").click()
    second = on.commands(Charge)[1]
    assert (second.sale_id, second.amount, second.another_customer) == ("0123", first.amount, True)
    assert on.part("amount_figure").figure() == "0.00"


@pytest.mark.parametrize(
    "decline", [Decline.EARLIER_ATTEMPT_OPEN, Decline.NOT_DURABLE, Decline.BAD_AMOUNT, Decline.UNKNOWN_SALE]
)
def test_a_declined_charge_says_why_and_keeps_the_amount(qtbot: Any, decline: Decline) -> None:
    on = Stage(qtbot)
    on.type("12.5")
    on.press(F2)
    on.receive(ChargeDeclined(on.commands(Charge)[0].request_id, decline))
    assert on.part("declined").text() == ENGLISH.decline[decline]
    assert on.part("declined").isVisible()
    assert on.part("amount_figure").figure() == "12.5"
    assert on.part("method_qr").isEnabled()
    on.type("0")
    assert not on.part("declined").isVisible()


def test_a_number_the_engine_refuses_can_be_corrected(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.type("0771234567")
    on.press(ENTER)
    on.receive(ChargeDeclined(on.commands(Charge)[0].request_id, Decline.BAD_NUMBER))
    assert on.part("wallet_number").text() == "+94771234567"
    assert on.part("wallet_number_error").isVisible()


@pytest.mark.parametrize("block", [block for block in Block if block is not Block.NONE])
def test_a_blocked_till_says_why_and_starts_nothing(qtbot: Any, block: Block) -> None:
    on = Stage(qtbot)
    on.receive(terminal(block=block))
    on.type("12.5")
    for key in (F2, F3, ENTER):
        on.press(key)
    on.part("method_qr").click()
    assert on.posted == []
    assert ENGLISH.block[block] in on.part("block").text()
    assert not on.part("method_qr").isEnabled()
    on.receive(terminal())
    on.press(F2)
    assert len(on.commands(Charge)) == 1


def test_payments_from_before_the_restart_are_named_while_they_are_asked_about(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(block=Block.STARTING, open=(attempt(),)))
    said = "Finishing 1 payment from before the restart (sale 0123, 1,250.00)…"
    assert on.part("block").text() == said


def test_without_anybody_signed_in_the_terminal_charges_where_that_is_allowed(qtbot: Any) -> None:
    on = Stage(qtbot, sign_in_required=False)
    on.receive(Terminal(block=Block.NONE))
    on.type("1")
    on.press(F2)
    assert on.commands(Charge)[0].who == TERMINAL


FAILED = attempt(state=State.FAILED, reason=Reason.CUSTOMER_REJECTED)


def test_a_refusal_offers_the_other_method_for_the_same_sale_without_typing(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(FAILED, may_start_another=True))
    on.press(F3)
    on.type("0771234567")
    on.press(ENTER)
    (charge,) = on.commands(Charge)
    assert (charge.sale_id, charge.kind, charge.amount) == ("0123", Kind.PUSH, Decimal("1250.00"))


def test_a_sale_in_another_currency_is_not_asked_for_once_more(qtbot: Any) -> None:
    """The wallet number was asked for beside LKR 1,250.00, where it was dollars; and then it was declined."""
    on = Stage(qtbot)
    dollars = replace(change(FAILED).sale, currency="USD")
    failed = replace(FAILED, currency="USD")
    on.begin(change(failed, sale=dollars, may_start_another=True))
    assert on.part("result_headline").isVisible()
    for key in (F2, F3):
        on.press(key)
    assert not on.seen("result_qr")
    assert not on.seen("push_panel")
    on.begin(change(replace(PUSHED, currency="USD"), sale=dollars))
    on.part("panel").other_wanted.emit()
    cancelled = replace(PUSHED, currency="USD", state=State.CANCELLED)
    on.receive(change(cancelled, sale=dollars, may_start_another=True))
    assert on.commands(Charge) == []
    assert on.part("result_headline").isVisible()


def test_a_refusal_offers_nothing_while_it_is_not_certain(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(state=State.REFUSED, code="5002")))
    for key in (F2, F3):
        on.press(key)
    assert on.commands(Charge) == []
    assert not on.seen("result_qr")
    on.receive(change(attempt(state=State.REFUSED, code="5002", refusal_opened=True), may_start_another=True))
    on.part("result_qr").click()
    assert on.commands(Charge)[0].sale_id == "0123"


def test_after_a_refusal_a_typed_amount_is_a_new_sale(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(FAILED, may_start_another=True))
    on.type("7")
    assert on.part("methods_panel").isVisible()
    on.press(F2)
    (charge,) = on.commands(Charge)
    assert (charge.sale_id, charge.amount) == ("", Decimal("7.00"))


def test_news_of_the_old_attempt_do_not_interrupt_the_number_of_the_next(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(FAILED, may_start_another=True))
    on.press(F3)
    on.type("077")
    on.receive(change(FAILED, may_start_another=True))
    assert on.part("wallet_number").isVisible()
    on.type("1")
    assert on.part("wallet_number").text() == "0771"


def test_a_late_success_does_interrupt_it(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(FAILED, may_start_another=True))
    on.press(F3)
    on.receive(change(attempt(state=State.PAID_LATE)))
    assert not on.seen("push_panel")
    assert on.part("result_headline").text() == "LATE PAYMENT"
    assert on.part("answer_panel").isVisible()


def test_the_other_method_waits_until_the_cancel_is_certain(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(kind=Kind.PUSH)))
    on.part("panel").other_wanted.emit()
    assert [type(command) for command in on.posted] == [Cancel]
    on.receive(change(attempt(kind=Kind.PUSH, state=State.CANCELLED)))
    assert on.commands(Charge) == []
    on.begin(change(attempt(kind=Kind.PUSH)))
    on.part("panel").other_wanted.emit()
    on.receive(change(attempt(kind=Kind.PUSH, state=State.CANCELLED), may_start_another=True))
    (charge,) = on.commands(Charge)
    assert (charge.kind, charge.sale_id) == (Kind.QR, "0123")


PUSHED = attempt(kind=Kind.PUSH)
THEIRS = attempt(attempt_id="SBX-TK7M3Q9RD-0050-1", sale_id="0050", amount=Decimal("50.00"), kind=Kind.PUSH)
CANCELLED = replace(
    PUSHED, state=State.CANCELLED, parked=True, ended_at=18_000, cancel_wish=CancelWish(NIMALI.person_id, 1)
)


def test_the_other_method_follows_its_own_payment_and_no_other(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(open=(THEIRS,)), change(THEIRS))
    on.begin(change(PUSHED))
    on.part("panel").other_wanted.emit()
    on.window.open_attempt(THEIRS.attempt_id)
    on.receive(change(replace(PUSHED, parked=True)))
    on.receive(change(replace(THEIRS, state=State.CANCELLED), may_start_another=True))
    assert on.part("result_headline").text() == "NOT PAID"
    heard: list[str] = []
    on.window.attention_wanted.connect(lambda: heard.append("attention"))
    on.receive(change(CANCELLED, may_start_another=True))
    assert on.commands(Charge) == []
    assert heard == ["attention"], "whoever wanted it charged the other way has to know that it was not"
    assert on.part("ended").text() == "SANDBOX · Sale 0123 · LKR 1,250.00 · Cancelled"
    on.part("ended_button").click()
    on.receive(change(CANCELLED, may_start_another=True))
    assert on.commands(Charge) == [], "it was forgotten: a touch charges it"
    on.part("result_qr").click()
    (charge,) = on.commands(Charge)
    assert (charge.kind, charge.sale_id) == (Kind.QR, "0123")


def test_a_payment_that_is_back_on_the_panel_goes_on_with_the_other_method(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(PUSHED))
    on.part("panel").other_wanted.emit()
    on.press(Qt.Key.Key_F6)
    on.receive(change(replace(PUSHED, parked=True)))
    on.press(Qt.Key.Key_F6)
    assert on.window.shown_id == PUSHED.attempt_id
    on.receive(change(CANCELLED, may_start_another=True))
    (charge,) = on.commands(Charge)
    assert (charge.kind, charge.sale_id) == (Kind.QR, "0123")


def test_no_other_method_follows_what_nobody_knows_the_end_of(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(PUSHED))
    on.part("panel").other_wanted.emit()
    on.receive(change(replace(PUSHED, state=State.UNRESOLVED)))
    on.receive(change(CANCELLED, may_start_another=True))
    assert on.commands(Charge) == []


def test_where_nothing_may_start_the_end_of_the_cancelled_one_is_shown(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(PUSHED))
    on.part("panel").other_wanted.emit()
    on.receive(terminal(block=Block.SIGN_IN_REFUSED))
    told: list[State] = []
    on.window.panel_changed.connect(lambda shown, _who: told.append(shown.attempt.state))
    on.receive(change(CANCELLED, may_start_another=True))
    assert on.commands(Charge) == []
    assert on.part("result_headline").text() == "NOT PAID"
    assert told[-1] is State.CANCELLED, (
        "the customer's screen does not say for ever that it is being cancelled"
    )


def recording(qtbot: Any, typed: str = "100") -> tuple[Stage, Charge]:
    """A charge on its way to a slow disk."""
    on = Stage(qtbot)
    on.type(typed)
    on.press(F2)
    (asked,) = on.commands(Charge)
    return on, asked


def opened(asked: Charge) -> ChargeOpened:
    """It is recorded."""
    return ChargeOpened(asked.request_id, attempt().attempt_id, "0123")


def test_the_next_amount_typed_while_one_is_recorded_is_whole(qtbot: Any) -> None:
    on, asked = recording(qtbot)
    on.type("34")
    assert on.part("amount_figure").figure() == "34"
    on.receive(opened(asked), change())
    on.type("5")
    assert on.part("amount_figure").figure() == "345"
    assert asked.amount == Decimal("100.00")


@pytest.mark.parametrize("key", [Qt.Key.Key_Backspace, Qt.Key.Key_Delete, ESC])
def test_nothing_half_is_left_of_an_amount_that_was_charged(qtbot: Any, key: Qt.Key) -> None:
    on, asked = recording(qtbot)
    on.press(key)
    on.receive(opened(asked), change())
    assert on.part("amount_figure").figure() == "0.00"


def test_a_decline_names_its_amount_where_the_next_one_has_begun(qtbot: Any) -> None:
    on, asked = recording(qtbot)
    on.type("34")
    on.receive(ChargeDeclined(asked.request_id, Decline.NOT_DURABLE))
    said = f"LKR 100.00 · {ENGLISH.decline[Decline.NOT_DURABLE]}"
    assert on.part("declined").text() == said
    on.type("5")
    assert on.part("amount_figure").figure() == "345"
    assert on.part("declined").text() == said, "no digit takes it away: nobody has charged the 100 yet"
    on.press(F2)
    assert on.commands(Charge)[1].amount == Decimal("345.00")
    assert not on.seen("declined")


def test_a_question_about_a_charge_has_its_amount_again(qtbot: Any) -> None:
    on, asked = recording(qtbot)
    on.type("34")
    on.receive(ChargeDeclined(asked.request_id, Decline.LOOKS_OPEN, similar=attempt(), similar_age_s=125))
    assert on.part("amount_figure").figure() == "100"
    on.part("question_yes").click()
    again = on.commands(Charge)[1]
    assert (again.amount, again.another_customer) == (Decimal("100.00"), True)
    on.receive(opened(again), change())
    assert on.part("amount_figure").figure() == "0.00"


def test_a_number_that_is_refused_is_corrected_for_its_own_amount(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("380")
    on.press(F3)
    on.type("0771234567")
    on.press(ENTER)
    on.type("34")
    on.receive(ChargeDeclined(on.commands(Charge)[0].request_id, Decline.BAD_NUMBER))
    on.part("wallet_number").setText("0777654321")
    on.part("push_send").click()
    assert [each.amount for each in on.commands(Charge)] == [Decimal("380.00")] * 2


def test_the_invoice_goes_with_its_sale_and_the_next_one_stays(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("100")
    on.press(Qt.Key.Key_F7)
    on.part("invoice").setText("INV1")
    on.part("reference").setText("R1")
    on.press(ENTER)
    on.press(F2)
    (asked,) = on.commands(Charge)
    assert (asked.invoice_number, asked.payment_reference) == ("INV1", "R1")
    on.part("invoice").setText("INV2")
    on.receive(opened(asked), change())
    assert on.part("amount_figure").figure() == "0.00"
    assert on.part("invoice").text() == "INV2"
    assert on.part("reference").text() == ""


def test_the_next_amount_is_not_eaten_by_the_other_method_of_the_last(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(PUSHED))
    on.part("panel").other_wanted.emit()
    on.type("77")
    on.receive(change(replace(CANCELLED, parked=False), may_start_another=True))
    (asked,) = on.commands(Charge)
    assert asked.amount == PUSHED.amount
    on.receive(opened(asked), change())
    assert on.part("amount_figure").figure() == "77"


def test_a_charge_on_its_way_is_the_next_windows(qtbot: Any) -> None:
    """The settings have changed the window meanwhile."""
    old, asked = recording(qtbot)
    on = Stage(qtbot)
    on.window.take_over(old.window)
    on.press(F2)
    assert on.posted == []
    on.receive(opened(asked), change())
    assert on.window.shown_id == attempt().attempt_id
    assert on.part("amount_figure").figure() == "0.00"


def test_the_other_method_goes_on_in_the_next_window(qtbot: Any) -> None:
    old = Stage(qtbot)
    old.begin(change(PUSHED))
    old.part("panel").other_wanted.emit()
    on = Stage(qtbot)
    on.window.take_over(old.window)
    on.receive(change(replace(CANCELLED, parked=False), may_start_another=True))
    (charge,) = on.commands(Charge)
    assert (charge.kind, charge.sale_id) == (Kind.QR, "0123")


def test_while_a_payment_waits_the_next_amount_asks_to_park_it_first(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change())
    on.press(F2)
    assert on.posted == []
    on.type("7")
    on.press(F2)
    assert on.posted == []
    on.press(ENTER)
    assert [type(command) for command in on.posted] == [Park, Charge]
    assert on.commands(Charge)[0].amount == Decimal("7.00")
