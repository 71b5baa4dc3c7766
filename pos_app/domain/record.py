"""One line of the journal before it is written: what happened, to whom, by whom, and what it made true."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.people import Person
from pos_app.domain.rebuilt_journal import RECOVERED
from pos_app.domain.sale import Sale


def wall_of(moment: datetime) -> str:
    """A moment as records and papers write it: ISO to the millisecond, with its offset where it has one."""
    return moment.isoformat(timespec="milliseconds")


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An event with the projections it changes; one transaction, committed before it is acted on.

    `at` is till time in ms, `wall` the wall clock as ISO text with offset. `path` holds the states passed,
    first to last ("INTENT", "WAITING"), empty when no state changed. `content` is JSON-ready and free of
    secrets. `sealed` (request bytes, a phone number) is stored encrypted under `subject`.
    """

    kind: str
    subject: str
    actor: str
    at: int
    wall: str
    content: dict[str, Any] = {}
    path: tuple[State, ...] = ()
    attempt: Attempt | None = None
    sale: Sale | None = None
    person: Person | None = None
    sealed: bytes | None = None

    @property
    def paid_wall(self) -> str:
        """When this event made its payment money: its wall; of one taken over from a damaged journal, what that said.

        "" for any other event, and where nobody knows any more when it was.
        """
        if self.kind == RECOVERED:
            return str(self.content.get("paid_at", ""))
        return self.wall if MONEY.intersection(self.path[1:]) else ""
