"""Who a till is to the service: how the journal's events name its installation and its machine. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from pos_app.domain.rebuilt_journal import REBUILT
from pos_app.domain.record import Record

SUBJECT = "installation"
"""The subject of these events."""

ON_MACHINE = "ON_MACHINE"
"""The machine on which this journal is at home, as a keyed hash."""

TAKEN = "INSTALLATION_TAKEN"
"""A new installation id holds from here on: `installation_id`, `before`, `why`, `machine`."""

TOLD = "INSTALLATION_TOLD"
"""A manager has been told why there is a new installation id."""

USED_TWICE = "IDENTITY_USED_TWICE"
"""Something only another copy of this journal can have done was seen: no new payments under this identity."""


class Why(StrEnum):
    """Why a till took a new installation id (rule 20)."""

    OTHER_MACHINE = "other_machine"
    USED_TWICE = "used_twice"
    ASKED = "asked"
    """A manager wanted it: a store knows the one before as another counter's, or another shop's."""


def taken_over(events: Iterable[Record]) -> frozenset[str]:
    """What the damaged journals were, proven, beside which this one was begun. `events`: those about the journal."""
    rebuilt = (each.content for each in events if each.kind == REBUILT)
    return frozenset(str(of) for content in rebuilt for of in content.get("installations", ()))
