"""A manager sets up who works here by the screens alone; each of them signs in, sells, and hands over."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.commands import SendOtp
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.engine.staff import sessions
from tests.end_to_end.conftest import MakeTill
from tests.end_to_end.staffing import (
    act,
    ask,
    choose,
    enrol,
    fill,
    hand_over,
    open_menu,
    open_people,
    sign_in_soon,
    type_code,
    written,
)
from tests.support import till as started
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

CASHIERS = {"Amara": "94770000042", "Tharindu": "94770000043", "Ravi": "94770000044"}


@pytest.fixture(autouse=True)
def numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom this test enrols is nobody in the next."""
    monkeypatch.setattr(started, "NUMBERS", dict(started.NUMBERS))


def test_three_cashiers_by_the_screens_alone(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till()
    open_people(till)
    for name, number in CASHIERS.items():
        enrol(till, name, number)
    choose(till, "Tharindu")
    till.touch("person_number")
    fill(till, person_number="077 000 0053")
    ask(till, reason=1)
    type_code(till, "94770000053")
    till.until_says("person_done", "+94 •• ••• 053")
    started.NUMBERS["Tharindu"] = "94770000053"
    till.touch("person_back")
    choose(till, "Ravi")
    act(till, "disable")
    till.press(Qt.Key.Key_Escape)
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("people_panel"))
    till.leave_menu()

    till.touch("person")
    till.touch("menu_switch")
    till.until(lambda: till.rows("people") == ["Nimali", "Kasun", "Amara", "Tharindu"])
    before = len(sandbox.sms(CASHIERS["Ravi"]))
    ravi = next(each for each in written(till).people if each.name == "Ravi")
    till.session.bridge.post(SendOtp(ravi.person_id))
    sign_in_soon(till, "Tharindu")
    assert len(sandbox.sms(CASHIERS["Ravi"])) == before, "no code for whoever is disabled"
    assert len(sandbox.sms(CASHIERS["Tharindu"])) == 1, "the old number gets nothing more"
    sold = till.charge_qr("12")
    sandbox.act(sold, "pay")
    till.until_result("PAID")
    hand_over(till)
    sign_in_soon(till, "Amara")
    sold = till.charge_qr("13")
    sandbox.act(sold, "pay")
    till.until_result("PAID")
    till.press(Qt.Key.Key_F9)
    till.type_passcode()
    till.until_at_the_till("Amara")
    assert len({each.owner for each in written(till).recent}) == 2, "each sale is under its own cashier"


def test_what_was_done_says_who_what_and_why(make_till: MakeTill) -> None:
    till = make_till()
    open_people(till)
    enrol(till, "Amara", CASHIERS["Amara"])
    choose(till, "Amara")
    act(till, "alone_on")
    till.press(Qt.Key.Key_Escape)
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("people_panel"))
    till.leave_menu()
    open_menu(till, "manager_done")
    till.until(lambda: till.rows("staff_log_lines"))
    told = till.rows("staff_log_lines")
    assert told[0].startswith("Nimali: Changed: Amara")
    assert "sign-in without SMS: no → yes" in told[0]
    assert "Why: SMS often comes late" in told[0]
    assert any(each.startswith("Nimali: Enrolled: Amara") for each in told)


def test_problems_are_said_at_the_field_which_keeps_its_text(make_till: MakeTill) -> None:
    till = make_till()
    open_people(till)
    till.touch("staff_enrol")
    fill(till, person_name="kasun", person_number="077 000 0042")
    ask(till)
    till.until_says("person_name_error", "has this name")
    assert till.part("person_name").text() == "kasun"
    assert till.window.focusWidget() is till.part("person_name")
    fill(till, person_name="Amara", person_number="077 000 0011")
    till.touch("staff_question_do")
    till.until_says("person_number_error", "has this number")
    till.press(Qt.Key.Key_Escape)
    choose(till, "Nimali")
    till.touch("person_disable")
    ask(till)
    till.until_says("staff_question_problem", "last manager")
    assert till.says("person") == "Nimali"


