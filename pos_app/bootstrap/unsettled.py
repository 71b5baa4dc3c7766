"""Which payments of a journal somebody still has to wait for or to settle. Only reads."""

from __future__ import annotations

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.domain.attempt import Attempt
from pos_app.domain.rebuilt_journal import JOURNAL, asks_for_the_rest
from pos_app.journal import Queries


def unsettled(journal: Queries | None) -> list[Attempt]:
    """Open ones and those that need attention, each once, oldest first."""
    if journal is None:
        return []
    found = {attempt.attempt_id: attempt for attempt in [*journal.open_attempts(), *journal.needs_answer()]}
    return sorted(found.values(), key=lambda attempt: attempt.tapped_at)


def some_may_come(journal: Queries | None) -> bool:
    """Whether the record was begun anew, and the service has not been asked for all: one may be missing yet."""
    return journal is not None and asks_for_the_rest(journal.events_of(JOURNAL))


def require_all_known(journal: Queries | None, attempt_id: str) -> None:
    """Raises CommandError for a payment that may be one of those: of it nobody says yet that it is none of ours."""
    if journal is not None and journal.attempt(attempt_id) is None and some_may_come(journal):
        raise CommandError(
            Exit.NOT_KNOWN,
            f"{attempt_id} is not known here yet: the record was begun anew, and the service has not been asked "
            "for all. `open --resolve 600` asks; then try again",
        )
