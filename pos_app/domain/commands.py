"""What people (and the till itself) want: imperative, frozen, posted to the engine; facts are in facts.py."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Kind, Reason, State
from pos_app.domain.print_job import PaperKind
from pos_app.domain.receipt import Receipt
from pos_app.domain.refund import NoteReason, NoteWay
from pos_app.domain.search import FindPayments, LookThrough, ReadRows, SumPayments
from pos_app.domain.shipping import FindRequest


class Charge(msgspec.Struct, frozen=True, kw_only=True):
    """Take `amount` from a customer. With `sale_id`: another attempt of that sale (amount must be equal).

    `another_customer` is the answer to rule 17's question; `request_id` comes back in ChargeOpened or
    ChargeDeclined so that the asker knows its own.
    """

    request_id: str
    kind: Kind
    amount: Decimal
    who: str
    wallet_number: str = ""
    invoice_number: str = ""
    payment_reference: str = ""
    prices: tuple[Decimal, ...] = ()
    sale_id: str = ""
    another_customer: bool = False
    give_up_after_s: float | None = None
    extendable: bool = True


class Cancel(msgspec.Struct, frozen=True):
    """Cancel this attempt: a durable wish (rule 6)."""

    attempt_id: str
    who: str


class CheckNow(msgspec.Struct, frozen=True):
    """Ask about this attempt at once. `at_closing`: for a Z that is being made; it decides on one contradiction."""

    attempt_id: str
    who: str = ""
    at_closing: bool = False


class Park(msgspec.Struct, frozen=True):
    """Serve the next customer; asking goes on. Does not release.

    `note`: whose payment it is, in a word or two ("red cap"), at most NOTE_MOST characters; None leaves what is noted.
    """

    attempt_id: str
    who: str
    note: str | None = None


class LeavePanel(msgspec.Struct, frozen=True):
    """The attempt's panel was closed for good by the person at the till."""

    attempt_id: str
    who: str = ""


class Continue(msgspec.Struct, frozen=True):
    """Rule 12 after a restart: go on with this attempt (re-send only if the tap is at most 60 s old)."""

    attempt_id: str
    who: str


class Close(msgspec.Struct, frozen=True):
    """Rule 12 / 3a: make sure this id can never take money: re-send the same bytes and cancel at once."""

    attempt_id: str
    who: str


class Answer(msgspec.Struct, frozen=True):
    """Settles a late or crossed payment ("complete" | "refund") or signs off ("paid" | "not_paid").

    The name that is written is the one on the list of whoever does it; `name` counts only where nobody signs in.
    "refund" makes a refund note of what is left of the payment: `way`, `receiver` as in NoteRefund. `beside`: the
    cashier at the till beside whom a manager does it; the gate fills it in, whatever is claimed. `seen`: state and
    reason of the payment as whoever answers was asked about it: refused where it stands otherwise by now. None: as
    it now is.
    """

    attempt_id: str
    action: str
    name: str
    reason: str
    who: str = ""
    way: NoteWay = NoteWay.CASH
    receiver: str = ""
    beside: str = ""
    seen: tuple[State, Reason] | None = None


class SignRefund(msgspec.Struct, frozen=True):
    """A manager signs the refund of an overpaid sale (rule 9); what is not noted yet is noted.

    The rest as in Answer.
    """

    sale_id: str
    name: str
    reason: str
    who: str = ""
    way: NoteWay = NoteWay.CASH
    receiver: str = ""
    beside: str = ""


class NoteRefund(msgspec.Struct, frozen=True, kw_only=True):
    """Write down that money of a payment goes back outside this till. Answered by NoteAnswered.

    `text`: in words, needed where `why` is OTHER; `receiver`: who gets it, needed for a transfer. `name`, `beside`: as
    in Answer.
    """

    request_id: str
    attempt_id: str
    amount: Decimal
    why: NoteReason
    way: NoteWay
    text: str = ""
    receiver: str = ""
    name: str = ""
    who: str = ""
    beside: str = ""


class GiveNote(msgspec.Struct, frozen=True, kw_only=True):
    """The money of a note was handed over, and its slip is signed. Answered by NoteAnswered."""

    request_id: str
    number: int
    name: str = ""
    who: str = ""


class WithdrawNote(msgspec.Struct, frozen=True, kw_only=True):
    """A manager takes back a note that is only promised. Answered by NoteAnswered."""

    request_id: str
    number: int
    reason: str
    name: str = ""
    who: str = ""


class ReadNotes(msgspec.Struct, frozen=True, kw_only=True):
    """The refund notes of a payment, and how much of it can still be noted. Answered by NotesRead."""

    request_id: str
    attempt_id: str
    who: str = ""


NoteWish = NoteRefund | GiveNote | WithdrawNote
NoteCommand = NoteWish | ReadNotes


class SendOtp(msgspec.Struct, frozen=True):
    """Send a sign-in code to a person on the list of cashiers."""

    person_id: str


class SubmitOtp(msgspec.Struct, frozen=True):
    """The code as typed: six ASCII digits."""

    person_id: str
    code: str


class EnrolFirst(msgspec.Struct, frozen=True):
    """This person is to be the manager, once a code sent to the number proves it: at a first start, else by the
    administrator of the machine where no manager is on the list."""

    name: str
    number: str


class SignOut(msgspec.Struct, frozen=True):
    """Whoever is signed in leaves."""


