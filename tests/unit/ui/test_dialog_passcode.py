"""Typing a passcode at the real page, by touch and by keyboard."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from pos_app.domain.commands import SendOtp
from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.secret import Secret
from pos_app.domain.staff import EnterPasscode
from pos_app.domain.views import Purpose, SignIn, SignInStep
from pos_app.i18n.words.passcode import words
from pos_app.ui.dialogs.sign_in.change_passcode import ChangePasscode
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.dialogs.sign_in.steps import PASSCODE_STEP, PasscodeStep
from pos_app.ui.widgets.button import Button
from tests.support.driver import pass_a_tick
from tests.support.published import NIMALI, RUWAN
from tests.unit.ui.dialog_cases import Key, Posted, faults, focused, press, settle, shown, type_text

OWN = replace(NIMALI, passcode_set=True)
PASSCODE = "704918"


def said(step: SignInStep, problem: str = "", **more: object) -> SignIn:
    return SignIn(step=step, person_id="p1", problem=problem, by_passcode=True, **more)  # type: ignore[arg-type]


CHOOSE = SignIn(step=SignInStep.CHOOSE_PASSCODE, person_id="p1")


@pytest.fixture
def posted() -> Posted:
    return Posted()


@pytest.fixture
def panel(qtbot: QtBot, posted: Posted) -> SignInPanel:
    made = SignInPanel((OWN, RUWAN), posted, sessions=("p1",))
    shown(qtbot, made)
    return made


def part(panel: SignInPanel | ChangePasscode, name: str) -> Button:
    found = [each for each in panel.findChildren(Button, name) if each.isVisible()]
    assert len(found) == 1, name
    return found[0]


def test_who_has_a_session_types_the_passcode_and_no_sms_goes_out(panel: SignInPanel, posted: Posted) -> None:
    press(Key.Key_Return)
    assert posted == []
    type_text(PASSCODE)
    press(Key.Key_Return)
    assert posted == [EnterPasscode("p1", Secret(PASSCODE))]
    signed: list[str] = []
    panel.signed_in.connect(signed.append)
    panel.receive(said(SignInStep.CHECKING))
    panel.receive(said(SignInStep.SIGNED_IN))
    assert signed == ["p1"]


def test_the_keypad_types_clears_and_takes_back(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    for key in (
        "digit_9",
        "digit_clear",
        *(f"digit_{each}" for each in PASSCODE),
        "digit_1",
        "digit_backspace",
    ):
        part(panel, key).click()
    assert focused() is panel.passcode.field.edit
    part(panel, "submit_passcode").click()
    assert posted == [EnterPasscode("p1", Secret(PASSCODE))]


def test_a_passcode_is_never_to_be_read(panel: SignInPanel) -> None:
    panel.pick("p1")
    type_text(PASSCODE)
    edit = panel.passcode.field.edit
    assert edit.echoMode() is QLineEdit.EchoMode.Password
    assert PASSCODE not in edit.displayText()
    edit.selectAll()
    edit.copy()
    assert edit.text() == PASSCODE
    press(Key.Key_Return)
    assert edit.text() == ""


def test_each_way_leads_to_the_other(panel: SignInPanel, posted: Posted) -> None:
    panel.pick("p1")
    part(panel, "code_instead").click()
    assert posted == [SendOtp("p1")]
    panel.receive(SignIn(step=SignInStep.CODE_SENT, person_id="p1", tries_left=5, resend_in_s=30))
    part(panel, "passcode_instead").click()
    assert focused() is panel.passcode.field.edit
    part(panel, "code_instead").click()
    assert posted == [SendOtp("p1")], "the code that is out still works"
    assert focused() is panel.code.field.edit


@pytest.mark.parametrize(
    "person",
    [replace(OWN, person_id="p9"), replace(OWN, passcode_dead=True), NIMALI],
    ids=["no session", "dead", "none set"],
)
def test_who_needs_an_sms_is_not_asked_for_a_passcode(qtbot: QtBot, posted: Posted, person: object) -> None:
    panel = SignInPanel((person,), posted, sessions=("p1",))  # type: ignore[arg-type]
    shown(qtbot, panel)
    press(Key.Key_Return)
    assert [type(command) for command in posted] == [SendOtp]
    assert not panel.passcode.isVisible()
    assert [each for each in panel.findChildren(Button, "passcode_instead") if each.isVisible()] == []


def test_a_wrong_passcode_says_what_is_left_and_the_wait_is_counted_down(
    panel: SignInPanel, posted: Posted
) -> None:
    panel.pick("p1")
    panel.receive(said(SignInStep.REFUSED, "wrong_passcode", tries_left=7, wait_s=2))
    assert panel.passcode.field.error.text() == "Wrong passcode – 7 tries left. The next try in 2 s."
    opening = part(panel, "submit_passcode")
    assert (opening.text(), opening.isEnabled()) == ("Wait 2 s", False)
    pass_a_tick(panel.passcode)
    assert opening.text() == "Wait 1 s"
    pass_a_tick(panel.passcode)
    assert opening.isEnabled()
    assert focused() is panel.passcode.field.edit
    type_text(PASSCODE)
    press(Key.Key_Return)
    assert len(posted) == 1


@pytest.mark.parametrize("problem", [each for each in PasscodeProblem if each])
def test_every_problem_is_said_whole_with_a_way_on(
    qtbot: QtBot, posted: Posted, problem: PasscodeProblem
) -> None:
    panel = SignInPanel((OWN, RUWAN), posted, sessions=("p1",))
    shown(qtbot, panel)
    panel.pick("p1")
    panel.receive(said(SignInStep.REFUSED, problem, tries_left=3, wait_s=9))
    settle()
    entry = panel.passcode
    text = entry.field.error.text() if entry.field.isVisible() else entry.problem.text()
    assert len(text) > 10
    assert faults(panel) == []
    assert part(panel, "someone_else").isEnabled()
    if PASSCODE_STEP[problem] is PasscodeStep.SMS:
        assert focused() is part(panel, "code_instead")


def test_an_unknown_problem_still_says_what_to_do(panel: SignInPanel) -> None:
    panel.pick("p1")
    panel.receive(said(SignInStep.REFUSED, "struck_by_lightning"))
    assert panel.passcode.field.error.text() == words.UNKNOWN


@pytest.mark.parametrize("typed", ["70491a", "\uff17\uff10\uff14\uff19\uff11\uff18", "1" * 13])
def test_what_can_be_nobody_s_passcode_costs_no_try(panel: SignInPanel, posted: Posted, typed: str) -> None:
    panel.pick("p1")
    panel.passcode.field.set_text(typed)
    press(Key.Key_Return)
    assert posted == []
    assert "digits" in panel.passcode.field.error.text()


def test_a_locked_till_begins_with_its_cashier_s_passcode(qtbot: QtBot, posted: Posted) -> None:
    panel = SignInPanel((OWN, RUWAN), posted, sessions=("p1",), locked=OWN)
    shown(qtbot, panel)
    assert focused() is panel.passcode.field.edit
    assert part(panel, "submit_passcode").text() == words.UNLOCK
    type_text("704")
    press(Key.Key_Escape)
    assert panel.people.isVisible()
    panel.begin()
    assert panel.passcode.field.text() == ""


def test_an_enrolment_elsewhere_is_not_this_sign_in(panel: SignInPanel) -> None:
    panel.pick("p1")
    panel.receive(SignIn(step=SignInStep.SIGNED_IN, person_id="p1", purpose=Purpose.ENROL))
    assert panel.passcode.isVisible()


def test_a_sign_out_elsewhere_disturbs_no_page(panel: SignInPanel) -> None:
    panel.pick("p1")
    panel.receive(SignIn(step=SignInStep.IDLE))
    assert focused() is panel.passcode.field.edit


def test_a_passcode_that_died_behind_the_lock_is_not_asked_for_again(qtbot: QtBot, posted: Posted) -> None:
    panel = SignInPanel((OWN, RUWAN), posted, sessions=("p1",), locked=OWN)
    shown(qtbot, panel)
    panel.receive(said(SignInStep.REFUSED, "only_a_code_by_sms_helps", tries_left=0))
    panel.set_people((replace(OWN, passcode_dead=True), RUWAN), ())
    panel.begin()
    assert panel.people.isVisible()
    panel.pick("p1")
    assert posted == [SendOtp("p1")]
