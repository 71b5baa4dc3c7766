"""The faulty network between one till and the service: late, twice, lost before or after, stale, garbled."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain.flow.rules import REFUSALS, TOO_LATE
from pos_app.domain.replies import (
    Accepted,
    CancelAccepted,
    NoAnswer,
    OtpRefusal,
    OtpRefused,
    OtpSent,
    Refused,
    StatusReport,
    Why,
)
from tests.verification.simulation import faults
from tests.verification.simulation.clock import World
from tests.verification.simulation.story import Story

TIME_OUT = NoAnswer(Why.TIME_OUT, sent=True)
BROKEN = NoAnswer(Why.BROKEN, sent=True)
LIMITS = {
    "initiate": 15_000,
    "status": 5_000,
    "cancel": 10_000,
    "query": 10_000,
    "list": 10_000,
    "otp": 15_000,
}

Schedule = Callable[[int, Callable[[], None]], None]
Perform = Callable[[int], Any]
"""Does the thing at the service and returns its reply; the argument is how many states a stale read is back."""


class Network:
    """One till's line. A call's `refuse` makes what a made-up failure says so for good (E2, E3)."""

    def __init__(self, world: World, schedule: Schedule, story: Story, till: int) -> None:
        self._world = world
        self._schedule = schedule
        self._latencies = story.latencies
        self._stop_at = story.stop_at
        self._faults = {(each.operation, each.call): each for each in story.faults if each.till == till}
        self._of_operations = any(operation for operation, _ in self._faults)
        self._windows = [
            each for each in story.windows if each.till == till and not each.fault.startswith("disk")
        ]
        self.calls = 0
        self.operations: list[str] = []
        """Every call's, in order."""
        self.faulty_until = 0
        self.hits: list[tuple[str, str]] = []
        """(operation, fault) of each call that met one."""

    def later(self, ms: int, what: Callable[[], None]) -> None:
        """Something of the till's own, which no line delays."""
        self._schedule(self._world.now + ms, what)

    def fault(self, operation: str) -> tuple[str, int]:
        """What the next call meets, with its value; ("", 0) for nothing."""
        self.calls += 1
        self.operations.append(operation)
        now = self._world.now
        if now >= self._stop_at:
            return "", 0
        found: tuple[str, int] = ("", 0)
        single = self._faults.get(("", self.calls))
        if single is None and self._of_operations:
            single = self._faults.get((operation, self.operations.count(operation)))
        if single is not None:
            found = (single.fault, single.value)
        for window in self._windows:
            if window.at <= now < window.until:
                found = (window.fault, window.value)
        if found[0]:
            self.hits.append((operation, found[0]))
        return found

    def call(
        self,
        operation: str,
        fault: tuple[str, int],
        perform: Perform,
        answer: Callable[[Any], None],
        refuse: Callable[[str], None] | None = None,
    ) -> None:
        """One request: when it arrives, what it meets, when and what the till hears."""
        name, value = fault
        now = self._world.now
        latency = self._latencies[self.calls % len(self._latencies)]
        limit = LIMITS[operation]
        if not name:
            if latency <= limit:
                self._both(now + latency // 2, now + latency, perform, answer, str)
            else:
                self._schedule(now + latency // 2, lambda: perform(0))
                self._schedule(now + limit, lambda: answer(TIME_OUT))
            return
        self._faulty(operation, name, value, now, latency, limit, perform, answer, refuse)

    def _both(
        self, arrives: int, heard: int, perform: Perform, answer: Callable[[Any], None], garble: Any
    ) -> None:
        def arrive() -> None:
            reply = perform(0)
            if garble is not str:
                reply = garble(reply)
            self._schedule(heard, lambda: answer(reply))

        self._schedule(arrives, arrive)

    def _hear(self, at: int, answer: Callable[[Any], None], reply: Any) -> None:
        self.faulty_until = max(self.faulty_until, at)
        if isinstance(reply, NoAnswer) and reply.retry_after_s:
            # Waiting as long as the service asked is part of the fault.
            self.faulty_until = max(self.faulty_until, at + int(reply.retry_after_s * 1100))
        self._schedule(at, lambda: answer(reply))

    def _arrive(self, at: int, perform: Perform) -> None:
        self.faulty_until = max(self.faulty_until, at)
        self._schedule(at, lambda: perform(0))

    def _faulty(
        self,
        operation: str,
        name: str,
        value: int,
        now: int,
        latency: int,
        limit: int,
        perform: Perform,
        answer: Callable[[Any], None],
        refuse: Callable[[str], None] | None,
    ) -> None:
        arrives, heard, end = now + latency // 2, now + min(latency, limit), now + limit
        self.faulty_until = max(self.faulty_until, heard)
        silent = faults.silence(name, value)
        if name in faults.UNSENT:
            self._hear(now + value % 5_000, answer, faults.UNSENT[name])
        elif silent is not None:
            unseen = name == "http" and 400 <= silent.http_status < 500
            if value % 2 and not unseen:
                self._arrive(arrives, perform)
            self._hear(heard, answer, silent)
        elif name in ("lost", "reset"):
            self._hear(*((end, answer, TIME_OUT) if name == "lost" else (heard, answer, BROKEN)))
        elif name in ("reply_lost", "reply_reset"):
            self._arrive(arrives, perform)
            self._hear(*((end, answer, TIME_OUT) if name == "reply_lost" else (heard, answer, BROKEN)))
        elif name == "late":
            self._arrive(now + value, perform)
            self._hear(end, answer, TIME_OUT)
        elif name == "twice":
            self._both(arrives, heard, perform, answer, str)
            self._arrive(arrives + value, perform)
        elif name == "twice_second":
            self._arrive(arrives, perform)
            if value + latency < limit:
                self._both(arrives + value, heard + value, perform, answer, str)
            else:
                self._arrive(arrives + value, perform)
                self._hear(end, answer, TIME_OUT)
        elif name == "stale":
            self._schedule(arrives, lambda: self._hear(heard, answer, perform(1 + value % 3)))
        elif name == "slow":
            late = now + min(latency + value, limit)
            self._both(arrives, late, perform, answer, str if late < now + limit else _too_late)
        elif name == "hollow_success" and operation == "cancel":
            self._hear(heard, answer, CancelAccepted())
        elif name == "code":
            self._coded(operation, value, arrives, heard, perform, answer, refuse)
        else:
            self._both(arrives, heard, perform, answer, lambda reply: garbled(name, value, reply))

    def _coded(
        self,
        operation: str,
        value: int,
        arrives: int,
        heard: int,
        perform: Perform,
        answer: Callable[[Any], None],
        refuse: Callable[[str], None] | None,
    ) -> None:
        """A failure envelope that the service's own state did not call for."""
        code = faults.CODES[value % len(faults.CODES)]
        if refuse is not None and code in (REFUSALS if operation == "initiate" else (TOO_LATE,)):
            self._schedule(arrives, lambda: refuse(code))
        elif value // len(faults.CODES) % 2:
            self._arrive(arrives, perform)
        self._hear(heard, answer, Refused(code))


def _too_late(_: Any) -> NoAnswer:
    return TIME_OUT


def garbled(name: str, value: int, reply: Any) -> Any:
    """A reply with one thing wrong in it; as it is, where that thing is not in it."""
    if isinstance(reply, StatusReport):
        match name:
            case "other_id":
                return replace(reply, external_id="SBX-T99999999-0001-1")
            case "other_wallet":
                return replace(reply, wallet_transaction_id="W99999")
            case "other_merchant":
                return replace(reply, merchant_id="M-2")
            case "other_amount":
                return replace(reply, amount=(reply.amount or Decimal(0)) + Decimal("0.01"))
            case "no_amount":
                return replace(reply, amount=None)
            case "no_id":
                return replace(reply, external_id="")
            case "unknown_status":
                return replace(reply, name=faults.NAMES[value % len(faults.NAMES)])
            case "final_flips":
                return replace(reply, name="Payment Fail")
    if isinstance(reply, Accepted):
        match name:
            case "other_id":
                return replace(reply, external_id="SBX-T99999999-0001-1")
            case "no_qr":
                return replace(reply, qr_text="")
            case "huge_qr":
                return replace(reply, qr_text="Q" * 3_000)
            case "no_wallet_id":
                return replace(reply, wallet_transaction_id="")
    if isinstance(reply, OtpSent):
        return OtpRefused(OtpRefusal.INTERNAL, 500)
    return reply
