"""What the engine publishes to whoever looks: frozen pictures of the terminal, the sign-in and an attempt."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.day import CheckedZ, X, Z
from pos_app.domain.draining import DrainView
from pos_app.domain.elsewhere import Elsewhere, Proof, Unanswered
from pos_app.domain.figures import DayFigures
from pos_app.domain.membership import StoreView
from pos_app.domain.people import Person
from pos_app.domain.print_job import PrintJob, Why
from pos_app.domain.rebuilt_journal import Rebuilt
from pos_app.domain.receipt import Checked, Receipt
from pos_app.domain.reconcile import Decided, Run
from pos_app.domain.refund import Note, NoteProblem
from pos_app.domain.rights import Act, Grant
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor


class Connection(StrEnum):
    """How the payment service answers just now."""

    UNKNOWN = "unknown"
    CONNECTED = "connected"
    LOST = "lost"
    STRANGE = "answers_not_the_service's"
    SLOW = "slow"
    SIGN_IN_REFUSED = "sign_in_refused"


class Block(StrEnum):
    """Why no new payment may start at this terminal."""

    NONE = ""
    STARTING = "finishing_payments_from_before"
    SIGN_IN_REFUSED = "sign_in_refused"
    NO_TOKEN = "no_access_token"
    IDENTITY_USED_TWICE = "identity_used_twice"
    JOURNAL_HALTED = "journal_halted"
    LOCK_LOST = "lock_lost"
    ENGINE_HALTED = "engine_halted"
    REBUILDING = "rebuilding_the_record"
    UPDATING = "closing_for_an_update"

    @property
    def unrecorded(self) -> bool:
        """Whether what happens now is known to the screen alone (docs/failure-model.md, behaviour H)."""
        return self in (Block.JOURNAL_HALTED, Block.LOCK_LOST)


class DayStep(StrEnum):
    """How far a closing is."""

    OPEN = ""
    ASKING = "asking_about_payments"
    RECONCILING = "reconciling"
    COUNTING = "counting_again"
    INTERRUPTED = "interrupted"


class DayView(msgspec.Struct, frozen=True, kw_only=True):
    """The counter's day as every screen may show it: no takings, so that a handover is blind.

    `number` is that of the Z to come, `began` the wall time since which it counts, `business_date` what it would be
    labelled with now: the day of its newest money, where it has any. `request_id`: of the closing that is under way, or
    was interrupted: finish it or leave it. `asked` of `to_ask` payments have been asked about. `overdue`: somebody
    should close. `has_money`: it took some.
    """

    number: int = 1
    began: str = ""
    business_date: str = ""
    last_z: int = 0
    step: DayStep = DayStep.OPEN
    request_id: str = ""
    asked: int = 0
    to_ask: int = 0
    overdue: bool = False
    has_money: bool = False


class ReconStep(StrEnum):
    """How far a reconciliation is."""

    NONE = ""
    READING = "reading_the_list"
    COMPARING = "comparing"
    ASKING = "asking_about_payments"
    ENDING = "writing_down"


class ReconView(msgspec.Struct, frozen=True, kw_only=True):
    """A reconciliation at a glance: no sums, as every screen may show it.

    `run`: the one under way, else the newest, 0 for none. `rows` of the list were met so far, in `calls` calls; it is
    read down to `back_to`. `asked` of `to_ask` payments have been asked about.
    """

    run: int = 0
    step: ReconStep = ReconStep.NONE
    rows: int = 0
    calls: int = 0
    back_to: str = ""
    asked: int = 0
    to_ask: int = 0


class PrintView(msgspec.Struct, frozen=True, kw_only=True):
    """The printer at a glance. `printer`: its kind, "" where there is none. `auto`: all, ask or off.

    `printing`: the number of the job under way, 0 for none. `why`: what keeps it from printing. `unprinted`: what
    did not print or may not have, oldest first; of more than a screen can hold the newest. `amounts`: of those that
    are receipts, by the job's number, with the currency's code. `waiting`: so many are still to come out, those just
    asked for with them.
    """

    printer: str = ""
    auto: str = "off"
    printing: int = 0
    why: Why = Why.NONE
    unprinted: tuple[PrintJob, ...] = ()
    amounts: dict[int, tuple[Decimal, str]] = {}
    waiting: int = 0


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """The terminal at a glance.

    `locked`: whoever is signed in must give their passcode first. `sessions`: the person_ids whose passcode
    is enough now, because a code by SMS opened their session not long ago or a manager allows it.
    `notes`: refund notes that are promised and neither given nor withdrawn, oldest first; of more than a screen can
    hold the newest, and `notes_more` that are older.
    `new_identity`: why this till has a new installation id (installation.Why), for the manager who is told of it.
    """

    connection: Connection = Connection.UNKNOWN
    block: Block = Block.STARTING
    block_detail: str = ""
    people: tuple[Person, ...] = ()
    signed_in: Person | None = None
    open: tuple[Attempt, ...] = ()
    attention: tuple[Attempt, ...] = ()
    recent: tuple[Attempt, ...] = ()
    overpaid: tuple[Sale, ...] = ()
    notes: tuple[Note, ...] = ()
    notes_more: int = 0
    rebuilt: Rebuilt | None = None
    locked: bool = False
    sessions: tuple[str, ...] = ()
    new_identity: str = ""
    day: DayView = DayView()
    recon: ReconView = ReconView()
    printing: PrintView = PrintView()
    drain: DrainView = DrainView()
    store: StoreView = StoreView()

    @property
    def notes_count(self) -> int:
        """So many refund notes are promised and neither given nor withdrawn."""
        return len(self.notes) + self.notes_more


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """How the till is working on an attempt just now; never journalled.

    `asking` and `next_ask_in_s` are told anew while the line is in trouble; where it is well nobody is shown them.
    `ask_code`: the service refused the last ask with this code, which says nothing of the payment.
    `gives_up_in_s`: until the till lets go by itself; None once it has, or nothing is waited for. `extended`:
    it had waited long enough, and waits on because the customer is under way.
    """

    sending: bool = False
    asking: bool = False
    cancelling: bool = False
    connection: Connection = Connection.CONNECTED
    next_ask_in_s: float | None = None
    ask_code: str = ""
    elapsed_s: float = 0
    gives_up_in_s: float | None = None
    extended: bool = False
    from_before_restart: bool = False
    may_continue: bool = False


class AttemptChanged(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt as it now is, with its sale, the sale's other attempts and what the till does about it."""

    attempt: Attempt
    sale: Sale
    siblings: tuple[Attempt, ...] = ()
    activity: Activity = Activity()
    may_start_another: bool = False


