"""I2, I3, I5, I6, I11 judged: nothing lost, nothing shown paid that is not, no state out of the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any

from pos_app.domain.attempt import Attempt
from tests.verification.simulation.history import Held, History, Moment
from tests.verification.simulation.verdict import FINAL, MONEY, OPEN, Violation, before_it, newest, snapshots

_NAMED = {
    "INTENT": {"IN_DOUBT", "WAITING", "REFUSED", "NOT_SENT", "UNRESOLVED"},
    "IN_DOUBT": {"WAITING", "REFUSED", "PAID", "FAILED", "CANCELLED", "UNRESOLVED"},
    "WAITING": {"PAID", "FAILED", "CANCELLED", "UNRESOLVED"},
    "UNRESOLVED": {"PAID", "FAILED", "CANCELLED", "WAITING", "SIGNED_OFF"},
    "REFUSED": {"WAITING", "FAILED", "CANCELLED"},
    "DISPUTED": {"SIGNED_OFF"},
}
"""The list of docs/payment-rules.md, copied by hand from there and not from the product."""


def _allowed(before: str, after: str) -> bool:
    if after == "DISPUTED":
        return before != "DISPUTED"
    if after == "PAID_LATE":
        return before not in ("PAID", "DISPUTED", "PAID_LATE")
    return after in _NAMED.get(before, ())


def i2(history: History) -> Iterator[Violation]:
    """What the service held as paid when a closing began is money, or a person's, in every journal that knows it.

    It may be in none where every line that knew it was cut off by a folder that was put back (copies.py says what
    holds then), or lost (`taken_over`). What was opened at another service than the settings name waits for it.
    """
    known: dict[str, list[tuple[Moment, Attempt]]] = defaultdict(list)
    for moment in history.closed:
        for attempt in moment.attempts:
            known[attempt.attempt_id].append((moment, attempt))
    living = {moment.till for moment in history.closed}
    for held in history.held:
        if held.status_at(history.closing_at) != "Payment Success":
            continue
        if held.external_id not in known and not _cut_off(history, held.external_id, living):
            yield Violation("I2", held.external_id, "paid at the service, unknown to the till")
        for moment, attempt in known.get(held.external_id, ()):
            action = attempt.resolution.action if attempt.resolution else ""
            signed = attempt.state.value == "SIGNED_OFF" and action == "paid"
            if (
                attempt.state.value in (*MONEY, "DISPUTED")
                or signed
                or _waits_for_another(moment, attempt, held)
            ):
                continue
            yield Violation("I2", held.external_id, f"paid at the service, {attempt.state} in the journal")


def _cut_off(history: History, attempt_id: str, living: set[str]) -> bool:
    """No line that goes on knew it; or it was met in the list where its place was taken, and its time is named."""
    knew = [
        line
        for line, journal in history.journals.items()
        if any(
            each.record.subject == attempt_id and each.record.content.get("entered") is not False
            for each in journal
        )
    ]
    return bool(knew) and not living.intersection(knew)


def _waits_for_another(moment: Moment, attempt: Attempt, held: Held) -> bool:
    """People have it before them. What had ended there is looked at again when that address is set again."""
    if held.origin in ("", moment.origin):
        return False
    return attempt.state.value in FINAL or (
        attempt.state.value == "UNRESOLVED" and attempt.attempt_id in moment.listed
    )


def _paid_by(held: Held | None, at: int) -> bool:
    return held is not None and any(
        status == "Payment Success" and since <= at for since, status in held.timeline
    )


def i3(history: History) -> Iterator[Violation]:
    """Money in the journal or on a screen stands on a reply, and the service held it before."""
    ledger = {(held.external_id, held.origin): held for held in history.held}
    anywhere = {held.external_id: held for held in history.held}
    for line, journal in history.journals.items():
        for each in journal:
            record, attempt = each.record, each.record.attempt
            if attempt is None or not set(MONEY).intersection(record.path[1:] or record.path):
                continue
            if record.kind == "RECOVERED":
                if not _was_money(history, line, attempt.attempt_id):
                    yield Violation("I3", attempt.attempt_id, "money by RECOVERED, and it was none before")
                continue
            held = ledger.get((attempt.attempt_id, attempt.origin)) or ledger.get((attempt.attempt_id, ""))
            if not _proves(record.kind, record.content, attempt.attempt_id, attempt.amount):
                yield Violation("I3", attempt.attempt_id, f"money by {record.kind}, which proves nothing")
            elif not _paid_by(held, each.at) or held is None or held.amount != attempt.amount:
                yield Violation("I3", attempt.attempt_id, "money in the journal, not at the service")
    for seen in history.seen:
        if not _paid_by(anywhere.get(seen.attempt_id), seen.at):
            yield Violation("I3", seen.attempt_id, "shown as paid, not paid at the service")


def _was_money(history: History, line: str, attempt_id: str) -> bool:
    return any(
        attempt.attempt_id == attempt_id and attempt.state.value in MONEY
        for parent, _ in before_it(history, line)
        for _, attempt in snapshots(history.journals[parent])
    )


def _proves(kind: str, content: dict[str, Any], attempt_id: str, amount: Decimal) -> bool:
    reply = content.get("reply", {})
    said = reply.get("amount")
    return (
        kind == "STATUS_ANSWERED"
        and reply.get("name") == "Payment Success"
        and reply.get("external_id") == attempt_id
        and said is not None
        and Decimal(said) == amount
    )


def i5(history: History) -> Iterator[Violation]:
    """Every attempt is final, has something due, or is on the list for people; after a closing none is open."""
    for name, moments in (("calm", history.calm), ("settled", history.settled), ("closed", history.closed)):
        for moment in moments:
            for attempt in moment.attempts:
                state, attempt_id = attempt.state.value, attempt.attempt_id
                if state in OPEN and attempt_id not in moment.timed:
                    yield Violation("I5", attempt_id, f"{state} with nothing due ({name})")
                waits = state not in FINAL and state not in OPEN
                waits = waits or (state == "PAID_LATE" and attempt.resolution is None)
                if waits and attempt_id not in moment.listed:
                    yield Violation("I5", attempt_id, f"{state}, not on the list for people ({name})")
                if name == "closed" and state in OPEN:
                    yield Violation("I5", attempt_id, f"still {state} after the closing")


def i6(history: History) -> Iterator[Violation]:
    """Numbers without gaps, only listed steps, each from where the one before ended; a replay gives the same."""
    for till, journal in history.journals.items():
        states: dict[str, str] = {}
        for place, each in enumerate(journal, 1):
            if each.seq != place:
                yield Violation("I6", till, f"number {each.seq} stands at place {place}")
                return
            attempt, path, record_kind = each.record.attempt, each.record.path, each.record.kind
            if attempt is None:
                continue
            before = states.get(attempt.attempt_id)
            steps = [str(state.value) for state in path]
            if before is None and steps[:1] == ["INTENT"]:
                before = "INTENT"
            if before is None and record_kind == "RECOVERED" and len(steps) == 1:
                before = steps[0]
            if before != (steps[0] if steps else attempt.state.value):
                yield Violation("I6", attempt.attempt_id, f"number {place}: {steps} after {before}")
            for one, next_one in pairwise(steps):
                if not _allowed(one, next_one):
                    yield Violation("I6", attempt.attempt_id, f"number {place}: {one} → {next_one}")
            states[attempt.attempt_id] = attempt.state.value
            if steps and steps[-1] != attempt.state.value:
                yield Violation("I6", attempt.attempt_id, f"number {place}: {attempt.state} after {steps}")
    for moment in history.closed:
        replayed = newest(history.journals[moment.till])
        for attempt in moment.attempts:
            if replayed.get(attempt.attempt_id) != attempt:
                yield Violation("I6", attempt.attempt_id, "its table differs from a replay")


def i11(history: History) -> Iterator[Violation]:
    """Amounts are exact decimals from the tap to the last record."""
    for journal in history.journals.values():
        for each in journal:
            for fact in (each.record.attempt, each.record.sale):
                if fact is not None and (
                    type(fact.amount) is not Decimal or fact.amount.as_tuple().exponent != -2
                ):
                    yield Violation("I11", each.record.subject, f"{fact.amount!r} is no exact amount")
