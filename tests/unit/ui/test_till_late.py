"""Late payments and other answers a person owes, in the real window."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from pos_app.domain.attempt import Reason, Resolution, State
from pos_app.domain.commands import Answer, Charge
from pos_app.i18n.words.till import words
from tests.support.published import KASUN, NIMALI, RUWAN, attempt, change, terminal
from tests.support.stage import WISH, Stage

ENGLISH = words


ESC, F5, F6, ENTER = Qt.Key.Key_Escape, Qt.Key.Key_F5, Qt.Key.Key_F6, Qt.Key.Key_Return
ID = attempt().attempt_id
UNSURE = [State.IN_DOUBT, State.UNRESOLVED, State.DISPUTED, State.WAITING, State.INTENT]


LATE = attempt(state=State.PAID_LATE, ended_at=18_000)


def test_a_late_payment_is_modal_for_its_cashier_and_takes_no_focus(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12")
    on.receive(change(LATE))
    assert on.part("answer_panel").isVisible()
    assert on.part("settle_title").text() == "LATE PAYMENT · LKR 1,250.00"
    assert on.window.focusWidget() is on.part("amount")
    on.type("5")
    assert on.part("amount_figure").figure() == "125"
    for key in (Qt.Key.Key_F2, Qt.Key.Key_F3, ENTER, F6):
        on.press(key)
    assert on.posted == []


def test_a_late_payment_is_answered_with_name_and_reason(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(LATE))
    on.part("settle_complete").click()
    assert on.posted == []
    assert on.part("settle_reason_error").isVisible()
    on.part("settle_reason_suggestion_0").click()
    on.part("settle_complete").click()
    assert on.posted == [Answer(ID, "complete", "Nimali", "The customer has the goods", "p1")]
    assert on.window.overlay.top is None


def test_a_late_payment_of_a_colleague_is_on_the_badge_alone(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=KASUN, attention=(LATE,)), change(LATE))
    assert on.window.overlay.top is None
    assert on.part("open_badge").isVisible()
    assert on.part("open_badge").text() == "1 open payment"
    on.receive(terminal(signed_in=NIMALI, attention=(LATE,)))
    assert on.part("answer_panel").isVisible()


def test_a_late_payment_is_raised_for_a_manager_too_in_the_manager_s_name(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=RUWAN, attention=(LATE,)), change(LATE))
    on.part("settle_reason_suggestion_0").click()
    on.part("settle_complete").click()
    assert [command.name for command in on.commands(Answer)] == ["Ruwan"]


def test_a_late_payment_a_manager_put_aside_still_waits_for_its_cashier(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(signed_in=RUWAN, attention=(LATE,)), change(LATE))
    on.press(ESC)
    on.receive(terminal(signed_in=KASUN, attention=(LATE,)))
    assert on.window.overlay.top is None
    on.receive(terminal(attention=(LATE,)))
    assert on.part("answer_panel").isVisible()


def test_a_late_payment_put_aside_is_not_raised_again_but_stays_on_the_badge(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(terminal(attention=(LATE,)), change(LATE))
    on.press(ESC)
    assert on.window.overlay.top is None
    on.receive(change(LATE), terminal(attention=(LATE,)))
    assert on.window.overlay.top is None
    assert on.part("open_badge").isVisible()


def test_an_alert_that_was_settled_elsewhere_goes_away(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.receive(change(LATE))
    settled = attempt(state=State.PAID_LATE, resolution=Resolution("refund", "Ruwan", "in cash", 9))
    on.receive(change(settled))
    assert on.window.overlay.top is None


def test_two_late_payments_are_asked_about_one_after_the_other(qtbot: Any) -> None:
    on = Stage(qtbot)
    second = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", state=State.PAID_LATE)
    on.receive(change(LATE), change(second))
    assert len(on.window.overlay.panels) == 1
    for _ in range(2):
        on.part("settle_reason").setText("as agreed")
        on.part("settle_complete").click()
    assert {command.attempt_id for command in on.commands(Answer)} == {LATE.attempt_id, second.attempt_id}


def test_paid_in_spite_of_a_cancel_must_be_answered(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt(cancel_wish=WISH)))
    on.receive(change(attempt(state=State.PAID, cancel_wish=WISH)))
    assert on.part("answer_panel").isVisible()
    on.press(ESC)
    assert on.part("result_lead").text().startswith("Paid before the cancel arrived")
    on.type("7")
    assert on.part("result_panel").isVisible()
    on.part("result_answer").click()
    assert on.part("answer_panel").isVisible()


OTHER_LATE = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124", state=State.PAID_LATE)


def test_a_question_that_an_alert_covers_is_answered_by_no_key(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("250000")
    on.press(Qt.Key.Key_F2)
    assert on.part("question_yes").isVisible()
    on.receive(change(OTHER_LATE))
    assert not on.part("question_yes").isVisible()
    on.press(ENTER)
    on.type("7")
    assert on.posted == []
    assert on.part("amount_figure").figure() == "250,000"
    on.press(ESC)
    assert on.part("question_yes").isVisible()
    on.press(ENTER)
    assert [asked.amount for asked in on.commands(Charge)] == [250_000]


def test_an_alert_over_a_question_that_has_ended_hands_its_keys_on(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt()))
    on.part("waiting_cancel").setFocus()
    on.press(ENTER)
    on.receive(change(OTHER_LATE))
    on.receive(change(attempt(state=State.FAILED, reason=Reason.PAYMENT_FAILED)))
    assert [each.objectName() for each in on.window.overlay.panels] == ["answer_panel"]
    on.press(ENTER)
    assert len(on.window.overlay.panels) == 1
    on.press(ESC)
    assert on.window.overlay.top is None
    on.type("5")
    assert on.part("amount_figure").figure() == "5"


def test_behind_an_alert_a_number_goes_on_being_typed_and_enter_sends_it_to_nobody(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.type("12")
    on.press(Qt.Key.Key_F3)
    on.type("077 123 4")
    on.receive(change(OTHER_LATE))
    on.type("567")
    on.press(ENTER)
    assert on.posted == []
    on.press(ESC)
    on.press(ENTER)
    assert [asked.wallet_number for asked in on.commands(Charge)] == ["+94771234567"]


def test_behind_an_alert_no_key_presses_a_button_and_digits_go_to_the_amount(qtbot: Any) -> None:
    on = Stage(qtbot)
    on.begin(change(attempt()))
    on.part("waiting_park").setFocus()
    on.receive(change(OTHER_LATE))
    on.press(ENTER)
    on.press(Qt.Key.Key_Space)
    on.type("7")
    assert (on.posted, on.part("amount_figure").figure()) == ([], "7")
    on.press(ESC)
    assert on.window.focusWidget() is on.part("waiting_park")
