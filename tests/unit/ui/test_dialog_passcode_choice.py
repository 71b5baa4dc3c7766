"""Choosing and changing a passcode at the real pages, by touch and by keyboard."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from pos_app.domain.commands import SendOtp
from pos_app.domain.passcode import FEWEST, MOST, PasscodeProblem
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode, EnterPasscode
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.passcode import words
from pos_app.ui.dialogs.sign_in.change_passcode import ChangePasscode
from pos_app.ui.dialogs.sign_in.panel import SignInPanel
from pos_app.ui.widgets.button import Button
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
def choosing(qtbot: QtBot, posted: Posted) -> SignInPanel:
    made = SignInPanel((NIMALI, RUWAN), posted)
    shown(qtbot, made)
    press(Key.Key_Return)
    made.receive(CHOOSE)
    posted.clear()
    settle()
    return made


def part(panel: SignInPanel | ChangePasscode, name: str) -> Button:
    found = [each for each in panel.findChildren(Button, name) if each.isVisible()]
    assert len(found) == 1, name
    return found[0]


def test_the_first_sign_in_ends_with_a_passcode_typed_twice(choosing: SignInPanel, posted: Posted) -> None:
    assert focused() is choosing.choice.new.edit
    assert faults(choosing) == []
    type_text(PASSCODE)
    press(Key.Key_Return)
    assert not choosing.choice.new.isVisible()
    assert focused() is choosing.choice.again.edit
    type_text(PASSCODE)
    press(Key.Key_Return)
    assert focused() is None, "a second Enter presses nothing"
    assert posted == [ChoosePasscode(Secret(PASSCODE))]
    assert choosing.choice.new.text() == ""
    assert not part(choosing, "save_passcode").isEnabled()


def test_two_different_ones_begin_anew(choosing: SignInPanel, posted: Posted) -> None:
    for typed in (PASSCODE, "704917"):
        type_text(typed)
        press(Key.Key_Return)
    assert posted == []
    assert choosing.choice.new.error.text() == words.DIFFERENT
    assert focused() is choosing.choice.new.edit
    assert choosing.choice.new.text() == ""


def test_what_the_engine_refuses_is_typed_anew(choosing: SignInPanel) -> None:
    for typed in (PASSCODE, PASSCODE):
        type_text(typed)
        press(Key.Key_Return)
    choosing.receive(said(SignInStep.CHECKING))
    assert not part(choosing, "save_passcode").isEnabled()
    choosing.receive(said(SignInStep.CHOOSE_PASSCODE, "too_easy"))
    assert choosing.choice.new.error.text() == words.PROBLEM[PasscodeProblem.TOO_EASY]
    assert part(choosing, "save_passcode").isEnabled()


def test_a_passcode_is_changed_after_the_one_before_it(qtbot: QtBot, posted: Posted) -> None:
    change = ChangePasscode(OWN, posted)
    shown(qtbot, change)
    type_text(PASSCODE)
    press(Key.Key_Return)
    assert posted == [EnterPasscode("p1", Secret(PASSCODE))]
    change.receive(said(SignInStep.CHECKING))
    change.receive(said(SignInStep.SIGNED_IN))
    settle()
    assert faults(change) == []
    for _ in range(2):
        type_text("520873")
        press(Key.Key_Return)
    assert posted[1:] == [ChoosePasscode(Secret("520873"))]
    change.receive(said(SignInStep.REFUSED, "same_as_before"))
    assert change.choice.new.error.text() == words.PROBLEM[PasscodeProblem.SAME_AS_BEFORE]
    for _ in range(2):
        type_text("520874")
        press(Key.Key_Return)
    change.receive(said(SignInStep.SIGNED_IN))
    assert change.done.isVisible()
    assert focused() is change.close_button


def test_no_digit_waits_on_a_page_that_is_left(choosing: SignInPanel) -> None:
    type_text(PASSCODE)
    press(Key.Key_Escape)
    assert choosing.people.isVisible()
    assert choosing.choice.new.text() == ""


def test_a_choice_that_took_too_long_leads_back_to_a_code(choosing: SignInPanel, posted: Posted) -> None:
    for typed in (PASSCODE, PASSCODE):
        type_text(typed)
        press(Key.Key_Return)
    choosing.receive(said(SignInStep.REFUSED, "needs_a_code_by_sms"))
    settle()
    assert choosing.code.problem.text() == words.PROBLEM[PasscodeProblem.NEEDS_SMS]
    assert faults(choosing) == []
    press(Key.Key_Return)
    assert posted[-1] == SendOtp("p1")
    choosing.receive(CHOOSE)
    assert focused() is choosing.choice.new.edit


def test_a_change_that_took_too_long_asks_for_the_passcode_again(qtbot: QtBot, posted: Posted) -> None:
    change = ChangePasscode(OWN, posted)
    shown(qtbot, change)
    change.receive(said(SignInStep.SIGNED_IN))
    for _ in range(2):
        type_text("520873")
        press(Key.Key_Return)
    change.receive(said(SignInStep.REFUSED, "needs_a_code_by_sms"))
    assert focused() is change.now.field.edit


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("12345", PasscodeProblem.TOO_SHORT),
        ("7049187049181", PasscodeProblem.TOO_LONG),
        ("70491x", PasscodeProblem.NOT_DIGITS),
        ("111111", PasscodeProblem.TOO_EASY),
    ],
)
def test_a_rule_that_is_broken_is_named_with_its_limit(
    choosing: SignInPanel, posted: Posted, typed: str, problem: PasscodeProblem
) -> None:
    type_text(typed)
    press(Key.Key_Return)
    settle()
    assert posted == []
    assert choosing.choice.new.error.text() == words.PROBLEM[problem].format(fewest=FEWEST, most=MOST)
    assert focused() is choosing.choice.new.edit
    assert faults(choosing) == []
