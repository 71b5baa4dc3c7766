"""I24 judged: a till that closes for an update starts nothing, says it is clear only when it is, and sells again.

By what it was asked for and what its journal has; nothing of the product's own deciding is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.verification.simulation.history import Closing, History, Written
from tests.verification.simulation.verdict import OPEN, Violation, before

PUT_OFF = 60 * 60_000
"""So long after a manager's word nobody's request counts."""


def i24(history: History) -> Iterator[Violation]:
    """Of each request of each till."""
    for asked in history.closings:
        journal = history.journals.get(asked.line, ())
        words = [each.at for each in journal if _is_word(each)]
        if any(at <= asked.at <= at + PUT_OFF for at in words):
            continue
        until = min([asked.until, *(at for at in words if at > asked.at)])
        for each in journal:
            if each.record.kind == "INTENT" and each.seq > asked.seq and each.at < until:
                yield Violation("I24", each.record.subject, f"began {each.at - asked.at} ms after an update")
        if asked.clear_at is not None:
            yield from _clear(asked, journal)
    for moment in history.rested:
        if moment.closing:
            yield Violation("I24", moment.till, "still closes for an update, long after anybody waits")


def _clear(asked: Closing, journal: tuple[Written, ...]) -> Iterator[Violation]:
    """What the till said to be clear of, as the journal stood then."""
    for attempt in before(journal, asked.clear_seq).values():
        is_given_up = attempt.gave_up_at is not None and not asked.strict
        is_open = attempt.state in OPEN or (asked.strict and attempt.state == "UNRESOLVED")
        if is_open and not is_given_up:
            yield Violation(
                "I24", attempt.attempt_id, f"{attempt.state}, and the till says nothing is under way"
            )


def _is_word(each: Written) -> bool:
    return each.record.kind == "PERMITTED" and each.record.content.get("act") == "put_off_update"