class ChargeOpened(msgspec.Struct, frozen=True):
    """The intent is durable: this is the attempt a Charge became."""

    request_id: str
    attempt_id: str
    sale_id: str


class Decline(StrEnum):
    """Why a Charge was not started; nothing was sent, nothing is open because of it."""

    BLOCKED = "blocked"
    LOOKS_OPEN = "looks_like_one_already_open"
    EARLIER_ATTEMPT_OPEN = "earlier_attempt_open"
    NOT_DURABLE = "cannot_be_recorded"
    BAD_AMOUNT = "bad_amount"
    BAD_NUMBER = "bad_number"
    BAD_TEXT = "bad_text"
    NOT_ALLOWED = "not_allowed"
    UNKNOWN_SALE = "unknown_sale"


class ChargeDeclined(msgspec.Struct, frozen=True):
    """A Charge was not started. `similar` is rule 17's open payment, if that is why."""

    request_id: str
    decline: Decline
    block: Block = Block.NONE
    similar: Attempt | None = None
    similar_age_s: float = 0


class SignInStep(StrEnum):
    """Where the sign-in of a person stands."""

    IDLE = "idle"
    SENDING = "sending"
    CODE_SENT = "code_sent"
    CHECKING = "checking"
    CHOOSE_PASSCODE = "choose_passcode"
    SIGNED_IN = "signed_in"
    REFUSED = "refused"


