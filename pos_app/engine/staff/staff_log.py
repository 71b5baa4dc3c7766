"""What people did, as the journal has it, for a manager to look through."""

from __future__ import annotations

from pos_app.domain.record import Record
from pos_app.domain.staff import ReadStaffLog
from pos_app.domain.views import StaffLine, StaffLog, StaffProblem
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.passcodes import subject_of

MOST = 500
"""One answer holds no more, whatever is asked for."""

_SHOWN = ("act", "action", "for", "name", "role", "number_mask", "changes", "changed", "problem", "why")
"""What of an event's content is for the screen."""


class StaffLogs:
    """Answers what the authorizer let through."""

    def __init__(self, journal: JournalStore, live_payments: LivePayments) -> None:
        self._journal = journal
        self._live_payments = live_payments

    def read(self, command: ReadStaffLog) -> StaffLog:
        """The newest acts; a journal that cannot be read just now says so."""
        newest = max(1, min(command.limit, MOST))
        found = self._live_payments.read(lambda: tuple(self._journal.newest_acts(newest)), None)
        if found is None:
            return StaffLog(request_id=command.request_id, problem=StaffProblem.CANNOT_READ)
        return StaffLog(request_id=command.request_id, lines=tuple(map(_line, found)))


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
