"""I1, I4, I9 judged: what left a till was durable before, allowed by rule 5, and never charged twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from pos_app.domain.attempt import Attempt
from tests.verification.simulation.history import Held, History, Sent, Written
from tests.verification.simulation.verdict import (
    Violation,
    before,
    before_it,
    entered,
    intents,
    sale_key,
    snapshots,
)

OLD_NEWS = 10_000
"""Two failed verifications so far apart end an attempt whose cancel was refused (status table); E3 bounds their age."""


def _opens(attempt: Attempt) -> bool:
    """Rule 5, in the checker's own words."""
    match attempt.state.value:
        case "NOT_SENT" | "FAILED" | "CANCELLED":
            return True
        case "REFUSED":
            return attempt.refusal_opened
        case "SIGNED_OFF":
            return attempt.resolution is not None and attempt.resolution.action == "not_paid"
    return False


def i1a(history: History) -> Iterator[Violation]:
    """When an initiate leaves for a sale, each earlier attempt of it has what rule 5 asks."""
    judged = set()
    for sent in history.sent:
        alone = sent.attempt_id.endswith("-1")
        if sent.operation != "initiate" or alone or sent.attempt_id in judged:
            continue
        judged.add(sent.attempt_id)
        known = before(history.journals.get(sent.till, ()), sent.seq)
        this = known.get(sent.attempt_id)
        if this is None or this.cancel_wish is not None:
            continue  # I4 tells it; a copy sent to close its id is judged by I1c
        for earlier in known.values():
            if earlier.sale_id == this.sale_id and earlier.number < this.number and not _opens(earlier):
                yield Violation(
                    "I1a", sent.attempt_id, f"sent while {earlier.attempt_id} was {earlier.state}"
                )


def i1b(history: History) -> Iterator[Violation]:
    """At most one Payment Success per sale, unless a manager signed off the earlier one as not paid.

    For each line: an attempt that a line does not know yet cannot keep it from beginning another, nor does it
    know of bytes that another copy of the folder sends.
    """
    if not history.honest:
        return
    paid = [held for held in history.held if held.status == "Payment Success"]
    for line in history.journals:
        yield from _paid_twice(history, line, paid)


def _paid_twice(history: History, line: str, paid: list[Held]) -> Iterator[Violation]:
    known = entered(history.journals[line])
    of_sale: defaultdict[tuple[str, str], list[Written]] = defaultdict(list)
    for held in paid:
        written = known.get(held.external_id)
        if written is None or written.record.attempt is None or not _sent_for(history, line, held):
            continue
        of_sale[sale_key(written.record.attempt)].append(written)
    for sale, all_written in of_sale.items():
        for one, other in pairwise(sorted(all_written, key=lambda each: each.seq)):
            earlier, later = one.record.attempt, other.record.attempt
            assert earlier is not None
            assert later is not None
            if other.record.kind == "INTENT" and not (
                _signed_off_before(history, earlier, later) or _ended_by_old_news(history, earlier)
            ):
                yield Violation(
                    "I1b", "/".join(sale), f"{earlier.attempt_id} and {later.attempt_id} are both paid"
                )


def _sent_for(history: History, line: str, held: Held) -> bool:
    """Whether its bytes were sent by this line, or by one it came from, before the copy."""
    if held.sent_by in ("", line):
        return True
    return any(
        parent == held.sent_by and held.sent_at <= began.copied_at
        for parent, began in before_it(history, line)
    )


def _signed_off_before(history: History, earlier: Attempt, later: Attempt) -> bool:
    for journal in history.journals.values():
        signed = False
        for each in journal:
            attempt = each.record.attempt
            if attempt is not None and attempt.attempt_id == earlier.attempt_id:
                signed = signed or "SIGNED_OFF" in each.record.path
            if each.record.kind == "INTENT" and each.record.subject == later.attempt_id:
                return signed
    return False


def _ended_by_old_news(history: History, attempt: Attempt) -> bool:
    """The other half of E3: what the service said of the failed verification was older than ten seconds."""
    held = next(each for each in history.held if each.external_id == attempt.attempt_id)
    for journal in history.journals.values():
        for each, written in snapshots(journal):
            ended = written.attempt_id == attempt.attempt_id and each.record.path[-1:] == ("FAILED",)
            if ended and written.reason.value == "verification_failed":
                return held.status_at(each.at - OLD_NEWS) != "Verification Fail"
    return False


