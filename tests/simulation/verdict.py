"""What the judges share: a violation, and the journal seen from outside. Imports no decision of the product."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.ids import installation_of
from tests.simulation.history import History, Written

MONEY = ("PAID", "PAID_LATE")
FINAL = (*MONEY, "FAILED", "CANCELLED", "REFUSED", "NOT_SENT", "SIGNED_OFF")
OPEN = ("INTENT", "IN_DOUBT", "WAITING")
GATEWAY_FINAL = ("Payment Success", "Payment Fail", "Customer Reject", "Merchant Cancel")


class Violation(msgspec.Struct, frozen=True):
    """An invariant that did not hold, about what, and the shortest account of why."""

    invariant: str
    about: str
    why: str

    def __str__(self) -> str:
        return f"{self.invariant} {self.about}: {self.why}"


def snapshots(journal: tuple[Written, ...]) -> Iterator[tuple[Written, Attempt]]:
    """Each record that says how an attempt now stands."""
    for each in journal:
        if each.record.attempt is not None:
            yield each, each.record.attempt


def newest(history: History) -> dict[str, Attempt]:
    """Every attempt as its journal last knew it."""
    return {
        attempt.attempt_id: attempt
        for journal in history.journals.values()
        for _, attempt in snapshots(journal)
    }


def before(journal: tuple[Written, ...], seq: int) -> dict[str, Attempt]:
    """Every attempt as this journal knew it up to and with a number."""
    return {attempt.attempt_id: attempt for each, attempt in snapshots(journal) if each.seq <= seq}


def intents(history: History) -> dict[str, Written]:
    """The durable intent of each attempt."""
    return {
        each.record.subject: each
        for journal in history.journals.values()
        for each in journal
        if each.record.kind == "INTENT"
    }


def sale_key(attempt: Attempt) -> tuple[str, str]:
    """A sale's number is unique in one journal only: with the installation, which the attempt id names."""
    return installation_of(attempt.attempt_id), attempt.sale_id
