"""A payment of another counter of the shop, as the store tells it: looked at, proven by its receipt, copied. Pure.

It is never a payment of this till: no state, sum, list or report of this counter's has it, and nothing here says that
money came. What proves a paper is the check code that the payment's own counter made of its own key.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from hmac import compare_digest

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.receipt import CODE_LENGTH, Receipt, Scanned, receipt_of, shown_number
from pos_app.domain.shipping import FindRequest, FoundPayment


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """`attempt`: as its counter shipped it last. `counter`, `counter_id`, `installation`: which counter that is.

    `told`: when the store received it (ISO, UTC): it may be over by now. `paid_at`, `check`: "" where there is no
    receipt that could be proven.
    """

    attempt: Attempt
    counter: str
    counter_id: int
    installation: str
    told: str
    paid_at: str = ""
    check: str = ""


def elsewhere_of(found: FoundPayment) -> Elsewhere | None:
    """What was found, as this version reads it; None for what a newer one wrote, or what is no payment."""
    try:
        attempt = msgspec.convert(found.attempt, Attempt)
    except (msgspec.ValidationError, ArithmeticError):
        return None
    return Elsewhere(
        attempt=attempt,
        counter=found.counter,
        counter_id=found.counter_id,
        installation=found.installation,
        told=found.told,
        paid_at=found.paid_at,
        check=found.check,
    )


def receipt_elsewhere(payment: Elsewhere) -> Receipt | None:
    """Its receipt with the code that its own counter made, to be copied; None where it has none, or is in dispute."""
    made = receipt_of(payment.attempt, payment.paid_at)
    if made is None or made.is_note or len(payment.check) != CODE_LENGTH:
        return None
    return msgspec.structs.replace(made, check=payment.check)


class Proof(StrEnum):
    """What a paper of another counter is to the store."""

    UNCHANGED = "unchanged"
    """Number, payment, amount and time are what that counter told."""
    CHANGED = "changed"
    """The number is one of that counter's, and something else on the paper is not what it told."""
    MISSING = "missing"
    """No counter of this shop has told that number: forged, another shop's, or not told yet."""
    UNPROVEN = "unproven"
    """The payment is there, and its counter told no code."""


def asked_for(scanned: Scanned) -> FindRequest:
    """What the store is asked for a paper."""
    return FindRequest(id=scanned.number)


def proof_of(scanned: Scanned, payments: Iterable[Elsewhere]) -> tuple[Proof, Elsewhere | None]:
    """The verdict on a paper, and the payment that has its number."""
    payment = next((each for each in payments if shown_number(each.attempt) == scanned.number), None)
    if payment is None:
        return Proof.MISSING, None
    if not payment.check:
        return Proof.UNPROVEN, payment
    is_same = payment.attempt.attempt_id == scanned.attempt_id and compare_digest(
        payment.check, scanned.check
    )
    return (Proof.UNCHANGED if is_same else Proof.CHANGED), payment