def test_a_number_is_only_taken_with_the_code_from_its_phone(make_till: MakeTill, sandbox: Sandbox) -> None:
    till = make_till()
    open_people(till)
    till.touch("staff_enrol")
    fill(till, person_name="Amara", person_number="077 000 0042")
    ask(till)
    till.until(lambda: till.takes("code") and sandbox.sms("94770000042"))
    right = str(sandbox.sms("94770000042")[0]["code"])
    till.part("code").setFocus()
    till.type(f"{(int(right) + 1) % 1_000_000:06}")
    till.until_says("code_error", "4 tries left")
    till.touch("other_number")
    assert till.part("person_name").text() == "Amara", "the form kept its text"
    till.press(Qt.Key.Key_Escape)
    till.until_says("staff_count", "2 people")
    assert [person.name for person in written(till).people] == ["Nimali", "Kasun"]


def test_a_passcode_that_was_reset_is_not_chosen_anew_by_whoever_stands_there(make_till: MakeTill) -> None:
    """At the open till of a manager who had just signed in: it then signed for them, and locked them out."""
    till = make_till()
    open_people(till)
    choose(till, "Nimali")
    act(till, "reset")
    leave_people(till)
    till.touch("person")
    till.touch("menu_passcode")
    till.until_says("passcode_problem", "Sign in with a code by SMS, then choose one.")
    assert till.has_focus("change_passcode_close")
    till.press(Qt.Key.Key_Escape)
    till.session.bridge.post(ChoosePasscode(Secret("520873")))
    till.press(Qt.Key.Key_F9)
    till.until_seen("people")
    assert not till.seen("passcode")
    assert not written(till).people[0].passcode_set


def test_a_new_number_is_given_by_the_manager_and_not_by_who_finds_their_till_open(
    make_till: MakeTill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was typed is there behind the lock; nothing is sent before the passcode."""
    till = make_till()
    new = "94770000099"
    open_people(till)
    choose(till, "Nimali")
    till.touch("person_number")
    fill(till, person_number="0770000099")
    with monkeypatch.context() as patched:
        # As if the two minutes were over.
        patched.setattr(sessions, "FRESH_MS", -1)
        ask(till)
        till.until_seen("sign_in")
    assert till.sandbox.sms(new) == []
    till.type_passcode()
    till.until_at_the_till("Nimali")
    assert till.text("person_number") == "0770000099"
    till.touch("staff_question_do")
    type_code(till, new)
    till.until_says("person_done", "new number")


def test_whoever_is_enabled_again_signs_in_with_a_code_first(make_till: MakeTill) -> None:
    """As is said before it is done: where sign-in without SMS had been allowed, the passcode alone was enough."""
    till = make_till(signed_in="Kasun")
    hand_over(till, "Nimali")
    open_people(till)
    choose(till, "Kasun")
    for key in ("alone_on", "disable"):
        act(till, key)
    till.touch("person_enable")
    till.until_says("staff_question_more", "first with a code by SMS")
    ask(till)
    till.until_says("person_done", "Enable")
    leave_people(till)
    hand_over(till)
    till.pick("Kasun")
    till.until(lambda: till.seen("code_entry"))
    assert not till.seen("passcode")


def leave_people(till: StartedTill) -> None:
    till.press(Qt.Key.Key_Escape)
    till.press(Qt.Key.Key_Escape)
    till.until(lambda: not till.seen("people_panel"))
    till.leave_menu()


def test_a_cashier_has_no_way_to_the_people(make_till: MakeTill) -> None:
    till = make_till(signed_in="Kasun")
    till.press(Qt.Key.Key_F10)
    till.until_seen("managers_menu")
    for item in ("manager_people", "manager_done"):
        assert not till.part(item).isEnabled()
    assert "Only with a manager signed in" in till.part("manager_people").accessibleDescription()
