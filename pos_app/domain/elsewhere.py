"""A payment of another counter of the shop, as the store tells it: looked at, proven by its receipt, copied. Pure.

It is never a payment of this till: no state, sum, list or report of this counter's has it, and nothing here says that
money came. What proves a paper is the check code that the payment's own counter made of its own key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from hmac import compare_digest

import msgspec

from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.ids import ALPHABET
from pos_app.domain.receipt import CODE_LENGTH, Receipt, Scanned, receipt_of, shown_number
from pos_app.domain.shipping import FindRequest, FoundPayment
from pos_app.domain.text import clean_text
from pos_app.domain.told_attempt import attempt_told, moment_of

MOST_NAME = 60
"""Signs of a counter's name."""


class Unanswered(StrEnum):
    """Why nothing was found out: neither that there is such a payment, nor that there is none."""

    NONE = ""
    NO_STORE = "none"
    """This counter belongs to no store, or has taken another identity since it joined."""
    AWAY = "away"
    REFUSED = "refused"
    """The store does not take this counter's questions: its key was taken back, or is not known there."""
    BUSY = "busy"
    FIELD = "field"
    """What was asked is beyond what the store reads."""
    NO_CODE = "no_code"
    """The text is no receipt's."""
    NOT_ALLOWED = "not_allowed"
    """Nobody is signed in, or the till is locked."""


class NotFoundOut(Exception):
    """There is no answer, and why; the text is for people. `field`: of the request, where it is about one.

    `retry_s`: how long the store wants to be left alone; 0 where it did not say.
    """

    def __init__(self, why: Unanswered, text: str, *, field: str = "", retry_s: float = 0.0) -> None:
        super().__init__(text)
        self.why = why
        self.field = field
        self.retry_s = retry_s


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """`attempt`: as its counter shipped it last. `counter`, `counter_id`, `installation`: which counter that is.

    `told`: when the store received it (ISO, UTC): it may be over by now. `paid_at`, `check`: "" where there is no
    receipt that could be proven. `is_own`: this counter's, or of an installation that it was.
    """

    attempt: Attempt
    counter: str
    counter_id: int
    installation: str
    told: str
    paid_at: str = ""
    check: str = ""
    is_own: bool = False


def elsewhere_of(
    found: FoundPayment, environment: Environment, own: Collection[str] = ()
) -> Elsewhere | None:
    """What was found, as this version reads it; None for what a newer one wrote, or what is no payment of here.

    `own`: all installations that this counter was.
    """
    attempt = attempt_told(found.attempt, environment)
    times = (found.told, *((found.paid_at,) if found.paid_at else ()))
    if attempt is None or any(moment_of(each) is None for each in times):
        return None
    is_code = len(found.check) == CODE_LENGTH and set(found.check) <= set(ALPHABET)
    return Elsewhere(
        attempt=attempt,
        counter=clean_text(found.counter, MOST_NAME).strip(),
        counter_id=found.counter_id,
        installation=clean_text(found.installation, MOST_NAME),
        told=found.told,
        paid_at=found.paid_at,
        check=found.check if is_code else "",
        is_own=found.installation in own,
    )


def receipt_elsewhere(payment: Elsewhere) -> Receipt | None:
    """Its receipt with the code that its own counter made, to be copied; None where it has none, or is in dispute."""
    made = receipt_of(payment.attempt, payment.paid_at)
    if made is None or made.is_note or len(payment.check) != CODE_LENGTH:
        return None
    return msgspec.structs.replace(made, check=payment.check)


def moment_in(text: str, *, ends: bool = False) -> str:
    """A typed day or time of this machine's zone as ISO with its offset; `ends`: behind all of it. ValueError."""
    for form, whole in (("%Y-%m-%d", timedelta(days=1)), ("%Y-%m-%d %H:%M", timedelta(minutes=1))):
        try:
            read = datetime.strptime(text, form)
            return (read + whole if ends else read).astimezone().isoformat(timespec="seconds")
        except (ValueError, OverflowError, OSError):
            continue
    raise ValueError("no day and no time")


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


def proof_of(
    scanned: Scanned, payments: Iterable[Elsewhere], *, is_any: bool = False
) -> tuple[Proof, Elsewhere | None]:
    """The verdict on a paper, and the payment that has its number. `is_any`: the store named one, read or not."""
    payment = next((each for each in payments if shown_number(each.attempt) == scanned.number), None)
    if payment is None:
        # Something has that number, in words that this version does not read: it is not missing.
        return (Proof.UNPROVEN if is_any else Proof.MISSING), None
    if not payment.check:
        return Proof.UNPROVEN, payment
    is_same = payment.attempt.attempt_id == scanned.attempt_id and compare_digest(
        payment.check, scanned.check
    )
    return (Proof.UNCHANGED if is_same else Proof.CHANGED), payment
