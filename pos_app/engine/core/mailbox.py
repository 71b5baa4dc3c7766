"""The engine's queue and its loop: whoever owns the engine's thread calls `run`; everybody may `post`."""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from typing import Protocol

import msgspec

from pos_app.domain.commands import Command
from pos_app.domain.draining import DrainNews
from pos_app.domain.events import AttemptEvent
from pos_app.domain.staff import StaffCommand
from pos_app.engine.connection.calls import ProbeAnswered, RecordNews, StaffNews, StoreNews, TokenLooked
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.config import SetUpNews
from pos_app.engine.printing.news import PrintNews

log = logging.getLogger(__name__)


class Stop(msgspec.Struct, frozen=True):
    """The loop is to end after what is already queued."""


class Pulse(msgspec.Struct, frozen=True):
    """Whoever watches over the engine's thread: `beat` is called on it, in its turn among all that was posted."""

    beat: Callable[[], None]


Message = (
    Command
    | StaffCommand
    | AttemptEvent
    | StaffNews
    | ProbeAnswered
    | TokenLooked
    | RecordNews
    | StoreNews
    | PrintNews
    | SetUpNews
    | DrainNews
    | Stop
)
Post = Callable[[Message], None]

_AFTER_A_BUG_MS = 1_000
"""So long the loop waits where the engine cannot say what is due: it is asked again, and nothing spins."""


class Mailbox:
    """Takes events from any thread, and from signal handlers; never waits to take one."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Message | Pulse] = queue.SimpleQueue()

    def post(self, event: Message | Pulse) -> None:
        """Hands an event over."""
        self._queue.put(event)

    def next(self, limit_s: float | None) -> Message | Pulse | None:
        """The next event; None when `limit_s` passed without one."""
        try:
            return self._queue.get(timeout=limit_s)
        except queue.Empty:
            return None


class Runs(Protocol):
    """An engine, as its loop sees it."""

    def start(self) -> None: ...
    def handle(self, event: Message) -> None: ...
    def tick(self) -> None: ...
    def due_at(self) -> int | None: ...
    def stop_selling(self) -> None: ...


class Loop:
    """One of the doors for any exception: a bug stops the selling, never the asking."""

    def __init__(self, mailbox: Mailbox, engine: Runs, clock: Clock) -> None:
        self._mailbox = mailbox
        self._engine = engine
        self._clock = clock
        self._met_a_bug = False

    def run(self) -> None:
        """Works until Stop."""
        self._guarded(self._engine.start)
        # Before anything is waited for: nothing may ever come to a till that could not even start.
        self._stop_selling_after_a_bug()
        while True:
            event = self._mailbox.next(self._idle_s())
            if isinstance(event, Stop):
                return
            if isinstance(event, Pulse):
                self._guarded(event.beat)
            elif event is not None:
                self._handle(event)
            self._guarded(self._engine.tick)
            self._stop_selling_after_a_bug()

    def _stop_selling_after_a_bug(self) -> None:
        if self._met_a_bug:
            self._met_a_bug = False
            self._guarded(self._engine.stop_selling)

    def _idle_s(self) -> float | None:
        found: list[int | None] = []
        self._guarded(lambda: found.append(self._engine.due_at()))
        due = found[0] if found else self._clock.now() + _AFTER_A_BUG_MS
        return None if due is None else max(0, due - self._clock.now()) / 1000

    def _handle(self, event: Message) -> None:
        self._guarded(lambda: self._engine.handle(event))

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            log.exception("the engine met a bug; no new payments")
            self._met_a_bug = True
