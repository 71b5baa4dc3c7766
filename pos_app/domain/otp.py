"""Sign-in codes: how many may be sent and tried, and what stands in the way. Counts are arguments."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from pos_app.domain.replies import OtpRefusal, OtpRefused

CODE_LENGTH = 6
PLACEHOLDER = "{{code}}"
MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


class OtpProblem(StrEnum):
    """What stands in the way of signing in; the dialog has words and a next step for each."""

    NONE = ""
    WRONG_CODE = "wrong_code"
    CODE_EXPIRED = "code_expired"
    TOO_MANY_TRIES = "too_many_tries"
    TOO_MANY_CODES = "too_many_codes"
    WAIT = "wait"
    DAY_LIMIT = "day_limit"
    TERMINAL_LIMIT = "terminal_limit"
    TIME_NOT_SURE = "time_not_sure"
    NUMBER_BLOCKED = "number_blocked"
    NUMBER_NOT_ALLOWED = "number_not_allowed"
    SIGN_IN_REFUSED = "terminal_sign_in_refused"
    SERVICE_BUSY = "service_busy"
    SERVICE_DOWN = "service_down"
    NO_CONNECTION = "no_connection"
    NOT_PROVEN = "service_identity_not_proven"
    NOT_CHECKED = "could_not_be_checked"
    NOT_SENT_FOR_SURE = "may_have_been_sent"
    BAD_REPLY = "bad_reply"
    BAD_CODE = "six_digits"
    BAD_REQUEST = "bad_request"
    UNKNOWN_PERSON = "unknown_person"
    ONLY_ADMINISTRATOR = "only_the_administrator"
    CANNOT_RECORD = "cannot_record"


class OtpLimits(msgspec.Struct, frozen=True):
    """docs/payment-rules.md, OTP. Spacing is the wait after the 1st, 2nd, … send of a sign-in, in ms."""

    tries_per_reference: int = 5
    sends_per_window: int = 3
    window_ms: int = 15 * MINUTE_MS
    sends_per_day: int = 10
    terminal_sends_per_day: int = 30
    spacing_ms: tuple[int, ...] = (30_000, 60_000)
    valid_ms: int = 10 * MINUTE_MS


class OtpAllowance(msgspec.Struct, frozen=True):
    """Whether a code may be sent now; if not, why and how long to wait (ms)."""

    problem: OtpProblem = OtpProblem.NONE
    wait_ms: int = 0


def may_send(now: int, own: Sequence[int], terminal: Sequence[int], limits: OtpLimits) -> OtpAllowance:
    """Whether a code may go out at till time `now`, given the times (ms) of a day's sends."""
    day_own = [at for at in own if at > now - DAY_MS]
    day_terminal = [at for at in terminal if at > now - DAY_MS]
    if len(day_terminal) >= limits.terminal_sends_per_day:
        return OtpAllowance(
            OtpProblem.TERMINAL_LIMIT, day_terminal[-limits.terminal_sends_per_day] + DAY_MS - now
        )
    if len(day_own) >= limits.sends_per_day:
        return OtpAllowance(OtpProblem.DAY_LIMIT, day_own[-limits.sends_per_day] + DAY_MS - now)
    window = [at for at in day_own if at > now - limits.window_ms]
    if len(window) >= limits.sends_per_window:
        return OtpAllowance(
            OtpProblem.TOO_MANY_CODES, window[-limits.sends_per_window] + limits.window_ms - now
        )
    if window:
        wait = window[-1] + spacing(len(window), limits) - now
        if wait > 0:
            return OtpAllowance(OtpProblem.WAIT, wait)
    return OtpAllowance()


def spacing(sends: int, limits: OtpLimits) -> int:
    """The wait (ms) after the n-th send inside the window before the next may go out."""
    return limits.spacing_ms[min(sends, len(limits.spacing_ms)) - 1]


def is_code(text: str) -> bool:
    """Six ASCII digits, nothing else."""
    return len(text) == CODE_LENGTH and text.isascii() and text.isdigit()


_PROBLEMS = {
    OtpRefusal.WRONG_PIN: OtpProblem.WRONG_CODE,
    OtpRefusal.INVALID_OTP: OtpProblem.WRONG_CODE,
    OtpRefusal.MAX_ATTEMPT_EXCEEDED: OtpProblem.TOO_MANY_TRIES,
    OtpRefusal.VERIFICATION_FAILED: OtpProblem.TOO_MANY_TRIES,
    OtpRefusal.VERIFICATION_EXPIRED: OtpProblem.CODE_EXPIRED,
    OtpRefusal.NOT_FOUND: OtpProblem.CODE_EXPIRED,
    OtpRefusal.MAX_OTP_CODES_EXCEEDED: OtpProblem.TOO_MANY_CODES,
    OtpRefusal.PHONE_NUMBER_BLOCKED: OtpProblem.NUMBER_BLOCKED,
    OtpRefusal.PHONE_NUMBER_NOT_ALLOWED: OtpProblem.NUMBER_NOT_ALLOWED,
    OtpRefusal.UNAUTHENTICATED: OtpProblem.SIGN_IN_REFUSED,
    OtpRefusal.PERMISSION_DENIED: OtpProblem.SIGN_IN_REFUSED,
    OtpRefusal.TOO_MANY_REQUESTS: OtpProblem.SERVICE_BUSY,
    OtpRefusal.INTERNAL: OtpProblem.SERVICE_DOWN,
    OtpRefusal.UNAVAILABLE: OtpProblem.SERVICE_DOWN,
    OtpRefusal.TIMEOUT: OtpProblem.SERVICE_DOWN,
}


def problem_of(refused: OtpRefused) -> OtpProblem:
    """What a refusal of the OTP service means to the person at the till."""
    return _PROBLEMS.get(refused.refusal, OtpProblem.BAD_REQUEST)


def problem_of_send(refused: OtpRefused) -> OtpProblem:
    """The same while a code is being sent: what is wrong then is no code."""
    problem = problem_of(refused)
    of_a_code = (OtpProblem.WRONG_CODE, OtpProblem.CODE_EXPIRED, OtpProblem.TOO_MANY_TRIES)
    return OtpProblem.BAD_REQUEST if problem in of_a_code else problem


def problem_of_try(refused: OtpRefused) -> OtpProblem:
    """The same while a code is being checked: a service that is busy or down has checked nothing, nor has whoever else
    answers "not found" in its place for a minute; the code lives on."""
    problem = problem_of(refused)
    unchecked = (OtpProblem.SERVICE_BUSY, OtpProblem.SERVICE_DOWN)
    is_page = refused.by_status and problem is OtpProblem.CODE_EXPIRED
    return OtpProblem.NOT_CHECKED if is_page or problem in unchecked else problem
