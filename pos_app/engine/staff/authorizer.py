"""The one place where a command's right is judged, before anything else hears of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeGuard

import msgspec
from msgspec.structs import replace

from pos_app.domain.commands import (
    Answer,
    AnswerPrint,
    Cancel,
    Charge,
    CheckNow,
    CheckReceipt,
    CheckZ,
    Close,
    CloseDay,
    Command,
    Continue,
    DecideDifferences,
    EnrolFirst,
    GiveNote,
    LeaveClosing,
    LeavePanel,
    LeavePrint,
    LeaveReconciling,
    LookElsewhere,
    NoteRefund,
    Park,
    PrintPaper,
    ReadDifferences,
    ReadFigures,
    ReadNotes,
    ReadReceipt,
    ReadX,
    ReadZ,
    Reconcile,
    SendOtp,
    SignOut,
    SignRefund,
    SubmitOtp,
    WithdrawNote,
)
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.print_job import PaperKind
from pos_app.domain.refund import MOST_RECEIVER
from pos_app.domain.rights import RIGHTS, Act, Grant, may
from pos_app.domain.search import FindPayments, LookThrough, ReadRows, SumPayments
from pos_app.domain.staff import (
    Approve,
    ChangePerson,
    ChooseLanguage,
    ChoosePasscode,
    Enrol,
    EnterPasscode,
    LeaveEnrolment,
    Lock,
    Permit,
    ReadStaffLog,
    Renumber,
    StaffCommand,
)
from pos_app.domain.text import clean_text, typed_text
from pos_app.domain.views import StaffProblem
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.live_payments import LivePayments

AnyCommand = Command | StaffCommand

ACTS: Mapping[type[msgspec.Struct], Act] = {
    Charge: Act.CHARGE,
    CheckNow: Act.CHECK,
    Park: Act.PARK,
    LeavePanel: Act.LEAVE,
    Cancel: Act.CANCEL,
    Continue: Act.CONTINUE,
    Close: Act.CLOSE,
    SignRefund: Act.SIGN_REFUND,
    NoteRefund: Act.REFUND,
    GiveNote: Act.GIVE_REFUND,
    WithdrawNote: Act.WITHDRAW_REFUND,
    ReadNotes: Act.FIND_PAYMENTS,
    ChoosePasscode: Act.CHOOSE_PASSCODE,
    ChooseLanguage: Act.CHOOSE_LANGUAGE,
    Enrol: Act.ENROL,
    Renumber: Act.RENUMBER,
    ChangePerson: Act.CHANGE_PERSON,
    ReadStaffLog: Act.READ_STAFF_LOG,
    FindPayments: Act.FIND_PAYMENTS,
    SumPayments: Act.SEE_SUMS,
    LookThrough: Act.READ_HISTORY,
    ReadRows: Act.READ_HISTORY,
    LookElsewhere: Act.FIND_PAYMENTS,
    ReadReceipt: Act.FIND_PAYMENTS,
    CheckReceipt: Act.FIND_PAYMENTS,
    ReadX: Act.READ_X,
    ReadZ: Act.READ_X,
    CheckZ: Act.FIND_PAYMENTS,
    ReadFigures: Act.SEE_SUMS,
    CloseDay: Act.CLOSE_DAY,
    LeaveClosing: Act.CLOSE_DAY,
    LeaveReconciling: Act.CLOSE_DAY,
    Reconcile: Act.RECONCILE,
    ReadDifferences: Act.RECONCILE,
    DecideDifferences: Act.RECONCILE,
    LeavePrint: Act.PRINT,
}
"""What each command is an act of; an Answer, a Permit and a wish for paper say it themselves."""

ANSWERS: Mapping[str, Act] = {
    "complete": Act.COMPLETE,
    "refund": Act.REFUND,
    "paid": Act.SIGN_OFF,
    "not_paid": Act.SIGN_OFF,
}

OF_PAPER: Mapping[bool, Act] = {False: Act.PRINT, True: Act.REPRINT}
"""By whether a copy is meant."""

PERMITS = frozenset(
    {
        Act.UNMASK_NUMBER,
        Act.CHANGE_SETTINGS,
        Act.CHANGE_SECRETS,
        Act.TEST_CONNECTION,
        Act.DIAGNOSTICS,
        Act.LEAVE_KIOSK,
        Act.RENEW_IDENTITY,
        Act.PUT_OFF_UPDATE,
        Act.EXPORT,
        Act.EXPORT_NUMBERS,
        Act.JOIN_STORE,
    }
)
"""What a Permit may be asked for: all else is a command of its own."""

NEEDS_NO_RIGHT: Mapping[type[msgspec.Struct], str] = {
    SendOtp: "it is how somebody signs in",
    SubmitOtp: "it is how somebody signs in",
    EnterPasscode: "it is how somebody signs in",
    EnrolFirst: "obeyed only while nobody is on the list",
    SignOut: "leaving is always allowed",
    Lock: "locking is always allowed",
    LeaveEnrolment: "giving up is always allowed",
    Approve: "the manager's passcode is the right: judged as that manager's wish by approvals.py",
}

WISHES = frozenset({*ACTS, *NEEDS_NO_RIGHT, Answer, Permit, PrintPaper, AnswerPrint})
"""What the authorizer knows; the engine does no command that is not among them."""

OF_THE_RULES = frozenset({Act.SIGN_OFF, Act.SIGN_REFUND})
"""Rules 5 and 9 name a manager, whether or not this till has people sign in."""


class Allowed(msgspec.Struct, frozen=True):
    """The command in the name of whoever has the right: what they claimed to be called is gone from it."""

    command: Any
    actor: str
    name: str = ""


class Refused(msgspec.Struct, frozen=True):
    """Nothing happens. `actor`: who stood at the till, as far as anybody can know."""

    act: Act
    problem: StaffProblem
    actor: str = TERMINAL

    @property
    def needs(self) -> Grant:
        """Who could do it."""
        return RIGHTS[self.act]


class Staff(Protocol):
    """The sign-in, as the authorizer sees it. `choosing`: whose first passcode is being chosen just now."""

    @property
    def people(self) -> tuple[Person, ...]: ...
    @property
    def signed_in(self) -> Person | None: ...
    @property
    def locked(self) -> bool: ...
    @property
    def choosing(self) -> Person | None: ...


def is_command(event: object) -> TypeGuard[AnyCommand]:
    """Whether the authorizer must judge it."""
    return type(event) in WISHES


def is_anothers(command: AnyCommand, person_id: str) -> bool:
    """Whether it was somebody else's tap, which a switch of cashiers has overtaken."""
    return getattr(command, "who", "") not in ("", TERMINAL, person_id)


