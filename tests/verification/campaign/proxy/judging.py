"""After a case: the journal, the sandbox's ledger and what left the till, put before the judge of histories."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter as Count
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import MONEY, Attempt, Environment
from pos_app.domain.views import AttemptChanged
from pos_app.journal import Journal, open_journal
from pos_app.journal.rows import record_of
from tests.support.sandbox import ControlError, Sandbox
from tests.verification.campaign.proxy.counter import KEY, Counter
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.simulation import ending, keeping, sending
from tests.verification.simulation.history import Held, History, Moment, Seen, Sent, Written

TILL = "till"

INVARIANTS = (
    sending.i1a,
    sending.i1b,
    sending.i1c,
    ending.i1_ends,
    ending.late,
    ending.overpaid,
    keeping.i2,
    keeping.i3,
    sending.i4,
    keeping.i5,
    keeping.i6,
    sending.i9,
    keeping.i11,
)
"""Those that need no virtual time; I8 and I10 have tests of their own."""


def judged(shop: Shop, counter: Counter) -> list[str]:
    """Every violation, and what the journal's own chain says. The till must have been switched off."""
    journal = open_journal(counter.path, KEY, Environment.SANDBOX)
    try:
        report = journal.verify()
        found = [f"I6 chain broken at {report.broken_at}"] if report.broken_at else []
        history = _history(shop.sandbox, counter, journal)
    finally:
        journal.close()
    found += [
        f"I4 {heard.request.operation} of {heard.request.attempt_id or 'a code'} left before it was durable"
        for heard in counter.proxy.heard
        if not heard.durable
    ]
    return found + [str(violation) for invariant in INVARIANTS for violation in invariant(history)]


def _history(sandbox: Sandbox, counter: Counter, journal: Journal) -> History:
    written = _written(counter, journal)
    now = time.time_ns() // 1_000_000
    attempts = tuple(journal.recent(100))
    listed = frozenset(attempt.attempt_id for attempt in journal.needs_answer())
    return History(
        journals={TILL: written},
        held=tuple(_held(sandbox, attempts)),
        sent=tuple(_sent(counter, written)),
        seen=tuple(_seen(counter, now)),
        closed=(Moment(now, TILL, attempts, listed=listed),),
        closing_at=now,
    )


def _written(counter: Counter, journal: Journal) -> tuple[Written, ...]:
    connection = sqlite3.connect(counter.path)
    try:
        rows = connection.execute("SELECT * FROM event ORDER BY seq").fetchall()
    finally:
        connection.close()
    return tuple(_one(row, journal) for row in rows)


def _one(row: Sequence[Any], journal: Journal) -> Written:
    record = record_of(row)
    if record.kind == "INTENT":
        record = replace(record, sealed=journal.unsealed(record.subject))
    return Written(int(row[0]), record.at, record)


def _held(sandbox: Sandbox, attempts: Sequence[Attempt]) -> list[Held]:
    found = []
    for attempt in attempts:
        try:
            told = sandbox.transaction(attempt.attempt_id)
        except ControlError:
            continue
        timeline = tuple((_ms(step["at"]), step["status"]) for step in told["steps"])
        found.append(
            Held(
                told["externalMerchantTransactionId"],
                Decimal(told["transactionAmount"]),
                told["kind"],
                told["walletAccountNumber"],
                told["merchantPgIdentifier"],
                timeline,
            )
        )
    return found


def _ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


def _sent(counter: Counter, written: Sequence[Written]) -> list[Sent]:
    """Each initiate and cancel with the journal's number at its cause: the n-th initiate is the n-1st re-send."""
    found = []
    initiates: Count[str] = Count()
    for heard in counter.proxy.heard:
        request = heard.request
        if request.operation not in ("initiate", "cancel"):
            continue
        attempt_id = request.attempt_id
        if request.operation == "initiate":
            cause = _cause(written, attempt_id, initiates[attempt_id])
            initiates[attempt_id] += 1
        else:
            cause = next((each for each in written if _commands(each, attempt_id)), None)
        seq = cause.seq if cause else 0
        shown = bool(cause and cause.record.attempt and cause.record.attempt.shown)
        found.append(Sent(heard.at, TILL, request.operation, attempt_id, seq, request.body, shown))
    return found


def _cause(written: Sequence[Written], attempt_id: str, resends: int) -> Written | None:
    """The first record in which the attempt had been re-sent so often; a first send that was cut short on the
    way left no whole request, so that the count may be one more than what was heard.
    """
    own = [each for each in written if each.record.attempt and each.record.attempt.attempt_id == attempt_id]
    for each in own:
        if each.record.attempt is not None and each.record.attempt.resends >= resends:
            return each
    return own[-1] if own else None


def _commands(each: Written, attempt_id: str) -> bool:
    attempt = each.record.attempt
    return attempt is not None and attempt.attempt_id == attempt_id and attempt.cancel_wish is not None


def _seen(counter: Counter, now: int) -> list[Seen]:
    """What a screen would have shown as paid; when is not known, only that it was before now."""
    return [
        Seen(now, TILL, entry.attempt.attempt_id)
        for entry in counter.diary.so_far()
        if isinstance(entry, AttemptChanged) and entry.attempt.state in MONEY
    ]
