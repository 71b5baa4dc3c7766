"""Rules 4, 5, 8 and 9 judged: an end that opens the sale is proved, a late payment is late, a second one is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pos_app.domain.attempt import Attempt
from pos_app.domain.record import Record
from tests.verification.simulation.history import History
from tests.verification.simulation.verdict import MONEY, Violation, before_it, newest, sale_key, snapshots

_REFUSALS = frozenset(
    {"5001", "5002", "5003", "5004", "5005", "5008", "5010", "5011", "5012", "5013", "5015"}
)


def i1_ends(history: History) -> Iterator[Violation]:
    """FAILED and CANCELLED stand on a get status reply, REFUSED on a refusal, NOT_SENT on nothing having left."""
    for line, journal in history.journals.items():
        left = _left(history, line)
        opened = _opened_before(history, line)
        for each, attempt in snapshots(journal):
            record = each.record
            end = record.path[-1].value if len(record.path) > 1 else ""
            problem = _unproved(end, record, attempt, left)
            if problem:
                yield Violation("I1a", attempt.attempt_id, problem)
            if attempt.refusal_opened and attempt.attempt_id not in opened:
                opened.add(attempt.attempt_id)
                if record.kind != "STATUS_ANSWERED":
                    yield Violation("I1a", attempt.attempt_id, f"a refusal taken as sure by {record.kind}")


def _left(history: History, line: str) -> set[str]:
    """Whose bytes this line sent, or those it came from before the copy: of another copy it cannot know."""
    until = {parent: began.copied_at for parent, began in before_it(history, line)}
    return {
        sent.attempt_id
        for sent in history.sent
        if sent.operation == "initiate" and (sent.till == line or sent.at <= until.get(sent.till, -1))
    }


def _opened_before(history: History, line: str) -> set[str]:
    """Refusals that were sure in the journal that was lost, and were taken over as they were."""
    return {
        attempt.attempt_id
        for parent, began in before_it(history, line)
        if not began.copied
        for _, attempt in snapshots(history.journals[parent])
        if attempt.refusal_opened
    }


def _unproved(end: str, record: Record, attempt: Attempt, left: set[str]) -> str:
    reply = record.content.get("reply", {})
    asked, name = record.kind == "STATUS_ANSWERED", reply.get("name", "")
    match end:
        case "NOT_SENT":
            return "NOT_SENT though its bytes left" if attempt.attempt_id in left else ""
        case "CANCELLED":
            return "" if asked and name == "Merchant Cancel" else f"CANCELLED by {record.kind} {name}"
        case "FAILED":
            hopeless = name == "Verification Fail" and any(
                flag.value == "CANCEL_TOO_LATE" for flag in attempt.flags
            )
            proved = asked and (name in ("Payment Fail", "Customer Reject") or hopeless)
            return "" if proved else f"FAILED by {record.kind} {name}"
        case "REFUSED":
            refused = record.kind == "INITIATE_ANSWERED" and reply.get("code") in _REFUSALS
            never_looked_at = asked and attempt.http_status in (400, 404, 405, 406, 415)
            first = attempt.resends == 0
            return "" if first and (refused or never_looked_at) else f"REFUSED by {record.kind} {reply}"
    return ""


def late(history: History) -> Iterator[Violation]:
    """Rule 8: Payment Success is PAID only while the attempt is not released."""
    for journal in history.journals.values():
        released: set[str] = set()
        for each, attempt in snapshots(journal):
            if (
                each.record.path[1:]
                and each.record.path[-1].value == "PAID"
                and attempt.attempt_id in released
            ):
                yield Violation("rule 8", attempt.attempt_id, "PAID after the till had let go of it")
            if attempt.released_at is not None:
                released.add(attempt.attempt_id)


def overpaid(history: History) -> Iterator[Violation]:
    """Rule 9: a sale with two paid attempts says so until a manager signs."""
    for journal in history.journals.values():
        paid = defaultdict(list)
        for attempt in newest(journal).values():
            if attempt.state.value in MONEY:
                paid[sale_key(attempt)].append(attempt.attempt_id)
        told = {
            each.record.sale.sale_id
            for each in journal
            if each.record.sale is not None and each.record.sale.overpaid
        }
        for sale, attempts in paid.items():
            if len(attempts) > 1 and sale[1] not in told:
                yield Violation("rule 9", "/".join(sale), f"paid {len(attempts)} times, nobody is told")
