"""One line of the journal before it is written: what happened, to whom, by whom, and what it made true."""

from __future__ import annotations

from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.people import Person
from pos_app.domain.sale import Sale


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
