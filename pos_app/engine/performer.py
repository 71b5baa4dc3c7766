"""Carries out the flow's commands once the journal has committed; what cannot be recorded is not sent."""

from __future__ import annotations

from pos_app.domain.commands import (
    AskStatus,
    Command,
    OpenNext,
    SendCancel,
    SendInitiate,
    StopSelling,
    WakeAt,
)
from pos_app.domain.facts import CancelAnswered, InitiateAnswered
from pos_app.domain.flow import Live, Outcome
from pos_app.domain.replies import NoAnswer, Why
from pos_app.engine.calls import Calls
from pos_app.engine.counter import Counter
from pos_app.engine.ledger import Ledger
from pos_app.engine.mailbox import Post

UNSENT = NoAnswer(Why.CONNECT, sent=False, detail="not sent: it could not be recorded first")


class Performer:
    """Owns the attempts' wake times (till time, ms). `UNSENT` says nothing about the line."""

    def __init__(self, calls: Calls, ledger: Ledger, counter: Counter, post: Post) -> None:
        self._calls = calls
        self._ledger = ledger
        self._counter = counter
        self._post = post
        self.wakes: dict[str, int] = {}

    def due(self, now: int) -> list[str]:
        """The attempts whose time has come. Each stays on the list until it is carried out or `woken`."""
        return [attempt_id for attempt_id, at in self.wakes.items() if at <= now]

    def woken(self, attempt_id: str) -> None:
        """Its time has been answered, whatever comes of it."""
        self.wakes.pop(attempt_id, None)

    def let_go_of_ended(self) -> None:
        """After the journal has caught up: what ended meanwhile needs no place in memory."""
        for live in self._ledger.lives:
            self._let_go(live)

    def carry_out(self, outcome: Outcome) -> list[OpenNext | StopSelling]:
        """Starts the calls; returns what concerns more than this attempt, for the engine to do."""
        attempt_id = outcome.live.attempt.attempt_id
        self.wakes.pop(attempt_id, None)
        wider: list[OpenNext | StopSelling] = []
        for command in outcome.commands:
            if isinstance(command, OpenNext | StopSelling):
                wider.append(command)
            else:
                self._do(command)
        self._let_go(outcome.live)
        return wider

    def _do(self, command: Command) -> None:
        match command:
            case WakeAt():
                self.wakes[command.attempt_id] = command.at
            case AskStatus():
                self._calls.ask(command.attempt_id, command.wallet_transaction_id)
            case SendInitiate():
                self._initiate(command)
            case SendCancel() if self._ledger.halted:
                self._post(CancelAnswered(command.attempt_id, UNSENT))
            case SendCancel():
                self._calls.cancel(command.attempt_id)

    def _initiate(self, command: SendInitiate) -> None:
        body = None if self._ledger.halted else self._counter.body(command.attempt_id)
        if body is None:
            self._post(InitiateAnswered(command.attempt_id, UNSENT, resend=command.resend))
        else:
            self._calls.initiate(command.attempt_id, command.kind, body, resend=command.resend)

    def _let_go(self, live: Live) -> None:
        """What has ended and has nothing due lives on in the journal alone."""
        attempt, watch = live.attempt, live.watch
        busy = watch.asking or watch.cancelling or watch.initiating or attempt.attempt_id in self.wakes
        if attempt.is_final and not attempt.needs_answer and not busy and not self._ledger.halted:
            self._ledger.forget(attempt.attempt_id)
            self._counter.forget(attempt.attempt_id)
