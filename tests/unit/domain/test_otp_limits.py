"""How many sign-in codes may be sent, and what each refusal of the service means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.otp import (
    DAY_MS,
    MINUTE_MS,
    OtpLimits,
    OtpProblem,
    is_code,
    may_send,
    problem_of,
    problem_of_send,
    problem_of_try,
)
from pos_app.domain.replies import OtpRefusal, OtpRefused

NOW = 1_700_000_000_000
LIMITS = OtpLimits()
P = OtpProblem


def ago(*seconds: float) -> list[int]:
    """Sends of so many seconds ago, oldest first."""
    return sorted(NOW - int(each * 1000) for each in seconds)


@pytest.mark.parametrize(
    ("own", "problem", "wait_s"),
    [
        ([], P.NONE, 0),
        ([29], P.WAIT, 1),
        ([29.999], P.WAIT, 0.001),
        ([30], P.NONE, 0),
        ([100, 59], P.WAIT, 1),
        ([100, 60], P.NONE, 0),
        ([899, 500, 400], P.TOO_MANY_CODES, 1),
        ([900, 500, 400], P.NONE, 0),
        ([901 * n for n in range(1, 10)], P.NONE, 0),
        ([901 * n for n in range(1, 11)], P.DAY_LIMIT, 86_400 - 9_010),
        ([86_400, *(901 * n for n in range(1, 10))], P.NONE, 0),
    ],
)
def test_a_person_gets_three_codes_in_15_minutes_and_ten_a_day(
    own: list[float], problem: OtpProblem, wait_s: float
) -> None:
    """And a wait of 30 s after the first, 60 s after the second."""
    allowed = may_send(NOW, ago(*own), ago(*own), LIMITS)
    assert (allowed.problem, allowed.wait_ms) == (problem, wait_s * 1000)


def test_a_terminal_sends_thirty_codes_a_day() -> None:
    """Whoever they are for."""
    others = ago(*(100 + n for n in range(29)))
    assert may_send(NOW, [], others, LIMITS).problem is P.NONE
    full = may_send(NOW, [], ago(*(100 + n for n in range(30))), LIMITS)
    assert (full.problem, full.wait_ms) == (P.TERMINAL_LIMIT, DAY_MS - 129_000)


def test_a_wait_is_long_enough_when_more_were_sent_than_are_allowed() -> None:
    """The limits were lowered since."""
    own = ago(800, 700, 600, 500, 400)
    assert may_send(NOW, own, own, LIMITS).wait_ms == 300_000


@given(st.lists(st.integers(0, 2 * DAY_MS), min_size=1, max_size=60))
def test_no_window_of_time_ever_holds_more(steps: list[int]) -> None:
    """I10: whoever sends whenever it is allowed stays within every limit; a wait is enough to be allowed."""
    now, sent = NOW, [NOW - DAY_MS]
    for step in steps:
        now += step % (10 * MINUTE_MS)
        allowed = may_send(now, sent, sent, LIMITS)
        if allowed.problem:
            assert allowed.wait_ms > 0
            later = may_send(now + allowed.wait_ms, sent, sent, LIMITS)
            assert later.problem is P.NONE or later.problem is not allowed.problem
        else:
            sent.append(now)
    for first in sent:
        assert sum(first <= at < first + LIMITS.window_ms for at in sent) <= 3
        assert sum(first <= at < first + DAY_MS for at in sent) <= 10


@pytest.mark.parametrize("text", ["123456", "000000"])
def test_six_digits_are_a_code(text: str) -> None:
    """Leading zeros count."""
    assert is_code(text)


@pytest.mark.parametrize(
    "text", ["", "12345", "1234567", "12345a", " 12345", "\uff11" * 6, "١٢٣٤٥٦", "12 456"]
)
def test_anything_else_is_no_code(text: str) -> None:
    """ASCII digits alone."""
    assert not is_code(text)


@pytest.mark.parametrize("refusal", list(OtpRefusal))
def test_every_refusal_means_something_to_the_person_at_the_till(refusal: OtpRefusal) -> None:
    """None is taken for success."""
    assert problem_of(OtpRefused(refusal, 400)) is not P.NONE


@pytest.mark.parametrize(
    ("refusal", "problem"),
    [
        ("WRONG_PIN", P.WRONG_CODE),
        ("INVALID_OTP", P.WRONG_CODE),
        ("MAX_ATTEMPT_EXCEEDED", P.TOO_MANY_TRIES),
        ("VERIFICATION_FAILED", P.TOO_MANY_TRIES),
        ("VERIFICATION_EXPIRED", P.CODE_EXPIRED),
        ("NOT_FOUND", P.CODE_EXPIRED),
        ("MAX_OTP_CODES_EXCEEDED", P.TOO_MANY_CODES),
        ("PHONE_NUMBER_BLOCKED", P.NUMBER_BLOCKED),
        ("PHONE_NUMBER_NOT_ALLOWED", P.NUMBER_NOT_ALLOWED),
        ("UNAUTHENTICATED", P.SIGN_IN_REFUSED),
        ("PERMISSION_DENIED", P.SIGN_IN_REFUSED),
        ("TOO_MANY_REQUESTS", P.SERVICE_BUSY),
        ("INTERNAL", P.SERVICE_DOWN),
        ("UNAVAILABLE", P.SERVICE_DOWN),
        ("TIMEOUT", P.SERVICE_DOWN),
        ("INVALID_ARGUMENT", P.BAD_REQUEST),
        ("UNKNOWN", P.BAD_REQUEST),
    ],
)
def test_a_refusal_means_this_to_the_person_at_the_till(refusal: str, problem: OtpProblem) -> None:
    """Which decides whether they try again, wait, or start anew."""
    assert problem_of(OtpRefused(OtpRefusal(refusal), 400)) is problem


def test_a_send_counts_for_a_day_to_the_millisecond() -> None:
    """Of a terminal and of a person."""
    for back_ms, allowed in ((DAY_MS, True), (DAY_MS - 1, False)):
        for limits in (OtpLimits(terminal_sends_per_day=1), OtpLimits(sends_per_day=1)):
            sent = [NOW - back_ms]
            assert (may_send(NOW, sent, sent, limits).problem is P.NONE) is allowed


def test_the_usual_limits_are_those_of_the_rules() -> None:
    """docs/payment-rules.md, OTP."""
    assert (LIMITS.tries_per_reference, LIMITS.sends_per_window, LIMITS.sends_per_day) == (5, 3, 10)
    assert (LIMITS.terminal_sends_per_day, LIMITS.spacing_ms) == (30, (30_000, 60_000))
    assert (LIMITS.window_ms, LIMITS.valid_ms) == (900_000, 600_000)
    assert DAY_MS == 86_400_000


@pytest.mark.parametrize("refusal", list(OtpRefusal))
def test_a_send_and_a_try_meet_their_own_problems(refusal: OtpRefusal) -> None:
    """Where no code was checked none was wrong; where the service was busy none was checked."""
    refused = OtpRefused(refusal, 400)
    problem = problem_of(refused)
    of_a_code = {P.WRONG_CODE, P.CODE_EXPIRED, P.TOO_MANY_TRIES}
    assert problem_of_send(refused) is (P.BAD_REQUEST if problem in of_a_code else problem)
    unchecked = {P.SERVICE_BUSY, P.SERVICE_DOWN}
    assert problem_of_try(refused) is (P.NOT_CHECKED if problem in unchecked else problem)
