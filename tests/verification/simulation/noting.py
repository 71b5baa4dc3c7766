"""I15 of notes, and I21: refund notes run 1, 2, 3 …, never come to more than was paid, are signed by one who may, and
stand in each Z beside its takings.

Adds up by itself, from what the records say: nothing of the product's sums is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from pos_app.domain.attempt import Attempt
from tests.verification.simulation.days import in_order, units
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.verdict import MONEY, Violation

MADE, GIVEN, WITHDRAWN, TAKEN_OVER = "REFUND_NOTED", "REFUND_GIVEN", "REFUND_WITHDRAWN", "REFUND_RECOVERED"
_SUMS = {MADE: "made", GIVEN: "given", WITHDRAWN: "withdrawn"}


class _Notes:
    """What the records of one line say of its notes."""

    def __init__(self) -> None:
        self.attempts: dict[str, Attempt] = {}
        self.notes: dict[int, dict[str, Any]] = {}
        self.last = 0
        self.sums = {"made": [0, 0], "given": [0, 0], "withdrawn": [0, 0]}
        self.ever = 0
        self.in_no_z: dict[int, list[str]] = {}
        self.in_z: dict[tuple[int, str], int] = {}
        self.last_z_before = 0
        """Proven, of the lost journal that this line began beside."""

    def stands(self, attempt_id: str) -> int:
        own = (each for each in self.notes.values() if each["attempt_id"] == attempt_id)
        return sum(_units(each) for each in own if each.get("state") != "WITHDRAWN")

    def open(self) -> list[dict[str, Any]]:
        return [each for each in self.notes.values() if each.get("state", "PROMISED") == "PROMISED"]

    def count(self, kind: str, note: dict[str, Any]) -> None:
        tally = self.sums[_SUMS[kind]]
        tally[0] += 1
        tally[1] += _units(note)
        self.ever += _units(note) if kind == MADE else 0
        self.in_no_z.setdefault(note["number"], []).append(kind)


def _units(note: dict[str, Any]) -> int:
    return units(Decimal(note["amount"]))


def notes(history: History) -> Iterator[Violation]:
    """Of each line."""
    lines: dict[str, _Notes] = {}
    for line in in_order(history):
        journal, known, before = history.journals[line], lines.setdefault(line, _Notes()), None
        begun = history.lines.get(line)
        lost = lines[begun.parent] if begun is not None and begun.how == "lost" else None
        unreadable = [(since, until) for of, since, until in history.unreadable if of == line]
        for each in journal:
            if each.record.kind == TAKEN_OVER and lost is not None:
                yield from _told(line, each, known, lost)
            if each.record.kind == MADE:
                yield from _judged(line, each, known)
                yield from _answered(line, known, before, unreadable)
            else:  # what else happened to a note is later than the answer before it
                yield from _answered(line, known, before, unreadable)
                yield from _judged(line, each, known)
            if each.record.attempt is not None:
                known.attempts[each.record.attempt.attempt_id] = each.record.attempt
            before = each


def _judged(line: str, each: Written, known: _Notes) -> Iterator[Violation]:
    kind, content = each.record.kind, each.record.content
    if kind == "Z_CLOSED":
        yield from _z(line, content, known)
        known.sums = {"made": [0, 0], "given": [0, 0], "withdrawn": [0, 0]}
        for number, kinds in known.in_no_z.items():
            known.in_z |= dict.fromkeys(((number, each) for each in kinds), content["number"])
        known.in_no_z = {}
    if kind == "JOURNAL_REBUILT" and (last := content.get("last_z", {})).get("proven"):
        known.last_z_before = last["number"]
    if kind not in (*_SUMS, TAKEN_OVER):
        return
    note = content["note"]
    number, before = note["number"], known.notes.get(note["number"])
    if kind == TAKEN_OVER:
        known.last, known.notes[number] = max(known.last, number), note
        for told in content.get("news", ()):
            known.count(told, note)
        return
    if kind == MADE:
        if number != known.last + 1 or before is not None:
            yield Violation("I15", line, f"note {number} at {each.seq}, after {known.last}")
        paid = known.attempts.get(note["attempt_id"])
        if paid is None or paid.state.value not in MONEY:
            yield Violation("I21", note["attempt_id"], f"note {number} of what is no proven money")
        elif known.stands(note["attempt_id"]) + _units(note) > units(paid.amount) or _units(note) <= 0:
            yield Violation(
                "I21", note["attempt_id"], f"note {number} of {note['amount']}: more than is left"
            )
        known.last = number
    elif before is None or before.get("state", "PROMISED") != "PROMISED":
        yield Violation("I21", line, f"{kind} of note {number}, which is {before and before.get('state')}")
    elif any(before[name] != note[name] for name in ("attempt_id", "amount", "reason", "way", "by")):
        yield Violation("I21", line, f"{kind} makes another of note {number}")
    known.notes[number] = note
    known.count(kind, note)


def _told(line: str, taken_over: Written, known: _Notes, lost: _Notes) -> Iterator[Violation]:
    """What no Z of a lost journal says of a note, the first one beside it says: its making, and the end that is
    known. What a Z says that is proven still, it does not say again.
    """
    note = taken_over.record.content["note"]
    told = taken_over.record.content.get("news", ())
    for kind in lost.in_no_z.get(note["number"], ()):
        is_known = kind == MADE or kind == {"GIVEN": GIVEN, "WITHDRAWN": WITHDRAWN}.get(note.get("state", ""))
        if is_known and kind not in told:
            yield Violation("I21", line, f"{kind} of note {note['number']} is in no Z")
    for kind in told:
        if lost.in_z.get((note["number"], kind), known.last_z_before + 1) <= known.last_z_before:
            yield Violation("I21", line, f"{kind} of note {note['number']} is in two Zs")


def _answered(
    line: str, known: _Notes, before: Written | None, unreadable: list[tuple[int, int]]
) -> Iterator[Violation]:
    """Money back for a late payment is noted at once, as far as it is not; a payment's state stays as it is.

    But for one that was answered while the journal could not be read: nobody knew what was noted already, and the
    payment says that it has no note.
    """
    if before is None or before.record.kind != "ANSWER" or before.record.content["action"] != "refund":
        return
    if any(since <= before.at <= until for since, until in unreadable):
        return
    answered = known.attempts.get(before.record.subject)
    if answered is None or answered.resolution is None or answered.resolution.at != before.record.at:
        return  # nothing came of it: it was answered before, or is not to be
    left = units(answered.amount) - known.stands(before.record.subject)
    if answered.state.value in MONEY and left:
        yield Violation("I21", line, f"money back for {before.record.subject} is not noted: {left} are left")


def _z(line: str, said: dict[str, Any], known: _Notes) -> Iterator[Violation]:
    """Its block is what happened in its range and what is open; the total of what was ever noted only grows."""
    told = said.get("noted", {}).get("LKR", {})
    opened = known.open()
    expected = known.sums | {"open": [len(opened), sum(map(_units, opened))]}
    found = {name: [told.get(name, {}).get(part, 0) for part in ("count", "amount")] for name in expected}
    if found != expected:
        yield Violation("I21", line, f"Z {said['number']} says {found} of its notes, and it was {expected}")
    named = {each["number"] for each in said.get("notes", ())}
    if not named.issuperset(each["number"] for each in opened):
        yield Violation(
            "I21", line, f"Z {said['number']} names {sorted(named)}, and does not name all that is open"
        )
    grand = said.get("grand", {}).get("LKR", {}).get("noted", 0)
    if grand != known.ever:
        yield Violation(
            "I21", line, f"Z {said['number']} says {grand} were ever noted, and it was {known.ever}"
        )
