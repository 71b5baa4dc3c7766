"""What the judges share: a violation, and the journal seen from outside. Imports no decision of the product."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.ids import installation_of
from tests.verification.simulation.history import History, Line, Written

MONEY = ("PAID", "PAID_LATE")
FINAL = (*MONEY, "FAILED", "CANCELLED", "REFUSED", "NOT_SENT", "SIGNED_OFF")
OPEN = ("INTENT", "IN_DOUBT", "WAITING")
GATEWAY_FINAL = ("Payment Success", "Payment Fail", "Customer Reject", "Merchant Cancel")


class Violation(msgspec.Struct, frozen=True):
    """An invariant that did not hold, about what, and the shortest account of why."""

    invariant: str
    about: str
    why: str

    def __str__(self) -> str:
        return f"{self.invariant} {self.about}: {self.why}"


def snapshots(journal: tuple[Written, ...]) -> Iterator[tuple[Written, Attempt]]:
    """Each record that says how an attempt now stands."""
    for each in journal:
        if each.record.attempt is not None:
            yield each, each.record.attempt


def newest(journal: tuple[Written, ...]) -> dict[str, Attempt]:
    """Every attempt as this journal last knew it."""
    return {attempt.attempt_id: attempt for _, attempt in snapshots(journal)}


def before(journal: tuple[Written, ...], seq: int) -> dict[str, Attempt]:
    """Every attempt as this journal knew it up to and with a number."""
    return {attempt.attempt_id: attempt for each, attempt in snapshots(journal) if each.seq <= seq}


def intents(history: History) -> dict[str, Written]:
    """The durable intent of each attempt."""
    return {
        each.record.subject: each
        for journal in history.journals.values()
        for each in journal
        if each.record.kind == "INTENT"
    }


def entered(journal: tuple[Written, ...]) -> dict[str, Written]:
    """By what this journal first knew of each attempt: its intent, or what was taken over of a lost one."""
    found: dict[str, Written] = {}
    for each, attempt in snapshots(journal):
        if each.record.kind in ("INTENT", "RECOVERED"):
            found.setdefault(attempt.attempt_id, each)
    return found


def sale_key(attempt: Attempt) -> tuple[str, str]:
    """A sale within one line: its number is unique there, with the installation that the attempt id names.

    After a roll-back, and in a clone, the numbers come again, for other customers: lines are never mixed.
    """
    return installation_of(attempt.attempt_id), attempt.sale_id


def before_it(history: History, line: str) -> Iterator[tuple[str, Line]]:
    """The lines that a line came from, nearest first, each with how what came of it began."""
    while line in history.lines:
        began = history.lines[line]
        yield began.parent, began
        line = began.parent


def starts_of(history: History, line: str) -> list[int]:
    """The starts of whatever worked on this line's events: of the lines that they were copied from, too."""
    found = [at for at, till in history.starts if till == line]
    for parent, began in before_it(history, line):
        found += [at for at, till in history.starts if till == parent and at <= began.copied_at]
        if not began.copied:
            break
    return sorted(found)


def owner(history: History, line: str, seq: int) -> tuple[str, int]:
    """The line that wrote the event of this number; what is copied keeps its number."""
    for parent, began in before_it(history, line):
        if seq > began.copied:
            break
        line = parent
    return line, seq


def born(history: History, line: str, attempt_id: str) -> tuple[str, int]:
    """The intent of an attempt as this line has it: where it was written. ("", 0): none, as of one from a list."""
    for name in (line, *(parent for parent, _ in before_it(history, line))):
        for each in history.journals[name]:
            if each.record.kind == "INTENT" and each.record.subject == attempt_id:
                return owner(history, name, each.seq)
        if any(each.record.subject == attempt_id for each in history.journals[name]):
            continue  # taken over of the line before
        break
    return "", 0
