"""What people want of the sign-in, of each other's rights and of the till's set-up: commands, posted to the engine.

Every command names its `request_id`, which comes back in the answer (views.py), so that the asker knows its own.
A passcode is a `Secret`: it shows itself to no log and no repr.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pos_app.domain.commands import (
    Answer,
    AnswerPrint,
    Cancel,
    Close,
    CloseDay,
    Continue,
    GiveNote,
    LeaveClosing,
    LeavePrint,
    LeaveReconciling,
    NoteRefund,
    PrintPaper,
    ReadX,
    SignRefund,
    WithdrawNote,
)
from pos_app.domain.people import Role
from pos_app.domain.rights import Act
from pos_app.domain.secret import Secret


class EnterPasscode(msgspec.Struct, frozen=True):
    """Unlock, switch to this person, or sign in without an SMS where a manager allows it."""

    person_id: str
    passcode: Secret


class ChoosePasscode(msgspec.Struct, frozen=True):
    """Whoever has just signed in, or is signed in, sets their own. At the first sign-in the till opens then."""

    passcode: Secret


class ChooseLanguage(msgspec.Struct, frozen=True):
    """Whoever is signed in says in which language the screen and their SMS speak to them; "": the counter's."""

    language: str


class Lock(msgspec.Struct, frozen=True):
    """Lock the screen; `idle`: nobody touched it, which never locks while a payment waits for its customer."""

    idle: bool = False


class Enrol(msgspec.Struct, frozen=True, kw_only=True):
    """A manager puts somebody on the list; the code sent to the number proves it (SubmitOtp)."""

    request_id: str
    name: str
    number: str
    role: Role
    reason: str
    language: str = ""


class Renumber(msgspec.Struct, frozen=True, kw_only=True):
    """A manager gives somebody another number, proved by a code sent to the new one (SubmitOtp)."""

    request_id: str
    person_id: str
    number: str
    reason: str


class LeaveEnrolment(msgspec.Struct, frozen=True):
    """The enrolment or new number under way is given up."""


class ChangePerson(msgspec.Struct, frozen=True, kw_only=True):
    """A manager changes what is not None. `reset_passcode`: forgotten, or dead of wrong ones."""

    request_id: str
    person_id: str
    reason: str
    name: str | None = None
    role: Role | None = None
    enabled: bool | None = None
    language: str | None = None
    passcode_signs_in: bool | None = None
    reset_passcode: bool = False


class Permit(msgspec.Struct, frozen=True, kw_only=True):
    """Something done outside the engine (settings, secrets, diagnostics, unmasking, leaving the kiosk).

    `about`: what it is done to (an attempt's id for UNMASK_NUMBER). `content` is journalled; no secret in it.
    """

    request_id: str
    act: Act
    reason: str
    about: str = ""
    content: dict[str, Any] = {}


OfAMoment = Cancel | Close | Continue | Answer | SignRefund | NoteRefund | GiveNote | WithdrawNote | Permit
OfPaper = PrintPaper | AnswerPrint | LeavePrint
Approvable = OfAMoment | ReadX | CloseDay | LeaveClosing | LeaveReconciling | OfPaper
"""What a manager may approve beside the cashier who is signed in."""


class Approve(msgspec.Struct, frozen=True, kw_only=True):
    """A second person, a manager, does this one thing by their passcode; the cashier stays signed in."""

    request_id: str
    command: Approvable
    manager_id: str
    passcode: Secret
    reason: str


class ReadStaffLog(msgspec.Struct, frozen=True, kw_only=True):
    """A manager looks at what people did, newest first: answered by views.StaffLog.

    `person_id`: by this person or about them alone; `day`: "2026-11-22", of the shop's clock. "": all.
    """

    request_id: str
    limit: int = 200
    person_id: str = ""
    day: str = ""


SignInCommand = EnterPasscode | ChoosePasscode | ChooseLanguage | Lock
PeopleCommand = Enrol | Renumber | LeaveEnrolment | ChangePerson
StaffCommand = SignInCommand | PeopleCommand | Permit | Approve | ReadStaffLog
