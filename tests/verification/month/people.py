"""Who stands before and behind the counter for a month: customers, two cashiers of whom one cheats, and a manager."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from pos_app.domain.attempt import OPEN, Kind, State
from pos_app.domain.commands import (
    Answer,
    Cancel,
    Charge,
    Close,
    CloseDay,
    Continue,
    LeavePanel,
    Reconcile,
    SignRefund,
)
from pos_app.domain.ids import sale_and_number
from pos_app.domain.secret import Secret
from pos_app.domain.staff import EnterPasscode
from pos_app.domain.views import (
    AttemptChanged,
    ChargeDeclined,
    ChargeOpened,
    DayStep,
    Decline,
    Published,
    ReconStep,
)
from tests.verification.month.plan import (
    CLOSES,
    DAY,
    DISHONEST,
    HANDOVER,
    HONEST,
    HOUR,
    MINUTE,
    SECOND,
    Plan,
)
from tests.verification.simulation.gateway import SUCCESS, Gateway, Request, Transaction
from tests.verification.simulation.network import Schedule
from tests.verification.simulation.roll import MANAGER, PASSCODE
from tests.verification.simulation.story import Customer
from tests.verification.simulation.till import SimTill

MANAGER_COMES = CLOSES - 10 * MINUTE
PATIENCE = 6
"""So often a customer lets the cashier try once more where the till takes nothing."""

AGAIN = 20 * SECOND
LOOKS_UP = 3 * DAY
"""A payment of which nobody has heard for so long is signed off by the manager, who has called the service."""


class People:
    """Everybody. `now`: true time in ms; `gateway` is set once it is there."""

    gateway: Gateway

    def __init__(self, plan: Plan, schedule: Schedule, now: Callable[[], int]) -> None:
        self._plan = plan
        self._schedule = schedule
        self._now = now
        self._retries = [each.retries for each in plan.sales]
        self._tries: Counter[int] = Counter()
        self._begun: set[str] = set()
        self._left: set[str] = set()
        self._retried: set[str] = set()
        self._newest: dict[int, tuple[str, State]] = {}
        self._sale_of: dict[int, str] = {}
        self._tidied: set[str] = set()
        self.walked_off = 0
        """Customers whom the till would not serve: nothing was sent for them."""
        self.pocketed: set[str] = set()
        """Payments that the cheat cancelled to be paid elsewhere."""

    # Customers.

    def _customer(self, request: Request) -> Customer:
        place = _place(request.invoice_number)
        if not 0 <= place < len(self._plan.sales):
            return Customer()
        _, number = sale_and_number(request.external_merchant_transaction_id)
        customers = self._plan.sales[place].customers
        return customers[min(number, len(customers)) - 1]

    def refusal(self, request: Request) -> str:
        """Whether the service refuses this customer."""
        return self._customer(request).refused

    def arrived(self, transaction: Transaction) -> None:
        """A phone rings; a code has yet to be seen."""
        if transaction.kind == Kind.PUSH:
            self._begin(transaction)

    def _begin(self, transaction: Transaction) -> None:
        external_id = transaction.request.external_merchant_transaction_id
        if external_id in self._begun:
            return
        self._begun.add(external_id)
        at = self._now()
        for delay, status in self._customer(transaction.request).steps:
            at += delay
            self._schedule(at, self._step(external_id, status))

    def _step(self, external_id: str, status: str) -> Callable[[], None]:
        def step() -> None:
            self.gateway.move(self._now(), external_id, status)

        return step

    # Cashiers.

    def on_shift(self) -> str:
        """Whose hours they are."""
        within = self._now() % DAY
        if within >= MANAGER_COMES or within < 8 * HOUR:
            return MANAGER
        return HONEST if within < HANDOVER else DISHONEST

    def come(self, till: SimTill) -> None:
        """Whoever's hours they are signs in, if somebody else is, or nobody."""
        signed_in = till.terminal.signed_in
        if signed_in is None or signed_in.person_id != self.on_shift() or till.terminal.locked:
            till.tell(EnterPasscode(self.on_shift(), Secret(PASSCODE)))

    def sell(self, till: SimTill, place: int, *, again: bool = False, another_customer: bool = False) -> None:
        """A tap on Charge, or on "try again"."""
        sale = self._plan.sales[place]
        sale_id = self._sale_of.get(place, "") if again else ""
        if again and not sale_id:
            return
        if not till.alive:
            self._later(till, place, again=again)
            return
        till.tell(
            Charge(
                request_id=str(place),
                kind=sale.kind,
                amount=sale.amount,
                who=_who(till),
                wallet_number=sale.number,
                invoice_number=f"INV-{place}",
                sale_id=sale_id,
                another_customer=another_customer,
            )
        )

    def _later(self, till: SimTill, place: int, *, again: bool) -> None:
        self._tries[place] += 1
        if self._tries[place] > PATIENCE:
            self.walked_off += 1
            return
        self._schedule(self._now() + AGAIN, lambda: self.sell(till, place, again=again))

    def published(self, till: SimTill, picture: Published) -> None:
        """Somebody looks at the screen."""
        match picture:
            case ChargeOpened(request_id=request_id) if request_id:
                self._opened(till, int(request_id), picture)
            case AttemptChanged():
                self._looked(till, picture)
            case ChargeDeclined(request_id=request_id) if request_id:
                self._not_started(till, int(request_id), picture.decline)

    def _opened(self, till: SimTill, place: int, opened: ChargeOpened) -> None:
        sale, attempt_id = self._plan.sales[place], opened.attempt_id
        self._sale_of[place] = opened.sale_id
        self._newest[place] = (attempt_id, State.INTENT)
        if sale.pocketed:
            self.pocketed.add(attempt_id)
        self._schedule(self._now() + sale.cancels_after, lambda: self._give_up_on(till, place, attempt_id))

    def _give_up_on(self, till: SimTill, place: int, attempt_id: str) -> None:
        newest, state = self._newest.get(place, ("", State.INTENT))
        if newest == attempt_id and state in OPEN and till.alive:
            till.tell(Cancel(attempt_id, _who(till)))

    def _looked(self, till: SimTill, picture: AttemptChanged) -> None:
        attempt = picture.attempt
        place = _place(attempt.invoice_number)
        if place < 0:
            return
        if attempt.qr_showable and (transaction := till.transaction(attempt.attempt_id)) is not None:
            self._begin(transaction)
        if attempt.attempt_id >= self._newest.get(place, ("", State.INTENT))[0]:
            self._newest[place] = (attempt.attempt_id, attempt.state)
        over = attempt.is_final or attempt.state is State.UNRESOLVED
        if over and attempt.attempt_id not in self._left:
            self._left.add(attempt.attempt_id)
            self._schedule(self._now() + 4_000, lambda: till.tell(LeavePanel(attempt.attempt_id)))
        offers = picture.may_start_another and attempt.is_final and attempt.attempt_id not in self._retried
        if offers and self._retries[place] > 0:
            self._retried.add(attempt.attempt_id)
            self._retries[place] -= 1
            self._schedule(self._now() + 3_000, lambda: self.sell(till, place, again=True))

    def _not_started(self, till: SimTill, place: int, decline: Decline) -> None:
        if decline is Decline.LOOKS_OPEN:
            again = place in self._sale_of
            self._schedule(
                self._now() + 1_000, lambda: self.sell(till, place, again=again, another_customer=True)
            )
        elif decline in (Decline.NOT_ALLOWED, Decline.BLOCKED):
            self.come(till)
            self._later(till, place, again=False)

    def restarted(self, till: SimTill) -> None:
        """The cashier is asked about each payment from before: one after the other goes on, or is closed."""
        self.come(till)
        for at, attempt in enumerate(till.terminal.open):
            if at % 3 < 2:
                answer = Close if at % 3 else Continue
                self._schedule(self._now() + 2_000, partial(_answer_start, till, answer, attempt.attempt_id))

    # The manager.

    def tidy(self, till: SimTill) -> None:
        """Goes through the list of what waits for an answer, having asked the customers and called the service."""
        if not till.working:
            return
        for attempt in till.journal.needs_answer():
            paid = self._is_paid(attempt.attempt_id)
            match attempt.state:
                case State.PAID | State.PAID_LATE:
                    self._answer(
                        till, attempt.attempt_id, "complete" if hash_of(attempt.attempt_id) % 3 else "refund"
                    )
                case State.DISPUTED:
                    self._answer(till, attempt.attempt_id, "paid" if paid else "not_paid")
                case State.UNRESOLVED if till.clock.now() - attempt.tapped_at > LOOKS_UP:
                    self._answer(till, attempt.attempt_id, "paid" if paid else "not_paid")
        for sale in till.journal.overpaid_sales():
            till.tell(SignRefund(sale.sale_id, "Nimali", "given back in cash", MANAGER))

    def _answer(self, till: SimTill, attempt_id: str, action: str) -> None:
        till.tell(Answer(attempt_id, action, "Nimali", "as agreed with the customer", MANAGER))

    def _is_paid(self, attempt_id: str) -> bool:
        found = self.gateway.ledger.get(attempt_id)
        return found is not None and found.status == SUCCESS

    def close_day(self, till: SimTill, request_id: str) -> None:
        """A closing that was interrupted is finished first; of a day it is the only one."""
        if not till.working:
            return
        day = till.terminal.day
        if day.step is DayStep.INTERRUPTED:
            till.tell(CloseDay(request_id=day.request_id, who=_who(till)))
        elif day.step is DayStep.OPEN:
            till.tell(CloseDay(request_id=request_id, who=_who(till)))

    def compare(self, till: SimTill, number: int) -> None:
        """A day that was closed without the service's list is compared with it."""
        if till.working and till.terminal.recon.step is ReconStep.NONE:
            till.tell(Reconcile(request_id=f"z{number}", z=number, who=_who(till)))


def _place(invoice: str) -> int:
    return int(invoice[4:]) if invoice.startswith("INV-") else -1


def _who(till: SimTill) -> str:
    person = till.terminal.signed_in
    return person.person_id if person is not None else ""


def _answer_start(till: SimTill, answer: type[Close | Continue], attempt_id: str) -> None:
    till.tell(answer(attempt_id, _who(till)))


def hash_of(text: str) -> int:
    """The same in each run."""
    return sum(map(ord, text))
