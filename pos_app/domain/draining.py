"""Closing for an update: what whoever updates asks of the till, and how far the till is. docs/updates.md has the whole.

Not a person's command: it comes from the account of the machine, by the till's own socket or from its administrator.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec


class DrainNews(msgspec.Struct, frozen=True):
    """News of an update that waits, from whoever heard of it."""


class DrainAsked(DrainNews, frozen=True, kw_only=True):
    """Start no new payment and let those under way end, for `wait_ms` at most; then sell again by yourself.

    `strict`: also those that were given up and may still be paid. `end`: the till is ended once nothing is under
    way, so that it sells no more however long that takes. The newest request counts.
    """

    request_id: str
    wait_ms: int
    strict: bool = False
    end: bool = False


class DrainLeft(DrainNews, frozen=True, kw_only=True):
    """Whoever asked waits no longer: sell again. Of an older request it means nothing."""

    request_id: str


class DrainStep(StrEnum):
    """How far a till is that closes for an update."""

    NONE = ""
    CLOSING = "payments_are_under_way"
    DRAINED = "nothing_is_under_way"
    PUT_OFF = "a_manager_put_it_off"
    TOO_LATE = "payments_were_under_way_when_the_time_was_over"


class DrainView(msgspec.Struct, frozen=True, kw_only=True):
    """`open` payments are waited for, or the till is `busy`: a closing, a paper, a disk that takes nothing.

    PUT_OFF and TOO_LATE are how the request ended: the till sells.
    """

    request_id: str = ""
    step: DrainStep = DrainStep.NONE
    open: int = 0
    busy: bool = False
    end: bool = False
