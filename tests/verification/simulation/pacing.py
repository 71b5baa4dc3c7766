"""Rules 1, 3, 6 and 12 judged: nothing is sent again too often, too late, by itself after a start, or unwished."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from tests.verification.simulation.history import History, Sent
from tests.verification.simulation.verdict import Violation, snapshots

LAST_RESEND = 61_000
"""A minute after the tap, and what a first byte may take to leave."""

SPACING = 5_000
RESENDS = 3
PERSONS = ("CONTINUE", "CLOSE", "CANCEL")


Key = tuple[str, str]
"""A line and an attempt."""


class _Known:
    """What the journal says of an attempt, by number."""

    def __init__(self) -> None:
        self.tapped_at = 0
        self.command = 0
        self.words: list[int] = []
        self.inherited = False
        """Another line opened it: whatever this one sends of it, it sends again."""


def _known(history: History) -> dict[Key, _Known]:
    known: dict[Key, _Known] = defaultdict(_Known)
    for line, journal in history.journals.items():
        copied = history.lines[line].copied if line in history.lines else 0
        for each, attempt in snapshots(journal):
            one = known[line, attempt.attempt_id]
            kind = each.record.kind
            if kind == "INTENT":
                one.tapped_at = each.at
                one.inherited = each.seq <= copied
            one.inherited = one.inherited or kind == "RECOVERED"
            if attempt.cancel_wish is not None and not one.command:
                one.command = each.seq
            if kind in PERSONS:
                one.words.append(each.at)
    return known


def pacing(history: History) -> Iterator[Violation]:
    """All of it."""
    known = _known(history)
    initiates: dict[Key, list[Sent]] = defaultdict(list)
    cancels: dict[Key, list[Sent]] = defaultdict(list)
    for sent in history.sent:
        (initiates if sent.operation == "initiate" else cancels)[sent.till, sent.attempt_id].append(sent)
    for key, sends in initiates.items():
        one = known[key]
        yield from _resends(key[1], sends, one, _starts(history, sends[0], since=0 if one.inherited else 1))
    for key, sends in cancels.items():
        one, attempt_id = known[key], key[1]
        if not one.command or sends[0].seq < one.command:
            yield Violation("rule 1", attempt_id, "a cancel left before its wish was durable")
        starts = _starts(history, sends[0])
        for before, after in pairwise(sends):
            if after.at - before.at < SPACING and not any(before.at <= at <= after.at for at in starts):
                yield Violation("rule 6", attempt_id, f"cancels {after.at - before.at} ms apart")


def _starts(history: History, first: Sent, since: int = 1) -> list[int]:
    """When the till was started again since this was first sent; since 0: since its line began."""
    return [at for at, till in history.starts if till == first.till and at > first.at * since]


def _resends(attempt_id: str, sends: list[Sent], one: _Known, starts: list[int]) -> Iterator[Violation]:
    unwished = [sent for sent in sends[1:] if not one.command or sent.seq < one.command]
    if not starts:
        if len(unwished) > RESENDS:
            yield Violation("rule 3", attempt_id, f"re-sent {len(unwished)} times")
        for sent in unwished:
            if sent.at - one.tapped_at > LAST_RESEND:
                yield Violation(
                    "rule 3", attempt_id, f"re-sent {(sent.at - one.tapped_at) // 1000} s after the tap"
                )
    for sent in sends[0 if one.inherited else 1 :]:
        start = max((at for at in starts if at <= sent.at), default=0)
        if start and not any(start <= at <= sent.at for at in one.words):
            yield Violation("rule 12", attempt_id, "re-sent by itself after a start")
