"""I13 judged: whoever the journal names had the right at that moment, as sign-ins, locks and starts tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pos_app.domain.record import Record
from tests.verification.simulation.history import History, Written
from tests.verification.simulation.verdict import Violation, starts_of

TERMINAL = "terminal"
ANY, OWNER, MANAGER = "whoever is signed in", "the owner", "a manager"

_NEEDS = {
    "INTENT": ANY,
    "PARK": ANY,
    "CANCEL": OWNER,
    "CLOSE": OWNER,
    "CONTINUE": OWNER,
    "REFUND_SIGNED": MANAGER,
    "REFUND_GIVEN": ANY,
    "REFUND_WITHDRAWN": MANAGER,
    "PERMITTED": MANAGER,
    "NUMBER_UNMASKED": MANAGER,
    "PERSON_CHANGED": MANAGER,
}
_ANSWERS = {"complete": OWNER, "refund": MANAGER, "paid": MANAGER, "not_paid": MANAGER}
"""The table of rights as I13 means it, not as the product holds it. Asking, and leaving a panel, need none."""

_OF_CLOSING = ("CLOSING_BEGAN", "CLOSING_LEFT")
"""A manager's, unless the settings open it to cashiers."""

_OF_PAPER = ("PRINT_ASKED", "COPY_ASKED", "PRINT_SEEN", "PRINT_LEFT")
"""What somebody wanted of a paper; everything else of a print is the till's own doing."""

OWN_COPY_MS = 900_000
"""A quarter of an hour after it was paid a copy is nobody's to ask for but a manager's."""


def i13(history: History) -> Iterator[Violation]:
    """No act by somebody who may not; a payment stays whose it was."""
    if not history.staffed:
        return
    for till, journal in history.journals.items():
        yield from _Watch(starts_of(history, till), history.cashiers_close).over(journal)


