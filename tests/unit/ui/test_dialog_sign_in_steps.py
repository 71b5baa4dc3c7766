"""What the sign-in shows for everything the engine may say of it."""

from __future__ import annotations

import pytest

from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import Role
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.sign_in import words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.sign_in.steps import NEXT_STEP, NextStep, Picture, picture, ticked

SENT = SignIn(
    step=SignInStep.CODE_SENT, person_id="p1", number_mask="+94 •• ••• 567", tries_left=5, resend_in_s=30
)


def kept(problem: OtpProblem, **more: object) -> SignIn:
    """A problem while a code is still out that may be typed."""
    return SignIn(step=SignInStep.CODE_SENT, person_id="p1", problem=problem, **more)  # type: ignore[arg-type]


def refused(problem: OtpProblem, **more: object) -> SignIn:
    return SignIn(step=SignInStep.REFUSED, person_id="p1", problem=problem, **more)  # type: ignore[arg-type]


def test_every_problem_has_words_and_a_next_step() -> None:
    assert set(words.PROBLEM) == set(OtpProblem)
    assert set(NEXT_STEP) == set(OtpProblem)
    assert set(words.ROLE) == set(Role)
    said = [text for problem, text in words.PROBLEM.items() if problem]
    assert all(said)
    assert len(set(said)) == len(said)


def test_a_sent_code_names_the_person_and_the_masked_number() -> None:
    shown = picture(Picture(), SENT, "Nimali")
    assert shown.may_type
    assert shown.text == "Nimali, a code was sent to +94 •• ••• 567."
    assert shown.resend_in_s == 30


def test_a_second_code_says_that_the_earlier_one_is_dead() -> None:
    again = SignIn(step=SignInStep.CODE_SENT, number_mask="+94 •• ••• 567", resent=True, resend_in_s=60)
    assert words.RESENT in picture(Picture(code_live=True), again, "Nimali").text


def test_a_wrong_code_says_how_many_tries_are_left() -> None:
    shown = picture(Picture(code_live=True), kept(OtpProblem.WRONG_CODE, tries_left=3), "Nimali")
    assert shown.text == "Wrong code – 3 tries left."
    assert shown.is_problem
    assert shown.may_type


@pytest.mark.parametrize("problem", [OtpProblem.CODE_EXPIRED, OtpProblem.TOO_MANY_TRIES])
def test_a_dead_code_cannot_be_typed_again(problem: OtpProblem) -> None:
    shown = picture(Picture(code_live=True), refused(problem), "Nimali")
    assert not shown.may_type
    assert shown.resend_in_s == 0


def test_the_last_wrong_try_kills_the_code() -> None:
    shown = picture(Picture(code_live=True), kept(OtpProblem.WRONG_CODE, tries_left=0), "Nimali")
    assert not shown.may_type
    assert "no tries left" in shown.text


def test_a_code_that_could_not_be_checked_stays_and_says_when_to_try_again() -> None:
    shown = picture(Picture(code_live=True), kept(OtpProblem.NOT_CHECKED, wait_s=20, tries_left=4), "Nimali")
    assert shown.may_type
    assert shown.text.endswith("4 tries left. Try again in 20 s.")


def test_a_limit_counts_down_to_the_next_code() -> None:
    shown = picture(Picture(), refused(OtpProblem.TOO_MANY_CODES, wait_s=610.2), "Nimali")
    assert shown.resend_in_s == 611
    assert shown.text.endswith("Try again in 10 min 11 s.")
    assert not shown.may_type


def test_a_till_that_was_off_may_be_asked_again_before_its_wait_is_over() -> None:
    """The service's next answer says how long it was off."""
    shown = picture(Picture(), refused(OtpProblem.TIME_NOT_SURE, wait_s=720), "Nimali")
    assert shown.resend_in_s == 0
    assert shown.text.endswith("A code can be sent when it answers, or in 12 min.")


@pytest.mark.parametrize("problem", [kind for kind, step in NEXT_STEP.items() if step is NextStep.STOP])
def test_where_no_code_helps_none_is_offered(problem: OtpProblem) -> None:
    assert picture(Picture(), refused(problem), "Nimali").resend_in_s is None


def test_a_refused_second_code_leaves_the_first_one_usable() -> None:
    first = picture(Picture(), SENT, "Nimali")
    assert picture(first, kept(OtpProblem.WAIT, wait_s=12), "Nimali").may_type


def test_the_countdown_goes_on_through_a_wrong_try_and_stops_at_zero() -> None:
    shown = picture(Picture(), SENT, "Nimali")
    for _ in range(10):
        shown = ticked(shown)
    shown = picture(shown, kept(OtpProblem.WRONG_CODE, tries_left=4), "Nimali")
    assert shown.resend_in_s == 20
    for _ in range(25):
        shown = ticked(shown)
    assert shown.resend_in_s == 0


def test_a_problem_of_a_later_version_still_gets_words() -> None:
    shown = picture(Picture(), SignIn(step=SignInStep.REFUSED, problem="solar_storm"), "Nimali")
    assert shown.is_problem
    assert "solar" not in shown.text


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(20, "20 s"), (60, "1 min"), (125, "2 min 5 s"), (7200, "2 h"), (11_400, "3 h 10 min")],
)
def test_waits_are_said_in_whole_units(seconds: int, said: str) -> None:
    assert time_words.duration(seconds) == said
