"""Carries out the flow's effects once the journal has committed; what cannot be recorded is not sent."""

from __future__ import annotations

from heapq import heappop, heappush

from pos_app.domain.effects import (
    AskStatus,
    Effect,
    HoldBack,
    OpenNext,
    SendCancel,
    SendInitiate,
    StopSelling,
    WakeAt,
)
from pos_app.domain.events import CancelAnswered, InitiateAnswered
from pos_app.domain.flow import Live, Outcome
from pos_app.engine.connection.calls import UNSENT, Calls
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.mailbox import Post
from pos_app.engine.core.payment_opener import PaymentOpener


class EffectDispatcher:
    """Owns the attempts' wake times (till time, ms). `UNSENT` says nothing about the line."""

    def __init__(self, calls: Calls, live_payments: LivePayments, opener: PaymentOpener, post: Post) -> None:
        self._calls = calls
        self._live_payments = live_payments
        self._opener = opener
        self._post = post
        self.wakes: dict[str, int] = {}
        self._in_order: list[tuple[int, str]] = []
        """A heap of what was ever in `wakes`; an entry that is not there any more counts for nothing."""

    @property
    def sizes(self) -> dict[str, int]:
        """How many attempts have a time to wake at."""
        return {"wakes": len(self.wakes)}

    @property
    def next_due(self) -> int | None:
        """When the first of them wakes."""
        while self._in_order and not self._holds(self._in_order[0]):
            heappop(self._in_order)
        return self._in_order[0][0] if self._in_order else None

    def _holds(self, entry: tuple[int, str]) -> bool:
        return self.wakes.get(entry[1]) == entry[0]

    def due(self, now: int, at_most: int) -> list[str]:
        """Attempts whose time has come, the longest due first. Each stays until it is carried out or `woken`."""
        found: dict[str, int] = {}
        while len(found) < at_most and (at := self.next_due) is not None and at <= now:
            _, attempt_id = heappop(self._in_order)
            found[attempt_id] = at
        for attempt_id, at in found.items():
            heappush(self._in_order, (at, attempt_id))
        return list(found)

    def woken(self, attempt_id: str) -> None:
        """Its time has been answered, whatever comes of it."""
        self.wakes.pop(attempt_id, None)

    def let_go_of_ended(self) -> None:
        """After the journal has caught up: what ended meanwhile needs no place in memory."""
        for live in self._live_payments.lives:
            self._let_go(live)

    def carry_out(self, outcome: Outcome) -> list[OpenNext | StopSelling]:
        """Starts the calls; returns what concerns more than this attempt, for the engine to do."""
        attempt_id = outcome.live.attempt.attempt_id
        self.wakes.pop(attempt_id, None)
        wider: list[OpenNext | StopSelling] = []
        for effect in outcome.effects:
            if isinstance(effect, OpenNext | StopSelling):
                wider.append(effect)
            else:
                self._do(effect)
        self._let_go(outcome.live)
        return wider

    def _do(self, effect: Effect) -> None:
        match effect:
            case WakeAt():
                self.wakes[effect.attempt_id] = effect.at
                heappush(self._in_order, (effect.at, effect.attempt_id))
            case AskStatus():
                self._calls.ask(effect.attempt_id, effect.wallet_transaction_id, behind=effect.behind)
            case SendInitiate():
                self._initiate(effect)
            case HoldBack():
                self._calls.hold_back(effect.attempt_id)
            case SendCancel() if self._live_payments.halted:
                self._post(CancelAnswered(effect.attempt_id, UNSENT))
            case SendCancel():
                self._calls.cancel(effect.attempt_id, behind=effect.behind)

    def _initiate(self, effect: SendInitiate) -> None:
        body = None if self._live_payments.halted else self._opener.body(effect.attempt_id)
        if body is None:
            self._post(InitiateAnswered(effect.attempt_id, UNSENT, resend=effect.resend))
        else:
            self._calls.initiate(
                effect.attempt_id, effect.kind, body, resend=effect.resend, within_ms=effect.within_ms
            )

    def _let_go(self, live: Live) -> None:
        """What has ended and has nothing due lives on in the journal alone."""
        attempt, watch = live.attempt, live.watch
        busy = watch.asking or watch.cancelling or watch.initiating or attempt.attempt_id in self.wakes
        if attempt.is_final and not attempt.needs_answer and not busy and not self._live_payments.halted:
            self._live_payments.forget(attempt.attempt_id)
            self._opener.forget(attempt.attempt_id)
