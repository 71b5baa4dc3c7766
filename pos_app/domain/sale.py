"""A sale: what the customer owes, and the attempts made for it one after the other."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, Kind, Resolution, State


class Sale(msgspec.Struct, frozen=True, kw_only=True):
    """What is owed. `sale_id` is the number people say aloud ("0123"), unique in one journal.

    `prices`: what the amount was added up of, () where it was typed as one.
    """

    sale_id: str
    amount: Decimal
    currency: str
    counter_id: int
    owner: str
    opened_at: int
    invoice_number: str = ""
    payment_reference: str = ""
    prices: tuple[Decimal, ...] = ()
    overpaid: bool = False
    refund: Resolution | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """All that an initiate's body is made of; `amount` has exactly the currency's digits."""

    kind: Kind
    attempt_id: str
    amount: Decimal
    merchant_id: str
    counter_id: int
    transaction_date_time: str
    wallet_number: str = ""
    invoice_number: str = ""
    payment_reference: str = ""


def may_start_another(attempts: tuple[Attempt, ...]) -> bool:
    """Rule 5: whether a new attempt of the sale (or cash) is allowed after these."""
    return all(attempt.lets_another_start for attempt in attempts)


def to_give_way(attempts: tuple[Attempt, ...]) -> dict[str, str]:
    """Open attempts of one sale (oldest first) that must not take money any more, each with the one it yields to.

    An earlier attempt that had ended, and so let a later one start, may still come to money, to a dispute, or
    alive again: then the sale is no longer the later one's; one that is merely alive again is itself cancelled.
    """
    yielding: dict[str, str] = {}
    for place, earlier in enumerate(attempts[:-1]):
        if earlier.lets_another_start:
            continue
        for later in attempts[place + 1 :]:
            if not later.is_final:
                yielding.setdefault(later.attempt_id, earlier.attempt_id)
        if earlier.is_open or earlier.state is State.UNRESOLVED:
            yielding.setdefault(earlier.attempt_id, attempts[-1].attempt_id)
    return {
        attempt.attempt_id: yielding[attempt.attempt_id]
        for attempt in attempts
        if attempt.attempt_id in yielding and attempt.cancel_wish is None
    }


def is_overpaid(attempts: tuple[Attempt, ...]) -> bool:
    """Rule 9: two attempts of one sale took money."""
    return sum(attempt.state in MONEY for attempt in attempts) >= 2
