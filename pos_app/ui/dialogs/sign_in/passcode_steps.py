"""What the passcode pages show for each thing the engine says. Pure: it owns no widget and posts no command."""

from __future__ import annotations

import math
from enum import StrEnum

import msgspec

from pos_app.domain.passcode import MOST, PasscodeProblem
from pos_app.domain.people import Person
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.passcode import words


class PasscodeStep(StrEnum):
    """What the person can do about a problem."""

    TYPE = "type the passcode again"
    WAIT = "wait, then type it again"
    CHOOSE = "choose another passcode"
    SMS = "a code by SMS"
    STOP = "nothing here: someone else, or the manager"


NEXT_STEP = {
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
        return PasscodePicture(checking=True, text=words.CHECKING)
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
        return PasscodePicture(text=words.UNKNOWN, is_problem=True, wait_s=wait)
    return PasscodePicture(
        text=words.problem(kind, tries_left, wait), is_problem=True, wait_s=wait, step=NEXT_STEP[kind]
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


def may_use_passcode(person: Person, sessions: tuple[str, ...]) -> bool:
    """Whether this person's passcode is worth asking for: it is set, alive and enough just now."""
    return person.passcode_set and not person.passcode_dead and person.person_id in sessions
