"""Which payments of a journal somebody still has to wait for or to settle. Only reads."""

from __future__ import annotations

from pos_app.domain.attempt import Attempt
from pos_app.journal import Queries


def unsettled(journal: Queries | None) -> list[Attempt]:
    """Open ones and those that need attention, each once, oldest first."""
    if journal is None:
        return []
    found = {attempt.attempt_id: attempt for attempt in [*journal.open_attempts(), *journal.needs_answer()]}
    return sorted(found.values(), key=lambda attempt: attempt.tapped_at)
