"""What the sign-in shows, code and passcode, for each thing the engine says. Pure: no widget, no command."""

from __future__ import annotations

import math
from enum import StrEnum

import msgspec

from pos_app.domain.otp import OtpProblem
from pos_app.domain.passcode import FEWEST, MOST, PasscodeProblem
from pos_app.domain.people import Person
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.passcode import words as passcode_words
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
    None when none may be sent here at all. `is_wrong`: the code that was tried is not the one that was sent.
    `text_after`: in place of a text that names a wait, once it is over.
    """

    code_live: bool = False
    sending: bool = False
    checking: bool = False
    done: bool = False
    text: str = ""
    text_after: str = ""
    is_problem: bool = False
    is_wrong: bool = False
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
    if not shown.resend_in_s:
        return shown
    left = max(0, shown.resend_in_s - seconds)
    text = shown.text if left else shown.text_after or shown.text
    return msgspec.structs.replace(shown, resend_in_s=left, text=text)


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
    waits = NEXT_STEP[kind] is NextStep.WAIT
    if waits:
        wait = max(wait, _seconds(seen.wait_s) or 0)
    return Picture(
        code_live=live and kind not in _KILLS_THE_CODE and not tried_out,
        text=words.problem(kind, seen.tries_left, _seconds(seen.wait_s)),
        text_after=words.problem(kind, seen.tries_left, None) if waits else "",
        is_problem=True,
        is_wrong=kind is OtpProblem.WRONG_CODE,
        resend_in_s=None if NEXT_STEP[kind] is NextStep.STOP else wait,
    )


def _seconds(seconds: float | None) -> int | None:
    return None if seconds is None else math.ceil(seconds)


class PasscodeStep(StrEnum):
    """What the person can do about a problem."""

    TYPE = "type the passcode again"
    WAIT = "wait, then type it again"
    CHOOSE = "choose another passcode"
    SMS = "a code by SMS"
    STOP = "nothing here: someone else, or the manager"


PASSCODE_STEP = {
    PasscodeProblem.NONE: PasscodeStep.TYPE,
    PasscodeProblem.WRONG: PasscodeStep.TYPE,
    PasscodeProblem.BUSY: PasscodeStep.TYPE,
    PasscodeProblem.WAIT: PasscodeStep.WAIT,
    PasscodeProblem.DEAD: PasscodeStep.SMS,
    PasscodeProblem.NOT_SET: PasscodeStep.SMS,
    PasscodeProblem.NEEDS_SMS: PasscodeStep.SMS,
    PasscodeProblem.TOO_SHORT: PasscodeStep.CHOOSE,
    PasscodeProblem.TOO_LONG: PasscodeStep.CHOOSE,
    PasscodeProblem.NOT_DIGITS: PasscodeStep.CHOOSE,
    PasscodeProblem.TOO_EASY: PasscodeStep.CHOOSE,
    PasscodeProblem.SAME_AS_BEFORE: PasscodeStep.CHOOSE,
    PasscodeProblem.UNKNOWN_PERSON: PasscodeStep.STOP,
    PasscodeProblem.NOT_A_MANAGER: PasscodeStep.STOP,
    PasscodeProblem.CANNOT_RECORD: PasscodeStep.STOP,
}


class PasscodePicture(msgspec.Struct, frozen=True, kw_only=True):
    """The page with the dots, wholly: a widget only has to show it. `wait_s`: until the next try is looked at."""

    text: str = ""
    is_problem: bool = False
    checking: bool = False
    done: bool = False
    wait_s: int = 0
    step: PasscodeStep = PasscodeStep.TYPE

    @property
    def has_field(self) -> bool:
        """Whether typing a passcode can still help."""
        return self.step not in (PasscodeStep.SMS, PasscodeStep.STOP)

    @property
    def may_type(self) -> bool:
        """Whether the field takes digits now."""
        return self.has_field and not (self.checking or self.done or self.wait_s)


def passcode_picture(seen: SignIn) -> PasscodePicture:
    """What is shown after the engine said `seen` of a passcode that was typed."""
    if seen.step is SignInStep.CHECKING:
        return PasscodePicture(checking=True, text=passcode_words.CHECKING)
    if seen.step is SignInStep.SIGNED_IN and not seen.problem:
        return PasscodePicture(done=True)
    if not seen.problem:
        return PasscodePicture()
    return problem_picture(seen.problem, seen.tries_left, seen.wait_s)


def problem_picture(problem: str, tries_left: int | None, wait_s: float | None) -> PasscodePicture:
    """A PasscodeProblem by its value, as SignIn and StaffAnswered carry it."""
    wait = math.ceil(wait_s or 0)
    try:
        kind = PasscodeProblem(problem)
    except ValueError:
        return PasscodePicture(text=passcode_words.UNKNOWN, is_problem=True, wait_s=wait)
    return PasscodePicture(
        text=passcode_words.problem(kind, tries_left, wait),
        is_problem=True,
        wait_s=wait,
        step=PASSCODE_STEP[kind],
    )


def needs_sms(seen: SignIn) -> bool:
    """Whether a choice was refused because only a code by SMS shows who is there."""
    return seen.by_passcode and seen.problem == PasscodeProblem.NEEDS_SMS


def waited(shown: PasscodePicture) -> PasscodePicture:
    """The same page a second later."""
    return msgspec.structs.replace(shown, wait_s=max(0, shown.wait_s - 1))


def problem_of_typing(text: str) -> PasscodeProblem:
    """What cannot be anybody's passcode is not sent: it would cost a try."""
    if not text.isascii() or not text.isdigit():
        return PasscodeProblem.NOT_DIGITS
    return PasscodeProblem.TOO_LONG if len(text) > MOST else PasscodeProblem.NONE


def may_be_passcode(text: str) -> bool:
    """Whether this, in a field of another kind, looks like one."""
    return len(text) >= FEWEST and not problem_of_typing(text)


def may_use_passcode(person: Person, sessions: tuple[str, ...]) -> bool:
    """Whether this person's passcode is worth asking for: it is set, alive and enough just now."""
    return person.passcode_set and not person.passcode_dead and person.person_id in sessions
