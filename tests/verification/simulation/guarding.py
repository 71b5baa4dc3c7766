"""Threat 29 judged: whoever takes rows out of a journal gets no tries at a passcode by it, and does not become manager.

What was taken out stands in the history; each judgement is of what really happened, not of what the till was left with.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.verification.simulation.history import History, Written
from tests.verification.simulation.verdict import Violation, before_it

TRIES = 10
ENDS_A_ROW = ("PASSCODE_RIGHT", "PASSCODE_SET", "PASSCODE_RESET")


def passcodes(history: History) -> Iterator[Violation]:
    """No passcode counts after rows went missing since its last right one, beside a lost journal, or after ten wrong.

    Until a code by SMS: whoever has proved their number by it chooses another.
    """
    for line, journal in history.journals.items():
        yield from _Tried(history.gaps.get(line, {})).over(journal)


class _Tried:
    """The passcodes of one line, read from its first event on."""

    def __init__(self, gaps: dict[int, int]) -> None:
        self._gaps = gaps
        self._since: dict[str, int] = {}
        self._wrong: dict[str, int] = {}
        self._rebuilt = False
        self._chosen: set[str] = set()

    def over(self, journal: tuple[Written, ...]) -> Iterator[Violation]:
        """Each right one by what was known before it."""
        for each in journal:
            kind, whose = each.record.kind, each.record.subject
            if kind == "PASSCODE_RIGHT":
                why = self._why_not(each)
                if why:
                    yield Violation("threat 29", whose, f"number {each.seq}: a passcode counted, {why}")
            self._learn(each, kind, whose)

    def _why_not(self, right: Written) -> str:
        whose = right.record.subject
        since = self._since.get(whose, 0)
        if self._rebuilt and whose not in self._chosen:
            return "though the journal was damaged"
        if any(since < number < right.seq and at <= right.at for number, at in self._gaps.items()):
            return "though rows had gone since it was last right"
        wrong = self._wrong.get(whose, 0)
        return f"after {wrong - 1} wrong ones" if wrong > TRIES else ""

    def _learn(self, each: Written, kind: str, whose: str) -> None:
        self._rebuilt = self._rebuilt or kind == "JOURNAL_REBUILT"
        if kind == "PASSCODE_TRY":
            self._wrong[whose] = self._wrong.get(whose, 0) + 1
        if kind in ENDS_A_ROW:
            self._since[whose], self._wrong[whose] = each.seq, 0
        if kind == "PASSCODE_SET":
            self._chosen.add(whose)


def first_manager(history: History) -> Iterator[Violation]:
    """Where people sign in, somebody puts themselves on the list once: where there was nobody ever before.

    Neither in this line nor in any that it came from, whatever was taken out or lost since.
    """
    if not history.staffed:
        return
    for line, journal in history.journals.items():
        began = history.lines.get(line)
        anybody = any(_anybody(history.journals[parent]) for parent, _ in before_it(history, line))
        for each in journal:
            record = each.record
            is_new = began is None or each.seq > began.copied
            if is_new and record.kind == "PERSON_ENROLLED" and record.actor == record.subject and anybody:
                yield Violation(
                    "threat 29",
                    record.subject,
                    f"number {each.seq}: made manager by nobody, where there were people",
                )
            anybody = anybody or record.person is not None


def _anybody(journal: tuple[Written, ...]) -> bool:
    return any(each.record.person is not None for each in journal)