class _Watch:
    """One till, read from its first event on."""

    def __init__(self, starts: list[int], cashiers_close: bool) -> None:
        self._starts = sorted(starts)
        self._closes = ANY if cashiers_close else MANAGER
        self._managers: set[str] = set()
        self._enabled: set[str] = set()
        self._present = ""
        self._locked = False
        self._approved: tuple[str, str, str] = ("", "", "")
        """What a manager has just approved: its subject, who did, which act."""
        self._settles = ""
        """Who has just answered "money back", or signed for a sale paid twice: its notes are of the same commit."""
        self._owners: dict[str, str] = {}
        self._ended: dict[str, int] = {}
        """When each payment ended, and since when the period is open (till ms)."""
        self._opened_at = 0
        self._lost: set[str] = set()
        """Sales one of whose codes was lost: the till itself may begin another attempt (rule 3c)."""

    def over(self, journal: tuple[Written, ...]) -> Iterator[Violation]:
        """Each event by what was known before it."""
        for each in journal:
            while self._starts and self._starts[0] <= each.at:
                self._starts.pop(0)
                self._present, self._locked = "", False
            yield from self._judged(each)
            self._learn(each)

    def _judged(self, each: Written) -> Iterator[Violation]:
        record, attempt = each.record, each.record.attempt
        closers = self._managers if self._closes == MANAGER else self._enabled
        if record.kind == "Z_CLOSED" and record.actor not in closers:
            # Whoever began it may have left the till before the last answer came.
            yield Violation("I13", record.subject, f"number {each.seq}: closed by {record.actor}")
        if record.kind == "X_READ":
            needs_of_x = ANY if record.content["whose"] == record.actor else MANAGER
            if not self._may(each, needs_of_x):
                yield Violation("I13", record.subject, f"number {each.seq}: an X by {record.actor}")
        needs = _NEEDS.get(record.kind) or (
            _ANSWERS.get(record.content.get("action", ""), MANAGER) if record.kind == "ANSWER" else ""
        )
        if record.kind in _OF_CLOSING:
            needs = self._closes
        if needs and not self._may(each, needs):
            there = f"{self._present or 'nobody'}{', locked' if self._locked else ''}"
            yield Violation(
                "I13",
                record.subject,
                f"number {each.seq}: {record.kind} by {record.actor}, needs {needs}; {there}",
            )
        if record.kind == "REFUND_NOTED" and not self._may_note(each):
            yield Violation("I21", record.subject, f"number {each.seq}: a note by {record.actor}")
        if record.kind in _OF_PAPER and not self._may_print(each):
            job = record.content["job"]
            what = f"{record.kind} of {job['paper']} {job['about']}"
            yield Violation("I13", record.subject, f"number {each.seq}: {what} by {record.actor}")
        if record.kind == "APPROVED":
            here = "" if self._locked else self._present
            if record.actor not in self._managers or record.content["for"] != here:
                yield Violation(
                    "I13", record.subject, f"number {each.seq}: approved by {record.actor} for {here}"
                )
        if attempt is not None:
            owner = self._owners.setdefault(attempt.attempt_id, attempt.owner)
            if owner != attempt.owner:
                yield Violation("I13", record.subject, f"number {each.seq}: {owner}'s, now {attempt.owner}'s")
            if record.kind == "INTENT" and record.actor not in (attempt.owner, TERMINAL):
                yield Violation("I13", record.subject, f"begun by {record.actor}, owned by {attempt.owner}")

    def _may_note(self, each: Written) -> bool:
        """A manager, or whom one has approved; with an answer or a signature whoever may give that, judged there."""
        record, note = each.record, each.record.content["note"]
        if self._approved[:2] == (note["attempt_id"], record.actor) or self._settles == record.actor:
            return self._settles == record.actor or record.actor in self._managers
        return self._may(each, MANAGER)

    def _may(self, each: Written, needs: str) -> bool:
        record = each.record
        if record.kind == "INTENT" and record.actor == TERMINAL:
            return record.attempt is not None and record.attempt.sale_id in self._lost
        if self._approved[:2] == (record.subject, record.actor):
            return record.actor in self._managers
        return self._is_there(record.actor) and (
            needs == ANY
            or (needs == OWNER and self._is_of(record.subject, record.actor))
            or record.actor in self._managers
        )

    def _is_there(self, actor: str) -> bool:
        return not self._locked and actor == self._present and actor in self._enabled

    def _is_of(self, attempt_id: str, actor: str) -> bool:
        return self._owners.get(attempt_id, TERMINAL) in (actor, TERMINAL)

    def _may_print(self, each: Written) -> bool:
        """A payment's paper is its owner's while its day is open, a copy of it for a quarter of an hour."""
        record, job = each.record, each.record.content["job"]
        if self._approved[1:] in ((record.actor, "print"), (record.actor, "reprint")):
            return record.actor in self._managers
        return self._is_there(record.actor) and (
            record.actor in self._managers or self._is_own_paper(record.kind, record.actor, record.at, job)
        )

    def _is_own_paper(self, kind: str, actor: str, at: int, job: dict[str, Any]) -> bool:
        about = job["about"]
        match job["paper"]:
            case "test":
                return True
            case "x":
                return bool(about == actor)
            case "receipt":
                ended_at = self._ended.get(about, 0)
                is_late = kind == "COPY_ASKED" and at - ended_at > OWN_COPY_MS
                return self._is_of(about, actor) and ended_at >= self._opened_at and not is_late
        return False

    def _learn(self, each: Written) -> None:
        record = each.record
        if record.person is not None:
            person = record.person
            for group, belongs in (
                (self._managers, person.role.value == "manager" and person.enabled),
                (self._enabled, person.enabled),
            ):
                group.discard(person.person_id)
                if belongs:
                    group.add(person.person_id)
        match record.kind:
            case "SIGNED_IN" | "SWITCHED" | "UNLOCKED":
                self._present, self._locked = record.subject, False
            case "SIGNED_OUT" if record.subject == self._present:
                self._present, self._locked = "", False
            case "LOCKED":
                self._locked = True
        if record.kind in ("ANSWER", "REFUND_SIGNED"):
            self._settles = record.actor
        elif record.kind not in ("REFUND_NOTED", "PRINT_QUEUED"):
            self._settles = ""
        if record.kind == "APPROVED":
            self._approved = (record.subject, record.actor, record.content["act"])
        elif not _is_half_of_a_wish(record):
            self._approved = ("", "", "")
        if record.kind == "Z_CLOSED":
            self._opened_at = record.at
        if record.attempt is not None:
            self._ended[record.attempt.attempt_id] = record.attempt.ended_at or 0
        if record.attempt is not None and any(flag.value == "QR_LOST" for flag in record.attempt.flags):
            self._lost.add(record.attempt.sale_id)


def _is_half_of_a_wish(record: Record) -> bool:
    """A paper that is left because it was asked for anew: the wish itself is the next record of the same commit."""
    return record.kind == "PRINT_LEFT" and bool(record.content["job"]["why"] == "asked_again")
