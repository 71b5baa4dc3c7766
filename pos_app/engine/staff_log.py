"""What people did, as the journal has it, for a manager to look through. It reads; it judges and writes nothing."""

from __future__ import annotations

from pos_app.domain.record import Record
from pos_app.domain.staff import ReadStaffLog
from pos_app.domain.views import StaffLine, StaffLog, StaffProblem
from pos_app.engine.book import Book
from pos_app.engine.ledger import Ledger
from pos_app.engine.passcodes import subject_of

MOST = 500
"""One answer holds no more, whatever is asked for."""

_SHOWN = ("act", "action", "for", "name", "role", "number_mask", "changes", "changed", "problem", "why")
"""What of an event's content is for the screen."""


class StaffLogs:
    """Answers what the gate let through."""

    def __init__(self, book: Book, ledger: Ledger) -> None:
        self._book = book
        self._ledger = ledger

    def read(self, wish: ReadStaffLog) -> StaffLog:
        """The newest acts; a journal that cannot be read just now says so."""
        newest = max(1, min(wish.limit, MOST))
        found = self._ledger.read(lambda: tuple(self._book.newest_acts(newest)), None)
        if found is None:
            return StaffLog(request_id=wish.request_id, problem=StaffProblem.CANNOT_READ)
        return StaffLog(request_id=wish.request_id, lines=tuple(map(_line, found)))


def _line(record: Record) -> StaffLine:
    reason = record.content.get("reason", "")
    return StaffLine(
        kind=record.kind,
        wall=record.wall,
        who=record.actor,
        whom=record.subject.removeprefix(subject_of("")),
        reason=reason if isinstance(reason, str) else "",
        content={key: record.content[key] for key in _SHOWN if key in record.content},
    )