class ReadX(msgspec.Struct, frozen=True, kw_only=True):
    """Read what was taken so far: one person's own (`whose`), or with "" the whole till's. Answered by XRead."""

    request_id: str
    whose: str = ""
    who: str = ""


class ReadZ(msgspec.Struct, frozen=True, kw_only=True):
    """Read a Z again, by its number or of a business date (ISO); the newest with neither. Answered by ZRead."""

    request_id: str
    number: int = 0
    business_date: str = ""
    who: str = ""


class CloseDay(msgspec.Struct, frozen=True, kw_only=True):
    """Close the day, or finish a closing that was interrupted. A `request_id` that has closed gets the same Z again.

    `wait_s`: so long, at most a minute, answers of the service are waited for. `reconcile`: the day is compared with
    the service's list, for two minutes at most; LeaveReconciling closes without. `number`: that of the Z that is meant,
    so that who was still being asked when it was made closes no other day; 0: whichever is open. Answered by DayClosed.
    """

    request_id: str
    who: str = ""
    wait_s: float = 60.0
    reconcile: bool = True
    number: int = 0


class LeaveClosing(msgspec.Struct, frozen=True, kw_only=True):
    """An interrupted closing is not gone on with; the day stays open. Answered by DayClosed."""

    request_id: str
    who: str = ""


class Reconcile(msgspec.Struct, frozen=True, kw_only=True):
    """Compare our payments with the service's list: the open day's, a Z's (`z`), or those of a time.

    `first`, `last`: local time, "2026-03-01 00:00:00", both included. A Z of whose day a run was complete is compared
    once more only `again`. A run that was broken off is gone on with; that of the open day, if nothing was tapped
    since. Answered by ReconEnded.
    """

    request_id: str
    first: str = ""
    last: str = ""
    z: int = 0
    again: bool = False
    who: str = ""


class LeaveReconciling(msgspec.Struct, frozen=True, kw_only=True):
    """Go on without it: a closing closes, a run that somebody wanted ends as it is."""

    request_id: str
    who: str = ""


class ReadDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """The next differences of a run (0: the newest), behind the one of this key. Answered by DifferencesRead."""

    request_id: str
    run: int = 0
    after: str = ""
    who: str = ""


class DecideDifferences(msgspec.Struct, frozen=True, kw_only=True):
    """A manager signs that these are looked after: by their keys, or all open ones of a class (`kind`) of a run.

    No payment is changed by it. Answered by DifferencesDecided.
    """

    request_id: str
    run: int
    reason: str
    keys: tuple[str, ...] = ()
    kind: str = ""
    who: str = ""


class ReadFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Read what the pictures of a day show: of a Z by its number, or with 0 of the open day.

    Answered by FiguresRead.
    """

    request_id: str
    number: int = 0
    who: str = ""


class PrintPaper(msgspec.Struct, frozen=True, kw_only=True):
    """Print a receipt (`about`: its attempt), a Z (its number), an X (whose; "": the whole till's), a slip of a refund
    note (the note's number) or a test page.

    `again`: a copy is meant where the original may lie on paper already; without it that is refused. What waits for
    the printer is tried at once instead. Answered by PrintAnswered.

    `receipt`: of an ELSEWHERE, what is copied; `about` is its attempt, and `again` is meant.
    """

    request_id: str
    paper: PaperKind
    about: str = ""
    again: bool = False
    who: str = ""
    receipt: Receipt | None = None


class AnswerPrint(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says of a job that may be on paper: it is there (`seen`), or it is printed again, as a copy.

    Answered by PrintAnswered.
    """

    request_id: str
    number: int
    seen: bool
    who: str = ""


class LeavePrint(msgspec.Struct, frozen=True, kw_only=True):
    """Nobody wants this job's paper any more. Answered by PrintAnswered."""

    request_id: str
    number: int
    who: str = ""


PrintCommand = PrintPaper | AnswerPrint | LeavePrint


class ReadReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on a payment's receipt, as the journal has it. Answered by ReceiptRead."""

    request_id: str
    attempt_id: str
    who: str = ""


class CheckReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """Is this paper ours and unchanged? `text`: what its code holds. Answered by ReceiptChecked."""

    request_id: str
    text: str
    who: str = ""


class CheckZ(msgspec.Struct, frozen=True, kw_only=True):
    """Is this journal still that of a Z's paper? `text`: what its code holds. Answered by ZChecked."""

    request_id: str
    text: str
    who: str = ""


class LookElsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """Ask the store for payments of the shop's counters: by `sought`, or by what a receipt's code holds (`text`).

    Another question before this one is answered takes its place. Answered by ToldElsewhere.
    """

    request_id: str
    sought: FindRequest = FindRequest()
    text: str = ""
    who: str = ""


ReceiptCommand = ReadReceipt | CheckReceipt
ReconCommand = Reconcile | LeaveReconciling | ReadDifferences | DecideDifferences
DayCommand = ReadX | ReadZ | CheckZ | ReadFigures | CloseDay | LeaveClosing
AttemptCommand = Cancel | CheckNow | Park | LeavePanel | Continue | Close | Answer
Looking = FindPayments | SumPayments | LookThrough | ReadRows | LookElsewhere
Command = (
    Charge
    | AttemptCommand
    | SignRefund
    | NoteCommand
    | SendOtp
    | SubmitOtp
    | EnrolFirst
    | SignOut
    | Looking
    | ReceiptCommand
    | DayCommand
    | ReconCommand
    | PrintCommand
)
