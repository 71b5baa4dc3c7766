"""What an exercise can see: the till's pictures, the service's ledger, the learner's decisions. It judges nothing."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.views import AttemptChanged, Terminal

TAKEN = frozenset({"Customer Approved", "Payment Success"})
"""From here on the customer's money is gone, or as good as gone."""

OPENED = TAKEN | {"Verification Success"}
"""The customer has the request or the code in front of them; a cancel comes too late."""


class Decision(StrEnum):
    """What the learner does with the goods; the till has no button for it."""

    HAND_OVER = "hand_over"
    NO_GOODS = "no_goods"
    WAIT = "wait"


class Customer(msgspec.Struct, frozen=True):
    """Who stands at the counter: the bill, and the number they say; a later one corrects an earlier one."""

    amount: Decimal
    numbers: tuple[str, ...] = ()


class Row(msgspec.Struct, frozen=True):
    """A payment as the service's own ledger has it."""

    external_id: str
    status: str
    account: str = ""


class Decided(msgspec.Struct, frozen=True):
    """A decision with what was true when it was taken. `gone`: the attempt could take no money any more."""

    decision: Decision
    sale_id: str
    paid: bool
    taken: bool
    refunded: bool
    gone: bool


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """Since the exercise began. `changes`: each attempt of it as it now is, in the order they were opened.

    `doubled`: those begun while an earlier one could take the same money. `is_clean`: nothing of an earlier
    exercise is left at the sandbox. `papers`: how many sheets came out of the printer, whole. `copied`: whose
    receipts were asked for once more, as attempt ids. `began_z`: the last Z before the exercise.
    """

    customers: tuple[Customer, ...]
    terminal: Terminal
    began_with: str = ""
    changes: tuple[AttemptChanged, ...] = ()
    doubled: frozenset[str] = frozenset()
    rows: tuple[Row, ...] = ()
    decided: tuple[Decided, ...] = ()
    said: tuple[Decision, ...] = ()
    restarts: int = 0
    is_clean: bool = False
    papers: int = 0
    copied: frozenset[str] = frozenset()
    began_z: int = 0

    def attempts_of(self, who: int) -> tuple[Attempt, ...]:
        """What was charged to this customer: told apart by the bill, as a cashier does."""
        amount = self.customers[who].amount
        return tuple(each.attempt for each in self.changes if each.attempt.amount == amount)

    def last_of(self, who: int) -> Attempt | None:
        """The newest of them."""
        attempts = self.attempts_of(who)
        return attempts[-1] if attempts else None

    def row_of(self, attempt: Attempt | None) -> Row | None:
        """The ledger's word on an attempt, as far as it is known."""
        if attempt is None:
            return None
        return next((row for row in self.rows if row.external_id == attempt.attempt_id), None)

    @property
    def at_hand(self) -> Attempt | None:
        """Whose goods lie on the counter: the newest sale that nothing was decided of."""
        settled = {each.sale_id for each in self.decided}
        return next(
            (each.attempt for each in reversed(self.changes) if each.attempt.sale_id not in settled), None
        )

    @property
    def other_amounts(self) -> tuple[Attempt, ...]:
        """What was charged that is nobody's bill."""
        bills = {customer.amount for customer in self.customers}
        return tuple(each.attempt for each in self.changes if each.attempt.amount not in bills)

    @property
    def unnoticed(self) -> tuple[Attempt, ...]:
        """Those that the customer could still pay, and that nobody has begun to cancel."""
        return tuple(
            each for each in self.other_amounts if not each.lets_another_start and each.cancel_wish is None
        )

    @property
    def noticed(self) -> bool:
        """A wrong amount was seen and cancelled before it took any money."""
        return any(each.state is State.CANCELLED and each.gave_up_at is None for each in self.other_amounts)

    def decide(self, decision: Decision) -> Decided | None:
        """The decision about what is at hand, with the facts of now; None when nothing is."""
        attempt = self.at_hand
        if attempt is None:
            return None
        same_sale = [each.attempt for each in self.changes if each.attempt.sale_id == attempt.sale_id]
        rows = [self.row_of(each) for each in same_sale]
        settled = [each.resolution for each in same_sale if each.resolution is not None]
        return Decided(
            decision=decision,
            sale_id=attempt.sale_id,
            paid=any(is_paid(each) for each in same_sale),
            taken=any(row is not None and row.status in TAKEN for row in rows),
            refunded=any(each.action == "refund" for each in settled),
            gone=all(each.lets_another_start for each in same_sale),
        )


def is_paid(attempt: Attempt) -> bool:
    """By the till's own word, or by a manager's."""
    if attempt.state is State.SIGNED_OFF:
        return attempt.resolution is not None and attempt.resolution.action == "paid"
    return attempt.state in MONEY