def act_of(command: AnyCommand) -> Act | None:
    """None: it needs no right."""
    match command:
        case Answer():
            return ANSWERS.get(command.action, Act.SIGN_OFF)
        case Permit():
            return command.act
        case PrintPaper(again=again):
            return OF_PAPER[again]
        case AnswerPrint(seen=seen):
            return OF_PAPER[not seen]
        case _:
            return ACTS.get(type(command))


class Authorizer:
    """Judges by who is signed in at this moment; knows nobody's screen and believes no command's name."""

    def __init__(self, config: EngineConfig, staff: Staff, live_payments: LivePayments) -> None:
        self._required = config.sign_in_required
        self._opened = config.opened_acts
        self._staff = staff
        self._live_payments = live_payments

    def take_config(self, config: EngineConfig) -> None:
        """Whether people must sign in, from the next command on."""
        self._required = config.sign_in_required
        self._opened = config.opened_acts

    @property
    def present(self) -> Person | None:
        """Who is signed in, as the list now has them; nobody behind a lock."""
        signed_in = self._staff.signed_in
        return None if signed_in is None or self._staff.locked else self.on_list(signed_in.person_id)

    def on_list(self, person_id: str) -> Person | None:
        """Somebody on the list."""
        return next((each for each in self._staff.people if each.person_id == person_id), None)

    def absent(self) -> StaffProblem:
        """Why nobody is there who could want anything; NONE when somebody is, or need not be."""
        if not self._required or self.present is not None:
            return StaffProblem.NONE
        locked = self._staff.signed_in is not None and self._staff.locked
        return StaffProblem.LOCKED if locked else StaffProblem.NOT_SIGNED_IN

    def judge(self, command: AnyCommand) -> Allowed | Refused:
        """What is allowed comes back in the name of whoever is signed in, whatever name it claimed."""
        act, person = act_of(command), self.present
        if act is None:
            return Allowed(command, TERMINAL if person is None else person.person_id)
        if not self._required:
            return self._unsigned(command, act, person)
        if RIGHTS[act] is Grant.ANYBODY:
            return in_name_of(command, person)
        chooser = self._staff.choosing if isinstance(command, ChoosePasscode) else None
        if chooser is not None:
            return Allowed(command, chooser.person_id, chooser.name)
        if person is None:
            return Refused(act, self.absent())
        if is_anothers(command, person.person_id):
            return Refused(act, StaffProblem.NOT_SIGNED_IN, person.person_id)
        return self.judge_for(command, person)

    def judge_for(self, command: AnyCommand, person: Person) -> Allowed | Refused:
        """Whether this person has the right, who is signed in or has just proved to be there."""
        act = act_of(command)
        if act is None:
            return Allowed(command, person.person_id, person.name)
        if isinstance(command, Permit) and act not in PERMITS:
            return Refused(act, StaffProblem.NOT_ALLOWED, person.person_id)
        owner = self._owner(command)
        if owner is None:
            return Refused(act, StaffProblem.UNKNOWN_PAYMENT, person.person_id)
        if not may(act, person, owner, self._opened):
            return Refused(act, StaffProblem.NOT_ALLOWED, person.person_id)
        if self._is_overtaken(command):
            return Refused(act, StaffProblem.PAYMENT_CHANGED, person.person_id)
        return in_name_of(command, person)

    def _is_overtaken(self, command: AnyCommand) -> bool:
        """Whether it answers a question about a payment that has changed since: nobody has answered the one it asks."""
        if not isinstance(command, Answer) or command.seen is None:
            return False
        attempt = self._live_payments.known(command.attempt_id)
        return attempt is not None and command.seen != (attempt.state, attempt.reason)

    def _owner(self, command: AnyCommand) -> str | None:
        """Whose payment it is about; TERMINAL for what is about none, None for one that nobody knows."""
        match command:
            case SignRefund():
                sale = self._live_payments.sale(command.sale_id)
                return None if sale is None else sale.owner
            case Cancel() | Close() | Continue() | Park() | Answer() | NoteRefund():
                attempt = self._live_payments.known(command.attempt_id)
                return None if attempt is None else attempt.owner
            case ReadX(whose=whose):
                return whose  # "": the whole till's, which is nobody's own
            case ReadZ():
                return ""
            case PrintPaper(paper=paper, about=about, again=again):
                return self._owner_of_paper(paper, about, again=again)
            case AnswerPrint() | LeavePrint():
                job = self._live_payments.print_job(command.number)
                again = isinstance(command, AnswerPrint) and not command.seen
                return None if job is None else self._owner_of_paper(job.paper, job.about, again=again)
            case _:
                return TERMINAL

    def _owner_of_paper(self, paper: PaperKind, about: str, *, again: bool) -> str | None:
        match paper:
            case PaperKind.RECEIPT:
                attempt = self._live_payments.known(about)
                return None if attempt is None else self._live_payments.printable_by(attempt, again=again)
            case PaperKind.X:
                return about
            case (
                PaperKind.Z | PaperKind.PICTURES | PaperKind.SLIP | PaperKind.SHOP_SLIP | PaperKind.ELSEWHERE
            ):
                return ""
            case PaperKind.TEST:
                return TERMINAL

    def _unsigned(self, command: AnyCommand, act: Act, person: Person | None) -> Allowed | Refused:
        """The account of the machine is the right; only what the rules themselves ask of a manager is asked here."""
        if isinstance(command, Permit) and act not in PERMITS:
            return Refused(act, StaffProblem.NOT_ALLOWED)
        if act in OF_THE_RULES and not may(act, person):
            return Refused(act, StaffProblem.NOT_ALLOWED)
        if self._is_overtaken(command):
            return Refused(act, StaffProblem.PAYMENT_CHANGED)
        if isinstance(command, Named) and person is not None:
            return in_name_of(command, person)
        command = _readable(command)
        return Allowed(command, getattr(command, "who", "") or TERMINAL, getattr(command, "name", ""))


Named = Answer | SignRefund | NoteRefund | GiveNote | WithdrawNote
"""What is written down with the name of whoever wants it."""


def _readable(command: AnyCommand) -> AnyCommand:
    """What was typed as name, reason and receiver is written into the journal, and stands on reports.

    Nobody stands beside whoever wants it, unless approvals.py has seen them.
    """
    if isinstance(command, Named):
        command = replace(command, name=clean_text(command.name))
    if isinstance(command, Answer | SignRefund | WithdrawNote):
        command = replace(command, reason=typed_text(command.reason))
    if isinstance(command, Answer | SignRefund | NoteRefund):
        command = replace(command, receiver=typed_text(command.receiver, MOST_RECEIVER), beside="")
    return command


def in_name_of(command: AnyCommand, person: Person | None) -> Allowed:
    """The same command, with the actor's id and the name on the list."""
    actor, name = (TERMINAL, "") if person is None else (person.person_id, person.name)
    if isinstance(command, Named):
        command = replace(_readable(command), who=actor, name=name)
    elif hasattr(command, "who"):
        command = replace(command, who=actor)
    return Allowed(command, actor, name)
