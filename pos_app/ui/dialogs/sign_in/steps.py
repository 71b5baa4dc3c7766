"""What the sign-in shows for each thing the engine says of it. Pure: it owns no widget and posts no command."""

from __future__ import annotations

import math
from enum import StrEnum

import msgspec

from pos_app.domain.otp import OtpProblem
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.sign_in import words


class NextStep(StrEnum):
    """What the person can do about a problem."""

    TYPE = "type the code again"
    SEND = "send a new code"
    WAIT = "wait, then send a new code"
    STOP = "nothing here: someone else, or the manager"


NEXT_STEP = {
    OtpProblem.NONE: NextStep.TYPE,
    OtpProblem.WRONG_CODE: NextStep.TYPE,
    OtpProblem.BAD_CODE: NextStep.TYPE,
    OtpProblem.NOT_CHECKED: NextStep.TYPE,
    OtpProblem.CODE_EXPIRED: NextStep.SEND,
    OtpProblem.TOO_MANY_TRIES: NextStep.SEND,
    OtpProblem.NOT_SENT_FOR_SURE: NextStep.SEND,
    OtpProblem.NO_CONNECTION: NextStep.SEND,
    OtpProblem.NOT_PROVEN: NextStep.SEND,
    OtpProblem.SERVICE_DOWN: NextStep.SEND,
    OtpProblem.BAD_REPLY: NextStep.SEND,
    OtpProblem.TIME_NOT_SURE: NextStep.SEND,
    OtpProblem.WAIT: NextStep.WAIT,
    OtpProblem.TOO_MANY_CODES: NextStep.WAIT,
    OtpProblem.SERVICE_BUSY: NextStep.WAIT,
    OtpProblem.DAY_LIMIT: NextStep.STOP,
    OtpProblem.TERMINAL_LIMIT: NextStep.STOP,
    OtpProblem.NUMBER_BLOCKED: NextStep.STOP,
    OtpProblem.NUMBER_NOT_ALLOWED: NextStep.STOP,
    OtpProblem.SIGN_IN_REFUSED: NextStep.STOP,
    OtpProblem.BAD_REQUEST: NextStep.STOP,
    OtpProblem.UNKNOWN_PERSON: NextStep.STOP,
    OtpProblem.CANNOT_RECORD: NextStep.STOP,
    OtpProblem.ONLY_ADMINISTRATOR: NextStep.STOP,
}

_KILLS_THE_CODE = frozenset({OtpProblem.CODE_EXPIRED, OtpProblem.TOO_MANY_TRIES, OtpProblem.UNKNOWN_PERSON})


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """The page with the six digits, wholly: a widget only has to show it.

    `code_live`: a code was sent that may still be typed. `resend_in_s`: seconds until a new one may be sent;
    None when none may be sent here at all.
    """

    code_live: bool = False
    sending: bool = False
    checking: bool = False
    done: bool = False
    text: str = ""
    is_problem: bool = False
    resend_in_s: int | None = None

    @property
    def may_type(self) -> bool:
        """Whether the field takes digits now."""
        return self.code_live and not (self.sending or self.checking or self.done)


def picture(before: Picture, seen: SignIn, name: str, number: str = "") -> Picture:
    """What is shown after the engine said `seen` of this person; `before` is what was shown until now.

    `number`: theirs, whole, where whoever looks has just typed it: a digit gone wrong hides behind a mask.
    """
    if seen.step is SignInStep.SENDING:
        return Picture(sending=True, code_live=before.code_live, text=words.SENDING)
    if seen.step is SignInStep.CHECKING:
        return Picture(checking=True, code_live=True, text=words.CHECKING, resend_in_s=before.resend_in_s)
    if seen.step is SignInStep.SIGNED_IN:
        return Picture(done=True, text=words.SIGNED_IN)
    if seen.problem:
        return _with_problem(before, seen)
    if seen.step is SignInStep.CODE_SENT:
        said = words.sent_to(name, number or seen.number_mask)
        text = f"{said} {words.RESENT}" if seen.resent else said
        return Picture(code_live=True, text=text, resend_in_s=_seconds(seen.resend_in_s) or 0)
    return Picture(resend_in_s=0)


def ticked(shown: Picture, seconds: int = 1) -> Picture:
    """The same page some seconds later."""
    left = shown.resend_in_s
    return msgspec.structs.replace(shown, resend_in_s=max(0, left - seconds)) if left else shown


def _with_problem(before: Picture, seen: SignIn) -> Picture:
    try:
        kind = OtpProblem(seen.problem)
    except ValueError:
        text = words.unknown_problem(_seconds(seen.wait_s))
        live = seen.step is SignInStep.CODE_SENT
        return Picture(code_live=live, text=text, is_problem=True, resend_in_s=0)
    live = seen.step is SignInStep.CODE_SENT
    tried_out = seen.tries_left is not None and seen.tries_left <= 0
    wait = _seconds(seen.resend_in_s if seen.resend_in_s is not None else before.resend_in_s) or 0
    if NEXT_STEP[kind] is NextStep.WAIT:
        wait = max(wait, _seconds(seen.wait_s) or 0)
    return Picture(
        code_live=live and kind not in _KILLS_THE_CODE and not tried_out,
        text=words.problem(kind, seen.tries_left, _seconds(seen.wait_s)),
        is_problem=True,
        resend_in_s=None if NEXT_STEP[kind] is NextStep.STOP else wait,
    )


def _seconds(seconds: float | None) -> int | None:
    return None if seconds is None else math.ceil(seconds)
