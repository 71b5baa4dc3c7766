"""Rules 1, 3, 6 and 12 judged: nothing is sent again too often, too late, by itself after a start, or unwished."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from tests.simulation.history import History, Sent
from tests.simulation.verdict import Violation, snapshots

LAST_RESEND = 61_000
"""A minute after the tap, and what a first byte may take to leave."""

SPACING = 5_000
RESENDS = 3
PERSONS = ("CONTINUE", "CLOSE", "CANCEL")


class _Known:
    """What the journal says of an attempt, by number."""

    def __init__(self) -> None:
        self.tapped_at = 0
        self.wish = 0
        self.words: list[int] = []


def _known(history: History) -> dict[str, _Known]:
    known: dict[str, _Known] = defaultdict(_Known)
    for journal in history.journals.values():
        for each, attempt in snapshots(journal):
            one = known[attempt.attempt_id]
            kind = each.record.kind
            if kind == "INTENT":
                one.tapped_at = each.at
            if attempt.cancel_wish is not None and not one.wish:
                one.wish = each.seq
            if kind in PERSONS:
                one.words.append(each.at)
    return known


def pacing(history: History) -> Iterator[Violation]:
    """All of it."""
    known = _known(history)
    initiates: dict[str, list[Sent]] = defaultdict(list)
    cancels: dict[str, list[Sent]] = defaultdict(list)
    for sent in history.sent:
        (initiates if sent.operation == "initiate" else cancels)[sent.attempt_id].append(sent)
    for attempt_id, sends in initiates.items():
        yield from _resends(attempt_id, sends, known[attempt_id], _starts(history, sends[0]))
    for attempt_id, sends in cancels.items():
        one = known[attempt_id]
        if not one.wish or sends[0].seq < one.wish:
            yield Violation("rule 1", attempt_id, "a cancel left before its wish was durable")
        starts = _starts(history, sends[0])
        for before, after in pairwise(sends):
            if after.at - before.at < SPACING and not any(before.at <= at <= after.at for at in starts):
                yield Violation("rule 6", attempt_id, f"cancels {after.at - before.at} ms apart")


def _starts(history: History, first: Sent) -> list[int]:
    """When the till was started again since this was first sent."""
    return [at for at, till in history.starts if till == first.till and at > first.at]


def _resends(attempt_id: str, sends: list[Sent], one: _Known, starts: list[int]) -> Iterator[Violation]:
    unwished = [sent for sent in sends[1:] if not one.wish or sent.seq < one.wish]
    if not starts:
        if len(unwished) > RESENDS:
            yield Violation("rule 3", attempt_id, f"re-sent {len(unwished)} times")
        for sent in unwished:
            if sent.at - one.tapped_at > LAST_RESEND:
                yield Violation(
                    "rule 3", attempt_id, f"re-sent {(sent.at - one.tapped_at) // 1000} s after the tap"
                )
    for sent in sends[1:]:
        start = max((at for at in starts if at <= sent.at), default=0)
        if start and not any(start <= at <= sent.at for at in one.words):
            yield Violation("rule 12", attempt_id, "re-sent by itself after a start")
