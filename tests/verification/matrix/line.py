"""A till's line that meets a fault when told to: at its next initiate, ask, cancel, probe or code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from pos_app.domain.replies import Accepted, CancelAccepted, Listing, NoAnswer, StatusReport, Why
from tests.verification.simulation.clock import World
from tests.verification.simulation.network import LIMITS, TIME_OUT, Network, Perform, Schedule
from tests.verification.simulation.story import Story

LONGEST_WAIT_S = 60
_SHAPES = {
    "initiate": Accepted(),
    "status": StatusReport(""),
    "cancel": CancelAccepted(),
    "query": Listing(),
}
"""Of the reply to a request that never arrived."""

Bend = Callable[[Any], Any]
"""From the honest reply to what the till hears."""


def _nothing() -> None:
    pass


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One way a fault can look on the line.

    `unsent`: no byte left, and the network's name for why. `arrives`: whether the service got the request;
    `late_ms`: that much after it was sent. `twice_ms`: and once more that much later. `second`: the till
    hears the answer to the copy. `silent`: what the till hears comes when its time is up.
    """

    name: str
    bend: Bend | None = None
    unsent: str = ""
    arrives: bool = True
    late_ms: int = 0
    twice_ms: int = 0
    second: bool = False
    silent: bool = False
    back: int = 0
    """As it stood so many states ago."""


class Met(msgspec.Struct, frozen=True):
    """A fault that was met, and what the till was told."""

    operation: str
    reading: str
    sent_at: int
    at: int
    reply: Any


class MatrixLine(Network):
    """`meets` a reading at the next calls of an operation; `met` is each of them, once the till has heard."""

    def __init__(self, world: World, schedule: Schedule, story: Story, till: int) -> None:
        super().__init__(world, schedule, story, till)
        self._latency = story.latencies[0]
        self._plan: dict[str, list[Reading]] = {}
        self._rest: dict[str, Reading] = {}
        self._now: Reading | None = None
        self.met: list[Met] = []
        self.made: list[tuple[int, str]] = []
        self.under_way: Counter[str] = Counter()
        """Calls whose end the till has not heard, by operation."""
        self.before: dict[str, Callable[[], None]] = {}
        """Called as a request of this operation leaves."""
        self.leaving: Callable[[str], None] = lambda _: None
        self.looked: Callable[[], None] = lambda: None
        """Called as soon as the till has dealt with what it heard."""

    def meets(self, operation: str, *readings: Reading) -> None:
        """The next calls of this operation, one after the other."""
        self._plan.setdefault(operation, []).extend(readings)

    def stays(self, operation: str, reading: Reading) -> None:
        """Every call of this operation from now on."""
        self._rest[operation] = reading

    def heal(self) -> None:
        """The fault is over."""
        self._plan.clear()
        self._rest.clear()

    def times(self, operation: str) -> int:
        """How often a fault was met there and heard of."""
        return sum(each.operation == operation for each in self.met)

    def fault(self, operation: str) -> tuple[str, int]:
        """What the next call meets."""
        self.calls += 1
        self.made.append((self._world.now, operation))
        self.leaving(operation)
        self.before.get(operation, _nothing)()
        waiting = self._plan.get(operation)
        self._now = waiting.pop(0) if waiting else self._rest.get(operation)
        if self._now is None:
            return "", 0
        return self._now.unsent or "matrix", 0

    def call(
        self,
        operation: str,
        fault: tuple[str, int],
        perform: Perform,
        answer: Callable[[Any], None],
        refuse: Callable[[str], None] | None = None,
    ) -> None:
        """One request."""
        reading, self._now = self._now, None
        self.under_way[operation] += 1
        answer = self._ended(operation, answer)
        refuse = None if refuse is None else self._ended(operation, refuse)
        if reading is None:
            super().call(operation, fault, perform, answer, refuse)
            return
        sent_at = self._world.now

        def hear(reply: Any) -> None:
            answer(reply)
            self.met.append(Met(operation, reading.name, sent_at, self._world.now, reply))
            if isinstance(reply, NoAnswer) and reply.why is Why.SLOW_DOWN:
                # Waiting as long as the service asked is part of the fault.
                wait_ms = int(1100 * (reply.retry_after_s or LONGEST_WAIT_S))
                self.faulty_until = max(self.faulty_until, self._world.now + wait_ms)
            self.looked()

        if reading.unsent:
            super().call(operation, fault, perform, hear, refuse)
            return
        shape = _SHAPES.get(operation)
        _Exchange(self._schedule, reading, perform, hear, perform(0) if shape is None else shape).run(
            sent_at, sent_at + self._latency, sent_at + LIMITS[operation]
        )

    def _ended(self, operation: str, tell: Callable[[Any], None]) -> Callable[[Any], None]:
        def told(reply: Any) -> None:
            self.under_way[operation] -= 1
            tell(reply)

        return told


class _Exchange:
    """What becomes of one request."""

    def __init__(
        self,
        schedule: Schedule,
        reading: Reading,
        perform: Perform,
        hear: Callable[[Any], None],
        shape: Any,
    ) -> None:
        self._schedule = schedule
        self._reading = reading
        self._perform = perform
        self._hear = hear
        self._arrived = self._answered = False
        self._honest = shape

    def run(self, sent_at: int, heard_at: int, limit_at: int) -> None:
        """Arrival, perhaps again, and the answer."""
        reading = self._reading
        arrives_at = (sent_at + heard_at) // 2 + reading.late_ms
        if reading.arrives:
            self._schedule(arrives_at, self._arrive)
        if reading.twice_ms:
            self._schedule(arrives_at + reading.twice_ms, self._again)
            heard_at += reading.twice_ms if reading.second else 0
        self._schedule(limit_at if reading.silent else heard_at, self._answer)

    def _arrive(self) -> None:
        if self._answered:
            self._perform(0)
            return
        self._arrived = True
        self._honest = self._perform(self._reading.back)

    def _again(self) -> None:
        second = self._perform(0)
        if self._reading.second:
            self._honest = second

    def _answer(self) -> None:
        self._answered = True
        if self._reading.bend is not None:
            self._hear(self._reading.bend(self._honest))
        else:
            self._hear(self._honest if self._arrived else TIME_OUT)


def pick(dice: Random, *readings: Reading) -> Reading:
    """One of several."""
    return readings[dice.randrange(len(readings))]