class Purpose(StrEnum):
    """What a code by SMS, or a passcode, is asked for."""

    SIGN_IN = "sign_in"
    ENROL = "enrol"
    RENUMBER = "renumber"


class SignIn(msgspec.Struct, frozen=True, kw_only=True):
    """The sign-in (or, by `purpose`, an enrolment) as the dialog shows it.

    `problem` is an OtpProblem of domain.otp or a PasscodeProblem of domain.passcode, "" when all is well;
    `by_passcode` says of which. An enrolment that is done comes as SIGNED_IN with its purpose.
    """

    step: SignInStep
    person_id: str = ""
    number_mask: str = ""
    problem: str = ""
    tries_left: int | None = None
    resend_in_s: float | None = None
    wait_s: float | None = None
    resent: bool = False
    purpose: Purpose = Purpose.SIGN_IN
    by_passcode: bool = False
    request_id: str = ""


class StaffProblem(StrEnum):
    """Why a command about people or rights was not carried out."""

    NONE = ""
    NOT_ALLOWED = "not_allowed"
    NOT_SIGNED_IN = "not_signed_in"
    LOCKED = "locked"
    UNKNOWN_PERSON = "unknown_person"
    LAST_MANAGER = "last_manager"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    BAD_NUMBER = "bad_number"
    NUMBER_TAKEN = "number_taken"
    NO_REASON = "no_reason"
    NO_CHANGE = "no_change"
    UNKNOWN_PAYMENT = "unknown_payment"
    PAYMENT_CHANGED = "payment_changed"
    CANNOT_RECORD = "cannot_record"
    CANNOT_READ = "cannot_read"


