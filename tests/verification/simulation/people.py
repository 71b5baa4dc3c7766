"""Cashiers and customers: react to what screens and phones show, as the story tells them to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from pos_app.domain.attempt import MONEY, OPEN, Kind, State
from pos_app.domain.commands import (
    Answer,
    AnswerPrint,
    Cancel,
    Charge,
    CheckNow,
    Close,
    CloseDay,
    Continue,
    EnrolFirst,
    GiveNote,
    LeaveClosing,
    LeavePanel,
    LeavePrint,
    Park,
    ReadX,
    SendOtp,
    SubmitOtp,
    WithdrawNote,
)
from pos_app.domain.ids import sale_and_number
from pos_app.domain.print_job import JobState
from pos_app.domain.rights import Act as Right
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode, Permit
from pos_app.domain.views import (
    AttemptChanged,
    ChargeDeclined,
    ChargeOpened,
    DayStep,
    Decline,
    Published,
    SignIn,
    SignInStep,
)
from tests.verification.simulation.calls import RIGHT_PIN
from tests.verification.simulation.gateway import Gateway, Request, Transaction
from tests.verification.simulation.network import Schedule
from tests.verification.simulation.roll import PASSCODE
from tests.verification.simulation.staff import Staff, note_wish, paper
from tests.verification.simulation.story import Act, Customer, Story
from tests.verification.simulation.till import SimTill

WHO = "person-1"
UNCOMPARED = 16
"""Of a closing's value: the day is closed without the service's list."""

MANAGER_NUMBER = "+94770000001"
_WISHES: dict[str, type[Cancel | Close | Park | Continue]] = {
    "cancel": Cancel,
    "close": Close,
    "park": Park,
    "continue": Continue,
}


class People:
    """Everybody outside the tills. `now` is true time in ms; `gateway` is set once it is there."""

    gateway: Gateway

    def __init__(self, story: Story, schedule: Schedule, now: Callable[[], int]) -> None:
        self._story = story
        self._schedule = schedule
        self._now = now
        self._sales: dict[int, str] = {}
        self._asked: dict[int, tuple[bool, bool]] = {}
        """By place, whether it was last asked for once more, and by QR."""
        self._newest: dict[int, str] = {}
        self._states: dict[int, State] = {}
        self._retries = {place: plan.retries for place, plan in enumerate(story.sales)}
        self._acting: set[tuple[str, str]] = set()
        self._retried: set[str] = set()
        self._restarts = count()
        self._interrupted = count()
        self._right_pin = True
        self._staff = Staff(schedule, now, self.charge)
        self.at_rest = False
        """No new charges, only customers who finish what they began."""
        self.declined: list[tuple[int, str]] = []
        """(sale, why) of each charge that was not started."""

    def _place(self, invoice: str) -> int:
        return int(invoice[4:]) if invoice.startswith("INV-") else -1

    def _customer(self, request: Request) -> Customer:
        """Who stands before the till with this attempt: by the sale's plan and the attempt's own number."""
        place = self._place(request.invoice_number)
        if not 0 <= place < len(self._story.sales):
            return Customer()
        customers = self._story.sales[place].customers
        _, number = sale_and_number(request.external_merchant_transaction_id)
        return customers[min(number, len(customers)) - 1]

    def refusal(self, request: Request) -> str:
        """Whether the service refuses this customer."""
        return self._customer(request).refused

    def arrived(self, transaction: Transaction) -> None:
        """A phone rings; a QR has yet to be seen."""
        if transaction.kind == Kind.PUSH:
            self._begin(transaction)

    def _begin(self, transaction: Transaction) -> None:
        external_id = transaction.request.external_merchant_transaction_id
        if (transaction.gateway.origin, external_id) in self._acting:
            return
        self._acting.add((transaction.gateway.origin, external_id))
        at = self._now()
        for delay, status in self._customer(transaction.request).steps:
            at += delay
            self._schedule(at, self._step(transaction, status))

    def _step(self, transaction: Transaction, status: str) -> Callable[[], None]:
        external_id = transaction.request.external_merchant_transaction_id

        def step() -> None:
            transaction.gateway.move(self._now(), external_id, status)

        return step

    def forget(self, till: SimTill) -> None:
        """Whoever stands at a till knows of a sale what it shows; one that it lost is not there to be tapped."""
        for place, newest in list(self._newest.items()):
            if self._story.sales[place].till == till.index and not till.journal.knows(newest):
                for known in (self._sales, self._newest, self._states):
                    known.pop(place, None)

    def published(self, till: SimTill, picture: Published) -> None:
        """Somebody looks at the screen."""
        match picture:
            case ChargeOpened(request_id=request_id) if request_id:
                place = int(request_id)
                self._sales[place] = picture.sale_id
                self._newest[place] = picture.attempt_id
            case AttemptChanged():
                self._looked(till, picture)
            case ChargeDeclined(request_id=request_id) if request_id:
                self._not_started(till, int(request_id), picture)
            case SignIn(step=SignInStep.CODE_SENT, problem=""):
                pin, who = RIGHT_PIN if self._right_pin else "111111", picture.person_id
                self._schedule(self._now() + 8_000, lambda: till.tell(SubmitOtp(who, pin)))
            case SignIn(step=SignInStep.CHOOSE_PASSCODE, problem=""):
                self._schedule(self._now() + 5_000, lambda: till.tell(ChoosePasscode(Secret(PASSCODE))))

    def _looked(self, till: SimTill, picture: AttemptChanged) -> None:
        attempt = picture.attempt
        place = self._place(attempt.invoice_number)
        if place < 0:
            return
        if attempt.qr_showable:
            transaction = till.transaction(attempt.attempt_id)
            if transaction is not None:
                self._begin(transaction)
        if till.index != self._story.sales[place].till:
            return  # a clone's screen: the customer looks at it, the cashier stands at the other
        self._sales[place] = attempt.sale_id
        newest = self._newest.get(place, "")
        if not newest or attempt.attempt_id >= newest:
            self._newest[place] = attempt.attempt_id
            self._states[place] = attempt.state
        offers = picture.may_start_another and attempt.attempt_id not in self._retried
        if offers and self._retries[place] > 0 and attempt.is_final:
            self._retried.add(attempt.attempt_id)
            self._retries[place] -= 1
            self._schedule(self._now() + 3_000, lambda: self.charge(till, place, again=True))

    def _not_started(self, till: SimTill, place: int, declined: ChargeDeclined) -> None:
        self.declined.append((place, declined.decline.value))
        if self._story.staffed:
            self._staff.declined(till, place, declined)
        if declined.decline is Decline.LOOKS_OPEN and self._story.sales[place].insists:
            again, qr = self._asked.get(place, (False, False))
            self._schedule(
                self._now() + 1_000,
                lambda: self.charge(till, place, again=again, qr=qr, another_customer=True),
            )

    def charge(
        self,
        till: SimTill,
        place: int,
        *,
        again: bool = False,
        qr: bool = False,
        another_customer: bool = False,
    ) -> None:
        """A tap on Charge, or on "try again" of the same sale."""
        plan = self._story.sales[place]
        sale_id = self._sales.get(place, "") if again else ""
        if self.at_rest or (again and not sale_id):
            return
        self._asked[place] = (again, qr)
        kind = Kind.QR if qr or plan.kind is Kind.QR else Kind.PUSH
        command = Charge(
            request_id=str(place),
            kind=kind,
            amount=plan.amount,
            who=self._who(till),
            wallet_number=plan.number if kind is Kind.PUSH else "",
            invoice_number=f"INV-{place}",
            sale_id=sale_id,
            another_customer=another_customer,
            give_up_after_s=plan.give_up_s,
        )
        till.tell(command)

    def _who(self, till: SimTill) -> str:
        return self._staff.who(till) if self._story.staffed else WHO

    def act(self, till: SimTill, act: Act) -> None:
        """One deed of the story."""
        attempt_id = self._newest.get(act.sale, "")
        match act.verb:
            case "cancel" | "close" | "park" | "continue" if attempt_id:
                till.tell(_WISHES[act.verb](attempt_id, self._who(till)))
            case "check" if attempt_id:
                till.tell(CheckNow(attempt_id))
            case "leave" if attempt_id:
                till.tell(LeavePanel(attempt_id))
            case "another":
                self.charge(till, act.sale, again=True, qr=bool(act.value % 2))
            case "complete" | "refund" | "paid" | "not_paid" if attempt_id:
                till.tell(Answer(attempt_id, act.verb, "Nimali", "as agreed with the customer"))
            case "lose_patience" if attempt_id and self._states.get(act.sale) in OPEN:
                till.tell(Cancel(attempt_id, self._who(till)))
                self._schedule(self._now() + 20_000, lambda: self._try_otherwise(till, act.sale))
            case "enrol":
                self._right_pin = act.value % 2 == 0
                till.tell(EnrolFirst("Nimali", MANAGER_NUMBER))
            case "send_code":
                till.tell(SendOtp(WHO))
            case "power_cut":
                till.die(act.value)
            case "push_clock" if till.alive:
                till.push_clock(act.value)
            case "read_x":
                whose = ("", self._who(till), "person-2")[act.value % 3]
                till.tell(ReadX(request_id=f"x {act.at}", whose=whose, who=self._who(till)))
            case "close_day":
                self._close_day(till, act)
            case "print" if attempt_id:
                till.tell(paper(act, attempt_id, self._who(till)))
            case "note" if attempt_id:
                till.tell(note_wish(act, attempt_id, self._story.sales[act.sale].amount, self._who(till)))
            case "give" | "withdraw":
                self._end_note(till, act)
            case "update":
                till.update(act.value // 4, strict=bool(act.value & 1), end=bool(act.value & 2))
            case "leave_update":
                till.leave_update()
            case "put_off":
                till.tell(Permit(request_id=f"u {act.at}", act=Right.PUT_OFF_UPDATE, reason="A queue"))
            case "look":
                self._look(till, act)
            case _ if self._story.staffed:
                self._staff.act(till, act, attempt_id)

    def _end_note(self, till: SimTill, act: Act) -> None:
        """One that the screen shows as promised, or where it shows none the first there ever was."""
        shown = till.terminal.notes
        number = shown[act.value % len(shown)].number if shown else 1
        about: dict[str, Any] = {"request_id": f"e {act.at}", "number": number, "who": self._who(till)}
        if act.verb == "give":
            till.tell(GiveNote(**about))
        else:
            till.tell(WithdrawNote(**about, reason="noted by mistake"))

    def _look(self, till: SimTill, act: Act) -> None:
        """Somebody goes to the printer, and says of each paper in question that it is there, or wants it again."""
        for job in till.terminal.printing.unprinted:
            answer: dict[str, Any] = {
                "request_id": f"l {act.at}",
                "number": job.number,
                "who": self._who(till),
            }
            if job.state is JobState.UNKNOWN:
                till.tell(AnswerPrint(**answer, seen=not act.value % 2))
            elif act.value % 4 == 3:
                till.tell(LeavePrint(**answer))

    def _close_day(self, till: SimTill, act: Act) -> None:
        """A tap, often two, and perhaps once more when the screen seems to hang."""
        request_id = f"{till.index}/{act.at}"

        def tap() -> None:
            wait_s = (0.0, 5.0, 60.0)[act.value % 3]
            compares = not act.value & UNCOMPARED
            till.tell(CloseDay(request_id=request_id, who=self._who(till), wait_s=wait_s, reconcile=compares))

        tap()
        if act.value & 4:
            tap()
        if act.value & 8:
            self._schedule(self._now() + 40_000, tap)

    def _try_otherwise(self, till: SimTill, place: int) -> None:
        """The customer still stands there and wants to pay by QR."""
        if self._states.get(place) not in MONEY:
            self.charge(till, place, again=True, qr=True)

    def restarted(self, till: SimTill) -> None:
        """The cashier is asked about each payment from before: Continue, Close, or wait."""
        choices = self._story.after_restart
        for attempt in till.terminal.open:
            match choices[next(self._restarts) % len(choices)]:
                case "continue":
                    till.tell(Continue(attempt.attempt_id, self._who(till)))
                case "close":
                    till.tell(Close(attempt.attempt_id, self._who(till)))
        day = till.terminal.day
        if day.step is DayStep.INTERRUPTED:
            finish = next(self._interrupted) % 3 != 2
            answer = CloseDay if finish else LeaveClosing
            till.tell(answer(request_id=day.request_id, who=self._who(till)))
