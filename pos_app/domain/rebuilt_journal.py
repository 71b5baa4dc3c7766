"""A journal that was begun anew beside a damaged one: how its own events name that. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pos_app.domain.record import Record

JOURNAL = "journal"
"""The subject of events about the journal itself."""

REBUILT = "JOURNAL_REBUILT"
"""What could be read of a damaged journal was taken over; the service is still to be asked."""

REBUILD_ENDED = "JOURNAL_REBUILD_ENDED"
"""The service's lists have been read; whatever they showed is entered and asked about, the rest is named."""

LIST = "list"
"""The subject of events about the reading of the service's list; they are many, and read while it goes on."""

LIST_BEGAN = "LIST_BEGAN"
"""Which payments the service is known to have, before its list was read: they have to be in it."""

LIST_READ = "LIST_READ"
"""A window of the list is done with: proven whole, or named as incomplete. A restart goes on behind it."""

RECOVERED = "RECOVERED"
"""An attempt entered again: from a proven event of the damaged journal, from a hint of it, or from a list."""

MENDED = "JOURNAL_MENDED"
"""Tables or anchor were not what the events say and were made anew."""

DAMAGED = "JOURNAL_DAMAGED"
"""The running till found that events are not as they were written."""


class Rebuilt(msgspec.Struct, frozen=True):
    """What people are told: so many payments are known again; `ended`: the service has been asked for all.

    Attempts whose id holds another installation than `installation_id` are from before. `others`: payments of
    this counter at the service that were not taken up, because nothing says that they are this till's.
    """

    found: int
    ended: bool
    installation_id: str
    incomplete: tuple[str, ...] = ()
    """Times in which the service's list could not be proven whole, as "2026-03-01 14:05:00 – 14:06:10"."""
    others: int = 0


def last_rebuild(events: Iterable[Record]) -> tuple[Record | None, Record | None]:
    """The beginning of the newest rebuild, and its end; None for what is not there. `events`: those of JOURNAL."""
    began = ended = None
    for each in events:
        if each.kind == REBUILT:
            began, ended = each, None
        elif each.kind == REBUILD_ENDED:
            ended = each
    return began, ended


def asks_for_the_rest(events: Iterable[Record]) -> bool:
    """Whether a payment may be missing yet, as the service has not been asked for all. `events`: those of JOURNAL."""
    began, ended = last_rebuild(events)
    return began is not None and ended is None
