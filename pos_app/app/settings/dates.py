"""When each secret was last stored at this till, as the journal has it. Reads the journal beside the engine."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.domain.rights import Act
from pos_app.engine.core.reconfiguration import NOT_WRITTEN
from pos_app.engine.staff.permits import PERMITTED
from pos_app.journal import JournalError, read_only


def secrets_stored_on(journal: Path) -> dict[str, date]:
    """By name; empty where the journal knows nothing, or cannot be read just now."""
    try:
        queries = read_only(journal)
    except (JournalError, OSError):
        return {}
    try:
        return dates_of(list(queries.events_of(TERMINAL)))
    except (JournalError, OSError):
        return {}
    finally:
        queries.close()


def dates_of(events: list[Record]) -> dict[str, date]:
    """Of what was permitted and done; oldest event first."""
    not_done = {each.content.get("request_id") for each in events if each.kind == NOT_WRITTEN}
    found: dict[str, date] = {}
    for each in events:
        is_ours = each.kind == PERMITTED and each.content.get("act") == Act.CHANGE_SECRETS.value
        if is_ours and each.content.get("request_id") not in not_done:
            names = each.content.get("content", {}).get("stored", [])
            found |= dict.fromkeys(names, date.fromisoformat(each.wall[:10]))
    return found
