"""All a till's engine takes in and says, in one order, for those who wait for it or judge it afterwards."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from pos_app.domain.views import Published
from pos_app.engine.core.mailbox import Mailbox, Message, Pulse

Found = TypeVar("Found")


class Took(msgspec.Struct, frozen=True):
    """The engine begins with this event; `at`: seconds, by a clock that only goes on."""

    event: Message
    at: float


class Rested(msgspec.Struct, frozen=True):
    """The engine has done all that was due, and waits; `at` as before."""

    at: float


class Started(msgspec.Struct, frozen=True):
    """A till was switched on."""


class Met(msgspec.Struct, frozen=True):
    """The fault has struck."""


Entry = Took | Rested | Started | Met | Published


class StuckError(AssertionError):
    """What was waited for did not come."""


class Diary:
    """Any thread writes and waits; entries are never changed."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._changed = threading.Condition()

    def add(self, entry: Entry) -> None:
        """One line more."""
        with self._changed:
            self._entries.append(entry)
            self._changed.notify_all()

    def so_far(self) -> Sequence[Entry]:
        """A copy."""
        with self._changed:
            return tuple(self._entries)

    def wait_for(self, what: str, look: Callable[[Sequence[Entry]], Found | None], limit_s: float) -> Found:
        """What `look` finds, as soon as it finds something. Raises StuckError."""
        by = time.monotonic() + limit_s
        with self._changed:
            while True:
                found = look(self._entries)
                if found is not None:
                    return found
                left = by - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise StuckError(f"no {what} within {limit_s:g} s")


class Overheard(Mailbox):
    """The till's own mailbox, each event noted when the engine takes it."""

    def __init__(self, diary: Diary) -> None:
        super().__init__()
        self._diary = diary

    def next(self, limit_s: float | None) -> Message | Pulse | None:
        """The next event; None when `limit_s` passed without one."""
        self._diary.add(Rested(time.monotonic()))
        event = super().next(limit_s)
        if event is not None and not isinstance(event, Pulse):
            self._diary.add(Took(event, time.monotonic()))
        return event
