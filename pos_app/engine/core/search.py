"""Looks payments up in the journal, a bounded piece at a time. It reads; it judges and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pos_app.domain.attempt import Attempt
from pos_app.domain.refund import note_in_text
from pos_app.domain.search import (
    PAGE,
    Cursor,
    FindPayments,
    SumPayments,
    is_among,
    is_behind,
    is_taken,
    matches,
)
from pos_app.domain.views import PaymentsFound, PaymentsSummed, StaffProblem
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments

SCANNED = 400
"""So many payments are looked at for one command: the engine has others to serve. The rest is asked for again."""

_STEP = 100


class PaymentSearch:
    """Answers what the authorizer let through. Without `everywhere` only this counter's payments are told."""

    def __init__(self, config: EngineConfig, journal: JournalStore, live_payments: LivePayments) -> None:
        self._counter_id, self._currency = config.counter_id, config.currency.code
        self._journal = journal
        self._live_payments = live_payments

    def find(self, command: FindPayments, *, everywhere: bool) -> PaymentsFound:
        """The next payments that may be meant; a journal that cannot be read just now says so."""
        by_note = self._of_note(command, everywhere=everywhere)
        if by_note is not None:
            return self._noted(command, [by_note])
        digest = self._journal.digest(command.sought.number) if command.sought.number else ""
        found: list[Attempt] = []
        at, scanned = command.before, 0
        # Ahead of the first that is of an earlier day: there the days before go on.
        earlier: Cursor | None = None
        is_over = False
        while scanned < SCANNED and len(found) < PAGE and not is_over:
            page = self._read(at)
            if page is None:
                problem = StaffProblem.CANNOT_READ
                return PaymentsFound(request_id=command.request_id, problem=problem)
            for attempt in page:
                day = attempt.tapped_wall[:10]
                if day < command.earliest:
                    # Where nothing was passed yet, the next page begins with this one.
                    earlier = earlier or at or Cursor(attempt.tapped_at + 1, attempt.attempt_id)
                    if is_behind(attempt, command.earliest):
                        is_over = True
                        break
                # The clock may have been wrong for one alone: the day is looked for behind it, too.
                at = Cursor(attempt.tapped_at, attempt.attempt_id)
                scanned += 1
                newest = self._live_payments.in_hand(attempt.attempt_id) or attempt
                is_told = everywhere or newest.counter_id == self._counter_id
                if is_told and _is_meant(newest, command) and matches(newest, command.sought, digest):
                    found.append(newest)
                if len(found) == PAGE:
                    break
            if len(page) < _STEP:
                at = at if len(found) == PAGE else None
                break
        if earlier is not None and len(found) < PAGE:
            return self._noted(command, found, earlier, day_is_over=True)
        return self._noted(command, found, at)

    def _noted(
        self,
        command: FindPayments,
        found: Sequence[Attempt],
        more: Cursor | None = None,
        *,
        day_is_over: bool = False,
    ) -> PaymentsFound:
        """What was found, with what is noted back of each."""
        ids = [each.attempt_id for each in found]
        none: Mapping[str, Decimal] = {}
        noted = self._live_payments.read(lambda: self._journal.noted_of(ids), none)
        return PaymentsFound(
            request_id=command.request_id,
            found=tuple(found),
            more=more,
            day_is_over=day_is_over,
            noted=dict(noted),
        )

    def _of_note(self, command: FindPayments, *, everywhere: bool) -> Attempt | None:
        """Whose refund note it is, where a note's number was typed as it stands on its slip ("N-0007")."""
        text = command.sought.text.strip().upper()
        number = note_in_text(text) if text.startswith("N") else 0
        note = self._live_payments.read(lambda: self._journal.note(number), None) if number else None
        attempt = self._live_payments.known(note.attempt_id) if note is not None else None
        is_told = attempt is not None and (everywhere or attempt.counter_id == self._counter_id)
        return attempt if is_told else None

    def sum_up(self, command: SumPayments) -> PaymentsSummed:
        """What was taken that day, of every counter in this journal, in the till's currency, as far as one piece goes.

        The sum of the rows above it in the list: by the day of their tap, without what was given back. It is no figure
        of a report: a Z counts by the event that made it money, from one Z to the next, so that the two differ around
        midnight, for late money and for a sale that was paid twice.
        """
        count, total = 0, Decimal(0)
        at, scanned = command.before, 0
        while scanned < SCANNED:
            page = self._read(at)
            if page is None:
                return PaymentsSummed(request_id=command.request_id, problem=StaffProblem.CANNOT_READ)
            for attempt in page:
                day = attempt.tapped_wall[:10]
                if is_behind(attempt, command.day):
                    return PaymentsSummed(request_id=command.request_id, count=count, total=total)
                at = Cursor(attempt.tapped_at, attempt.attempt_id)
                scanned += 1
                newest = self._live_payments.in_hand(attempt.attempt_id) or attempt
                is_meant = day == command.day and command.owner in ("", attempt.owner)
                is_meant = is_meant and newest.currency == self._currency
                if is_meant and is_taken(newest) and not self._was_given_back(newest):
                    count, total = count + 1, total + newest.amount
            if len(page) < _STEP:
                return PaymentsSummed(request_id=command.request_id, count=count, total=total)
        return PaymentsSummed(request_id=command.request_id, count=count, total=total, more=at)

    def _was_given_back(self, attempt: Attempt) -> bool:
        """Of a sale that was paid twice one payment is the shop's, once a manager has signed for the other (rule 9)."""
        if attempt.number == 1:
            return False
        sale = self._live_payments.read(lambda: self._journal.sale(attempt.sale_id), None)
        if sale is None or sale.refund is None:
            return False
        of_sale = self._live_payments.read(lambda: self._journal.attempts_of(attempt.sale_id), None) or []
        return any(is_taken(each) and each.number < attempt.number for each in of_sale)

    def _read(self, before: Cursor | None) -> Sequence[Attempt] | None:
        return self._live_payments.read(lambda: self._journal.newest_before(before, _STEP), None)


def _is_meant(attempt: Attempt, command: FindPayments) -> bool:
    """Of the days, the person and the kind that are asked for."""
    day = attempt.tapped_wall[:10]
    is_of_days = command.earliest <= day and (not command.latest or day <= command.latest)
    return is_of_days and command.owner in ("", attempt.owner) and is_among(attempt, command.only)