class StaffAnswered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a ChangePerson, Permit or Approve, or of an Enrol or Renumber that was not begun.

    It is done, and journalled, when both problems are empty. `problem` is a StaffProblem, `passcode` a
    PasscodeProblem of the manager who was to approve. `shown`: the number, for UNMASK_NUMBER alone.
    """

    request_id: str
    problem: StaffProblem = StaffProblem.NONE
    passcode: str = ""
    tries_left: int | None = None
    wait_s: float | None = None
    shown: str = ""


class CommandRefused(msgspec.Struct, frozen=True, kw_only=True):
    """A command about a payment that the person at the till may not have alone: whom it needs, and why."""

    act: Act
    needs: Grant
    attempt_id: str = ""
    problem: StaffProblem = StaffProblem.NOT_ALLOWED


class StaffLine(msgspec.Struct, frozen=True, kw_only=True):
    """One act of a person as it was journalled: `kind` of event, `who` and `whom` by person_id (or an attempt's)."""

    kind: str
    wall: str
    who: str
    whom: str
    reason: str = ""
    content: dict[str, Any] = {}


class StaffLog(msgspec.Struct, frozen=True, kw_only=True):
    """What people did, newest first; the answer to ReadStaffLog. Without lines when there is a problem."""

    request_id: str
    lines: tuple[StaffLine, ...] = ()
    problem: StaffProblem = StaffProblem.NONE


class PaymentsFound(msgspec.Struct, frozen=True, kw_only=True):
    """The next payments that a FindPayments may mean, newest first; none when there is a problem.

    `more`: where to go on, None behind the very first payment. `day_is_over`: what follows is of an earlier
    day than was asked for. `noted`: by payment, what its refund notes come to, but for those that were withdrawn.
    """

    request_id: str
    found: tuple[Attempt, ...] = ()
    noted: dict[str, Decimal] = {}
    more: Cursor | None = None
    day_is_over: bool = False
    problem: StaffProblem = StaffProblem.NONE


class PaymentsSummed(msgspec.Struct, frozen=True, kw_only=True):
    """How many payments of a piece of the day were taken, and how much they are together.

    `more`: where the next piece begins, None when the day is over.
    """

    request_id: str
    count: int = 0
    total: Decimal = Decimal(0)
    more: Cursor | None = None
    problem: StaffProblem = StaffProblem.NONE


class PaymentsCounted(msgspec.Struct, frozen=True, kw_only=True):
    """How many payments a LookThrough has found so far among the `scanned` newest; `is_over`: there are no more.

    `block`: so many rows each ReadRows gives.
    """

    request_id: str
    count: int = 0
    scanned: int = 0
    is_over: bool = False
    block: int = 0
    problem: StaffProblem = StaffProblem.NONE


class PaymentRows(msgspec.Struct, frozen=True, kw_only=True):
    """A block of the payments that were found, the newest first. `noted`: as in PaymentsFound."""

    request_id: str
    block: int
    rows: tuple[Attempt, ...] = ()
    noted: dict[str, Decimal] = {}
    problem: StaffProblem = StaffProblem.NONE


class ToldElsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """What the store told of the shop's counters, newest first; never a payment of this till, and in no sum of it.

    With `problem` nothing was found out: `field` is that of the question which the store did not read, `said` the
    store's own words, `retry_s` how long it wants to be left alone. `proof`: the verdict on a paper, None where none
    was asked about; of `payments` it is that with its number. `since`: from when on it was looked (ISO, "": ever);
    `more`: not all fit; `unread`: so many were told by a newer version.
    """

    request_id: str
    payments: tuple[Elsewhere, ...] = ()
    since: str = ""
    more: bool = False
    unread: int = 0
    proof: Proof | None = None
    problem: Unanswered = Unanswered.NONE
    field: str = ""
    said: str = ""
    retry_s: int = 0


class MembershipRecorded(msgspec.Struct, frozen=True, kw_only=True):
    """That this counter joined a store (`joined`) or left it is written, or with `problem` that it is not, and why.

    `told`: whether the store that was left has heard it.
    """

    request_id: str
    joined: bool = True
    told: bool = True
    problem: StaffProblem = StaffProblem.NONE


class DayProblem(StrEnum):
    """Why a command about the counter's day was not carried out."""

    NONE = ""
    CANNOT_RECORD = "cannot_record"
    CANNOT_READ = "cannot_read"
    BEING_CLOSED = "being_closed"
    NO_SUCH_CLOSING = "no_such_closing"
    NO_SUCH_Z = "no_such_z"
    NO_LIST = "no_list"
    """Nothing is asked of the service just now: its list is read for a record that was begun anew."""
    NO_SUCH_RUN = "no_such_run"
    NO_REASON = "no_reason"


class XRead(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken so far; None when there is a problem."""

    request_id: str
    report: X | None = None
    problem: DayProblem = DayProblem.NONE


class ZChecked(msgspec.Struct, frozen=True, kw_only=True):
    """What a Z's paper is to this till's journal; None where there is a problem."""

    request_id: str
    checked: CheckedZ | None = None
    problem: DayProblem = DayProblem.NONE


class ZRead(msgspec.Struct, frozen=True, kw_only=True):
    """The Zs that were asked for. `proven`: each is as it was closed, and follows the one before it."""

    request_id: str
    reports: tuple[Z, ...] = ()
    proven: bool = True
    problem: DayProblem = DayProblem.NONE


class FiguresRead(msgspec.Struct, frozen=True, kw_only=True):
    """What the pictures of a day show; None when there is a problem."""

    request_id: str
    figures: DayFigures | None = None
    problem: DayProblem = DayProblem.NONE


class DayClosed(msgspec.Struct, frozen=True, kw_only=True):
    """The day is closed: with its Z for a manager, for a cashier who may close with their `own` part alone.

    Both are None when there is a problem, or when an interrupted closing was left.
    """

    request_id: str
    z: Z | None = None
    own: X | None = None
    problem: DayProblem = DayProblem.NONE


class ReconEnded(msgspec.Struct, frozen=True, kw_only=True):
    """What a reconciliation came to, or that there is one already; None where there is a problem."""

    request_id: str
    run: Run | None = None
    problem: DayProblem = DayProblem.NONE


class DifferencesRead(msgspec.Struct, frozen=True, kw_only=True):
    """The next differences of a run. `more`: there are others behind the last of them."""

    request_id: str
    run: Run | None = None
    found: tuple[Decided, ...] = ()
    more: bool = False
    problem: DayProblem = DayProblem.NONE


class DifferencesDecided(msgspec.Struct, frozen=True, kw_only=True):
    """So many differences are signed for."""

    request_id: str
    count: int = 0
    problem: DayProblem = DayProblem.NONE


class NoteAnswered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a wish about a refund note: the note as it is then; None where there is a problem."""

    request_id: str
    note: Note | None = None
    problem: NoteProblem = NoteProblem.NONE


class NotesRead(msgspec.Struct, frozen=True, kw_only=True):
    """The refund notes of a payment, by number. `room`: so much of it can still be noted."""

    request_id: str
    attempt_id: str
    notes: tuple[Note, ...] = ()
    room: Decimal = Decimal(0)
    problem: NoteProblem = NoteProblem.NONE


class PrintProblem(StrEnum):
    """Why nothing is printed."""

    NONE = ""
    NO_PRINTER = "no_printer"
    NO_RECEIPT = "no_receipt"
    ORIGINAL_USED = "original_used"
    NO_SUCH_JOB = "no_such_job"
    CANNOT_RECORD = "cannot_record"
    CANNOT_READ = "cannot_read"


class PrintAnswered(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a wish about paper: the job as it is then."""

    request_id: str
    job: PrintJob | None = None
    problem: PrintProblem = PrintProblem.NONE


class ReceiptProblem(StrEnum):
    """Why there is no receipt of a payment, or no verdict on one."""

    NONE = ""
    UNKNOWN_PAYMENT = "unknown_payment"
    NOT_PAID = "not_paid"
    NOT_KNOWN_YET = "not_known_yet"
    NO_NUMBER = "no_number"
    """Paid under a version that gave none, or found again after a journal was lost."""
    CANNOT_READ = "cannot_read"
    """The journal cannot be read, or what it says is older than what the till knows."""
    NO_CODE = "no_code"
    """The text is no receipt's."""


class ReceiptRead(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on a payment's receipt, or on the note of a dispute; None where there is a problem."""

    request_id: str
    attempt_id: str
    receipt: Receipt | None = None
    problem: ReceiptProblem = ReceiptProblem.NONE


class ReceiptChecked(msgspec.Struct, frozen=True, kw_only=True):
    """What a paper is to this till's journal; None where there is a problem."""

    request_id: str
    checked: Checked | None = None
    problem: ReceiptProblem = ReceiptProblem.NONE


StaffNews = StaffAnswered | CommandRefused | StaffLog | MembershipRecorded
LookedUp = PaymentsFound | PaymentsSummed | PaymentsCounted | PaymentRows | ToldElsewhere
ReceiptNews = ReceiptRead | ReceiptChecked
NoteNews = NoteAnswered | NotesRead
ReconNews = ReconEnded | DifferencesRead | DifferencesDecided
DayNews = XRead | ZRead | ZChecked | FiguresRead | DayClosed | ReconNews
Published = (
    Terminal
    | AttemptChanged
    | ChargeOpened
    | ChargeDeclined
    | SignIn
    | StaffNews
    | LookedUp
    | ReceiptNews
    | NoteNews
    | DayNews
    | PrintAnswered
)