def i1c(history: History) -> Iterator[Violation]:
    """No initiate bytes after that attempt's cancel wish, unless to close an id that was never shown (3a)."""
    wished: dict[tuple[str, str], int] = {}
    insisted: dict[tuple[str, str], int] = {}
    for line, journal in history.journals.items():
        for each, attempt in snapshots(journal):
            if attempt.cancel_wish is not None:
                wished.setdefault((line, attempt.attempt_id), each.seq)
            if each.record.kind == "CLOSE":
                insisted.setdefault((line, attempt.attempt_id), each.seq)
    known = newest_kinds(history)
    first = set()
    for sent in history.sent:
        if sent.operation != "initiate":
            continue
        here = (sent.till, sent.attempt_id)
        again = here in first
        first.add(here)
        since = wished.get(here)
        if since is None or sent.seq < since:
            continue
        closing = known.get(sent.attempt_id) == "qr" or insisted.get(here, sent.seq + 1) <= sent.seq
        if sent.shown or not closing:
            how = "shown" if sent.shown else "a push nobody asked to close"
            yield Violation("I1c", sent.attempt_id, f"bytes left after the cancel wish; it was {how}")
        elif not again and not _may_have_left(history, sent):
            yield Violation("I1c", sent.attempt_id, "its first bytes left after the cancel wish")


def _may_have_left(history: History, sent: Sent) -> bool:
    """A re-send, by the journal: the flow had counted it as one."""
    known = before(history.journals[sent.till], sent.seq).get(sent.attempt_id)
    return known is not None and known.resends > 0


def newest_kinds(history: History) -> dict[str, str]:
    """Push or QR, by the intent."""
    return {
        subject: written.record.attempt.kind.value
        for subject, written in intents(history).items()
        if written.record.attempt is not None
    }


class _Body(msgspec.Struct, frozen=True, rename="camel"):
    external_merchant_transaction_id: str = ""


class _Envelope(msgspec.Struct, frozen=True):
    request: _Body


def i4(history: History) -> Iterator[Violation]:
    """Everything of ours at the service has an intent that was durable before the first byte, and says the same."""
    durable = intents(history)
    first: dict[tuple[str, str], Sent] = {}
    bodies: dict[str, bytes] = {}
    for sent in history.sent:
        if sent.operation == "initiate":
            first.setdefault((sent.till, sent.attempt_id), sent)
            if bodies.setdefault(sent.attempt_id, sent.body) != sent.body:
                yield Violation("I4", sent.attempt_id, "re-sent with other bytes")
            named = msgspec.json.decode(sent.body, type=_Envelope).request.external_merchant_transaction_id
            if named != sent.attempt_id:
                yield Violation("I4", sent.attempt_id, f"its bytes name {named}")
    here = {line: entered(journal) for line, journal in history.journals.items()}
    for (line, attempt_id), sent in first.items():
        written = here.get(line, {}).get(attempt_id)
        if written is None:
            yield Violation("I4", attempt_id, "left without a durable intent")
        elif written.seq > sent.seq:
            yield Violation("I4", attempt_id, f"left at {sent.seq}, its intent is number {written.seq}")
        elif written.record.sealed != sent.body:
            yield Violation("I4", attempt_id, "left with other bytes than those that were durable")
    for held in history.held:
        written = durable.get(held.external_id)
        if written is None or written.record.attempt is None:
            yield Violation("I4", held.external_id, "the service holds it, no journal does")
            continue
        attempt = written.record.attempt
        if (attempt.amount, attempt.kind.value, attempt.merchant_id) != (
            held.amount,
            held.kind,
            held.merchant_id,
        ):
            yield Violation("I4", held.external_id, "the service holds another amount, kind or merchant")


def i9(history: History) -> Iterator[Violation]:
    """The marking of each id is its environment's."""
    ids = {sent.attempt_id for sent in history.sent} | set(intents(history))
    for attempt_id in sorted(ids):
        if attempt_id.startswith("SBX-") is history.live:
            yield Violation("I9", attempt_id, "marked for the other environment")
