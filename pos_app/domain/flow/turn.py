"""One event being worked out: collects new facts, watch and commands. Lives inside one step."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import FINAL, Attempt, CancelWish, Flag, Reason, State
from pos_app.domain.effects import AskStatus, Effect, HoldBack, SendCancel, SendInitiate
from pos_app.domain.flow.rules import Rules
from pos_app.domain.flow.transitions import check
from pos_app.domain.flow.watch import Live, Watch, behind

# An end that is shown releases the attempt (docs/payment-rules.md, Words); PAID is money and does not.
_RELEASING = FINAL - {State.PAID}


class Turn:
    """The only mutable thing in the flow; `now` is till time in ms."""

    def __init__(self, live: Live, now: int, rules: Rules) -> None:
        self.attempt: Attempt = live.attempt
        self.watch: Watch = live.watch
        self.now = now
        self.rules = rules
        self.effects: list[Effect] = []
        self.path: list[State] = []

    def note(self, **facts: Any) -> None:
        """Changes durable facts of the attempt."""
        self.attempt = replace(self.attempt, **facts)

    def plan(self, **watch: Any) -> None:
        """Changes what is remembered until the next restart."""
        self.watch = replace(self.watch, **watch)

    def flag(self, flag: Flag) -> None:
        """Marks the attempt, once."""
        if flag not in self.attempt.flags:
            self.note(flags=self.attempt.flags | {flag})

    def to(self, state: State, reason: Reason = Reason.NONE, **facts: Any) -> None:
        """Moves to a state the table allows, else raises. A no-op when already there."""
        before = self.attempt.state
        if before is state:
            return
        check(before, state)
        if not self.path:
            self.path.append(before)
        self.path.append(state)
        if before is State.INTENT:
            # Nothing may be sent as if it were the first time once the intent has become something else.
            self.plan(connect_at=None)
        if before is State.REFUSED:
            facts.setdefault("code", "")
        if state in FINAL:
            facts.setdefault("ended_at", self.now)
            self.plan(silent_at=None, cancel_at=None)
            if self.watch.ask_at is not None and self.watch.ask_at > self.now:
                # It was planned for the state before: an end is looked at again on its own terms (rule 8).
                self.plan(ask_at=None)
        if state in _RELEASING and self.attempt.released_at is None:
            facts.setdefault("released_at", self.now)
        self.note(state=state, reason=reason, **facts)

    def through_waiting(self) -> None:
        """An id the service knows is at least WAITING: INTENT reaches its end only through there."""
        if self.attempt.state is State.INTENT:
            self.to(State.WAITING)

    def wish_cancel(self, who: str) -> None:
        """Makes the wish durable; an earlier one keeps its time, the newer name stands."""
        earlier = self.attempt.cancel_wish
        self.note(cancel_wish=CancelWish(who, earlier.at if earlier else self.now))
        if not self.watch.closing_sent:
            self.hold_back()

    def hold_back(self) -> None:
        """What is under way and has not left stays here."""
        if self.watch.initiating:
            self.effects.append(HoldBack(self.attempt.attempt_id))

    def send_initiate(self, *, resend: bool, closing: bool = False) -> None:
        """Hands the bytes to the executor; a re-send is counted durably first."""
        if resend:
            # A copy of which nothing is known yet: that the first was refused by its HTTP status ends nothing now.
            self.note(resends=self.attempt.resends + 1, http_status=0)
        self.plan(
            initiating=True,
            connect_at=None,
            closing_sent=closing,
            unauthorised=False,
            silent_at=self.now + self.rules.silent_initiate,
            last_close_at=self.now if closing else self.watch.last_close_at,
        )
        # Rule 3 counts from the tap, and what is sent may wait for a thread, a token or a connection first.
        left = self.attempt.tapped_at + self.rules.resend_until - self.now
        self.effects.append(
            SendInitiate(
                self.attempt.attempt_id,
                self.attempt.kind,
                resend=resend,
                closing=closing,
                within_ms=None if closing else max(0, left),
            )
        )

    def send_cancel(self) -> None:
        """One cancel in flight; the caller has checked that one is due."""
        self.plan(cancelling=True, last_cancel_at=self.now, cancel_at=None)
        self.effects.append(SendCancel(self.attempt.attempt_id, behind(self.attempt, self.watch)))

    def ask(self) -> None:
        """One ask in flight; after 5009 for a shown id, by its wallet id in turn (rule 3b)."""
        if self.watch.asking:
            return
        by_wallet = self.watch.ask_by_wallet and bool(self.attempt.wallet_transaction_id)
        self.plan(asking=True, ask_at=None, has_place=False, asks=self.watch.asks + 1)
        wallet_id = self.attempt.wallet_transaction_id if by_wallet else ""
        self.effects.append(AskStatus(self.attempt.attempt_id, wallet_id, behind(self.attempt, self.watch)))

    def ask_soon(self) -> None:
        """The next ask is due at once."""
        self.plan(ask_at=self.now)
