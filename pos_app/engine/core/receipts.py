"""Receipts as the journal has them: what stands on one, and whether a paper is ours. Looks; gives no number.

What is on paper is what was committed: a payment that the journal does not have as paid has no receipt, whatever the
till believes of it by then (docs/payment-rules.md, rule 15).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from msgspec.structs import replace

from pos_app.domain.attempt import ATTENTION, MONEY, Attempt, State
from pos_app.domain.commands import CheckReceipt, ReadReceipt
from pos_app.domain.installation import taken_over
from pos_app.domain.people import Person, number_in
from pos_app.domain.rebuilt_journal import JOURNAL
from pos_app.domain.receipt import (
    Checked,
    Receipt,
    Scanned,
    has_receipt,
    judged,
    receipt_of,
    scanned_in,
    sworn,
)
from pos_app.domain.receipt import number_in as receipt_in
from pos_app.domain.record import Record
from pos_app.domain.refund import Note, noted
from pos_app.domain.views import ReceiptChecked, ReceiptProblem, ReceiptRead
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments


class Book(Protocol):
    """What a receipt is made of: a journal at work, or one that is only looked at."""

    def attempt_of_receipt(self, installation_id: str, number: int) -> Attempt | None: ...
    def paid_wall(self, attempt_id: str) -> str: ...
    def installations(self) -> Collection[str]: ...


class CheckedBook(Book, Protocol):
    """What a paper is checked by."""

    def notes_of(self, attempt_id: str) -> Sequence[Note]: ...
    def events_of(self, subject: str) -> Sequence[Record]: ...


def made_of(
    book: Book, code: Callable[[str], str], attempt: Attempt, people: Sequence[Person]
) -> Receipt | None:
    """The receipt of a payment with its check code, or its note. `code`: what the journal's key makes of a text."""
    paid_at = book.paid_wall(attempt.attempt_id)
    owner = next((each for each in people if each.person_id == attempt.owner), None)
    number = number_in(attempt.owner)
    receipt = receipt_of(
        attempt,
        paid_at,
        cashier=owner.name if owner is not None else "",
        cashier_number=str(number) if number else "",
    )
    if receipt is None or receipt.is_note:
        return receipt
    return replace(receipt, check=code(sworn(attempt, paid_at)))


def verdict_of(book: CheckedBook, code: Callable[[str], str], scanned: Scanned) -> Checked:
    """What a paper is to this journal."""
    attempt = book.attempt_of_receipt(*receipt_in(scanned.number))
    check = code(sworn(attempt, book.paid_wall(attempt.attempt_id))) if attempt is not None else ""
    ever = frozenset(book.installations()) | taken_over(book.events_of(JOURNAL))
    checked = judged(scanned, attempt, check, ever)
    notes = book.notes_of(attempt.attempt_id) if checked.attempt is not None and attempt is not None else ()
    return replace(checked, noted=noted(notes)) if notes else checked


def problem_of(attempt: Attempt | None) -> ReceiptProblem:
    """Why a payment has no receipt; NONE where it has one, or gets a note."""
    if attempt is None:
        return ReceiptProblem.UNKNOWN_PAYMENT
    if attempt.state is State.DISPUTED or has_receipt(attempt):
        return ReceiptProblem.NONE
    if attempt.state in MONEY:
        return ReceiptProblem.NO_NUMBER
    if not attempt.is_final or attempt.state in ATTENTION:
        return ReceiptProblem.NOT_KNOWN_YET
    return ReceiptProblem.NOT_PAID


class ReceiptDesk:
    """Answers what the authorizer let through. Without `everywhere` this counter's payments alone are told."""

    def __init__(self, config: EngineConfig, journal: JournalStore, live_payments: LivePayments) -> None:
        self._counter_id = config.counter_id
        self._journal = journal
        self._live_payments = live_payments

    def read(self, command: ReadReceipt, *, everywhere: bool) -> ReceiptRead:
        """The receipt of a payment, or why it has none."""
        answer = ReceiptRead(request_id=command.request_id, attempt_id=command.attempt_id)
        found = self._live_payments.read(lambda: (self._journal.attempt(command.attempt_id),), None)
        if found is None:
            return replace(answer, problem=ReceiptProblem.CANNOT_READ)
        attempt = found[0] if found[0] is not None and self._is_told(found[0], everywhere) else None
        problem = problem_of(attempt)
        if attempt is None or problem:
            return replace(answer, problem=problem)
        newer = self._live_payments.in_hand(attempt.attempt_id) or attempt
        if newer.state is not attempt.state:
            return replace(answer, problem=ReceiptProblem.CANNOT_READ)
        receipt = self._live_payments.read(lambda: self._receipt(attempt), None)
        if receipt is None:
            return replace(answer, problem=ReceiptProblem.CANNOT_READ)
        return replace(answer, receipt=receipt)

    def check(self, command: CheckReceipt, *, everywhere: bool) -> ReceiptChecked:
        """What a paper is to this journal."""
        answer = ReceiptChecked(request_id=command.request_id)
        scanned = scanned_in(command.text)
        if scanned is None:
            return replace(answer, problem=ReceiptProblem.NO_CODE)
        checked = self._live_payments.read(lambda: (self._verdict(scanned),), None)
        if checked is None:
            return replace(answer, problem=ReceiptProblem.CANNOT_READ)
        found = checked[0]
        if found.attempt is not None and not self._is_told(found.attempt, everywhere):
            found = replace(found, attempt=None)
        return replace(answer, checked=found)

    def _is_told(self, attempt: Attempt, everywhere: bool) -> bool:
        return everywhere or attempt.counter_id == self._counter_id

    def _receipt(self, attempt: Attempt) -> Receipt | None:
        return made_of(self._journal, self._journal.receipt_code, attempt, self._journal.people())

    def _verdict(self, scanned: Scanned) -> Checked:
        return verdict_of(self._journal, self._journal.receipt_code, scanned)
