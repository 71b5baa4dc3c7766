"""What people did, as the journal has it, for a manager to look through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pos_app.domain.record import Record
from pos_app.domain.rights import Act
from pos_app.domain.staff import ReadStaffLog
from pos_app.domain.views import StaffLine, StaffLog, StaffProblem
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.reconfiguration import IN_FORCE, NOT_WRITTEN
from pos_app.engine.staff.passcodes import subject_of
from pos_app.engine.staff.permits import PERMITTED
from pos_app.engine.staff.refusals import APPROVAL_REFUSED

MOST = 500
"""One answer holds no more, whatever is asked for."""

_SHOWN = (
    "act", "action", "for", "name", "role", "number_mask", "changes", "changed", "stored", "revoked", "problem", "why",
)  # fmt: skip
"""What of an event's content is for the screen."""

_OF_SETTINGS = (Act.CHANGE_SETTINGS.value, Act.CHANGE_SECRETS.value)


class StaffLogs:
    """Answers what the authorizer let through."""

    def __init__(self, journal: JournalStore, live_payments: LivePayments) -> None:
        self._journal = journal
        self._live_payments = live_payments

    def read(self, command: ReadStaffLog) -> StaffLog:
        """The newest acts; a journal that cannot be read just now says so."""
        newest = max(1, min(command.limit, MOST))
        subject = subject_of(command.person_id) if command.person_id else ""
        found = self._live_payments.read(
            lambda: tuple(
                self._journal.newest_acts(newest, actor=command.person_id, subject=subject, day=command.day)
            ),
            None,
        )
        if found is None:
            return StaffLog(request_id=command.request_id, problem=StaffProblem.CANNOT_READ)
        return StaffLog(request_id=command.request_id, lines=_lines(found))


def _lines(newest_first: Sequence[Record]) -> tuple[StaffLine, ...]:
    """One for each act. A change of settings is journalled twice, when it is allowed and when it holds or cannot:
    it is told once, as what became of it, with what was changed and why.
    """
    lines: list[StaffLine] = []
    allowed: list[StaffLine] = []
    for record in reversed(newest_first):
        line = _line(record)
        if record.kind in (IN_FORCE, NOT_WRITTEN):
            own = [each for each in allowed if each.who == line.who]
            allowed = [each for each in allowed if each not in own]
            lines = [each for each in lines if each not in own]
            if not own and _says_again(line, lines):
                continue
            line = _joined(line, own)
        elif record.kind == PERMITTED and line.content.get("act") in _OF_SETTINGS:
            allowed.append(line)
        lines.append(line)
    return tuple(reversed(lines))


def _says_again(line: StaffLine, lines: Sequence[StaffLine]) -> bool:
    """Of a change that needed two leaves and came to nothing, each is told so."""
    if line.kind != NOT_WRITTEN or not lines:
        return False
    last = lines[-1]
    return (last.kind, last.who, last.content.get("why")) == (line.kind, line.who, line.content.get("why"))


def _joined(outcome: StaffLine, allowed: Sequence[StaffLine]) -> StaffLine:
    content: dict[str, Any] = {}
    for each in allowed:
        content |= {key: value for key, value in each.content.items() if key not in ("act", "name")}
    reason = next((each.reason for each in allowed if each.reason), outcome.reason)
    return replace(outcome, reason=reason, content=content | outcome.content)


def _line(record: Record) -> StaffLine:
    reason = record.content.get("reason", "")
    # Of a leave for something outside the engine, what it was for stands one deeper.
    inner = record.content.get("content")
    content = {**record.content, **inner} if isinstance(inner, Mapping) else record.content
    # Whose passcode was tried beside a cashier: to whoever reads it that is the act, whatever it was tried for.
    tried = content.get("manager") if record.kind == APPROVAL_REFUSED else None
    return StaffLine(
        kind=record.kind,
        wall=record.wall,
        who=record.actor,
        whom=tried if isinstance(tried, str) else record.subject.removeprefix(subject_of("")),
        reason=reason if isinstance(reason, str) else "",
        content={key: content[key] for key in _SHOWN if key in content},
    )
