"""What the passcode pages show for everything the engine may say of a passcode."""

from __future__ import annotations

import pytest

from pos_app.domain.passcode import FEWEST, MOST, PasscodeProblem, problem_of_choice
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.passcode import words
from pos_app.ui.dialogs.sign_in.steps import PASSCODE_STEP, PasscodeStep, passcode_picture, waited


def refused(problem: str, **more: object) -> SignIn:
    return SignIn(step=SignInStep.REFUSED, person_id="p1", by_passcode=True, problem=problem, **more)  # type: ignore[arg-type]


def test_every_problem_has_words_and_a_next_step() -> None:
    assert set(words.PROBLEM) == set(PasscodeProblem)
    assert set(PASSCODE_STEP) == set(PasscodeProblem)
    said = [text for problem, text in words.PROBLEM.items() if problem]
    assert all(text.endswith((".", ").")) for text in said)
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    "problem", [problem for problem, step in PASSCODE_STEP.items() if step is PasscodeStep.CHOOSE]
)
def test_a_broken_rule_names_its_limit_and_an_example_or_what_else_to_do(problem: PasscodeProblem) -> None:
    said = words.problem(problem, None, None)
    has_example = any(each.strip("(),.").isdigit() and len(each.strip("(),.")) == 6 for each in said.split())
    assert has_example or problem is PasscodeProblem.SAME_AS_BEFORE
    if problem in (PasscodeProblem.TOO_SHORT, PasscodeProblem.NOT_DIGITS):
        assert str(FEWEST) in said
    if problem in (PasscodeProblem.TOO_LONG, PasscodeProblem.NOT_DIGITS):
        assert str(MOST) in said


def test_the_examples_of_what_is_too_easy_are_too_easy() -> None:
    told = " ".join(words.rules()) + words.PROBLEM[PasscodeProblem.TOO_EASY]
    examples = [each.strip("(),.") for each in told.split() if each.strip("(),.").isdigit()]
    easy = [each for each in examples if len(each) == 6]
    assert len(easy) >= 4
    assert all(problem_of_choice(each) is PasscodeProblem.TOO_EASY for each in easy)


def test_a_wrong_one_says_the_tries_left_and_the_wait() -> None:
    shown = passcode_picture(refused("wrong_passcode", tries_left=1, wait_s=59.2))
    assert shown.text == "Wrong passcode – 1 try left. The next try in 1 min."
    assert not shown.may_type
    assert waited(shown).wait_s == 59


@pytest.mark.parametrize(
    "problem", [PasscodeProblem.DEAD, PasscodeProblem.NOT_SET, PasscodeProblem.NEEDS_SMS]
)
def test_where_only_an_sms_helps_no_passcode_is_asked_for(problem: PasscodeProblem) -> None:
    shown = passcode_picture(refused(problem))
    assert not shown.has_field
    assert "SMS" in shown.text


def test_while_it_is_checked_nothing_is_typed() -> None:
    shown = passcode_picture(SignIn(step=SignInStep.CHECKING, person_id="p1", by_passcode=True))
    assert shown.checking
    assert not shown.may_type
