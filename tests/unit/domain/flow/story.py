"""A dialogue with the flow under a fake clock; checks after each word what must always hold. No I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Kind, State
from pos_app.domain.commands import (
    Answer,
    AttemptCommand,
    Cancel,
    CheckNow,
    Close,
    Continue,
    LeavePanel,
    Park,
)
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
from pos_app.domain.events import (
    AttemptEvent,
    CancelAnswered,
    InitiateAnswered,
    StatusAnswered,
    TillStarted,
    TimeCame,
)
from pos_app.domain.flow import Live, Outcome, Rules, begin, step
from pos_app.domain.replies import (
    Accepted,
    CancelAccepted,
    CancelReply,
    InitiateReply,
    NoAnswer,
    Refused,
    StatusReply,
    StatusReport,
    Why,
)
from tests.support import builders
from tests.unit.domain.flow.always import check

START = 1_700_000_000_000
ID = "SBX-T23456789-0001-1"
WALLET = "W-1"
AMOUNT = Decimal("12.50")
QR = "qr-text"

TIME_OUT = NoAnswer(Why.TIME_OUT, sent=True)
NEVER_LEFT = NoAnswer(Why.CONNECT, sent=False)
UNAUTHORISED = NoAnswer(Why.SIGN_IN, sent=True, http_status=401)
NOT_FOUND = Refused("5009")
NOT_UNIQUE = Refused("5000")
ACCEPTED = Accepted(WALLET, ID, QR)


def busy(retry_after_s: float | None = None) -> NoAnswer:
    """A 429."""
    return NoAnswer(Why.SLOW_DOWN, sent=True, http_status=429, retry_after_s=retry_after_s)


def http(status: int) -> NoAnswer:
    """A failing HTTP status without the service's envelope."""
    return NoAnswer(Why.HTTP, sent=True, http_status=status)


def report(name: str, **changed: Any) -> StatusReport:
    """A full get status reply of this attempt."""
    told: dict[str, Any] = {
        "external_id": ID,
        "wallet_transaction_id": WALLET,
        "amount": AMOUNT,
        "merchant_id": "M-1",
        "invoice_number": "INV-7",
        "transaction_date_time": "2026-11-21 10:00:00",
    }
    return StatusReport(name, **{**told, **changed})


def attempt(kind: Kind = Kind.QR, **changed: Any) -> Attempt:
    """An attempt as the counter makes it."""
    facts: dict[str, Any] = {
        "attempt_id": ID,
        "sale_id": "0001",
        "kind": kind,
        "amount": AMOUNT,
        "merchant_id": "M-1",
        "owner": "person-1",
        "tapped_at": START,
        "tapped_wall": "2026-11-21T10:00:00.000+05:30",
        "transaction_date_time": "2026-11-21 10:00:00",
        "invoice_number": "INV-7",
    }
    return builders.attempt(**{**facts, **changed})


@dataclass
class Story:
    """`new` holds in words what was commanded since it was last taken; `walked` the states passed."""

    live: Live
    rules: Rules = field(default_factory=Rules)
    now: int = START
    wake_at: int | None = None
    in_flight: dict[str, int] = field(default_factory=lambda: {"initiate": 0, "ask": 0, "cancel": 0})
    resent: bool = False
    held_back: int = 0
    """So often an initiate that was under way was not wanted any more."""
    new: list[str] = field(default_factory=list)
    sent_at: list[tuple[str, float]] = field(default_factory=list)
    walked: list[str] = field(default_factory=list)

    @classmethod
    def begun(cls, kind: Kind = Kind.QR, **facts: Any) -> Story:
        """A tap: the first send is under way."""
        story = cls(Live(attempt(kind, **facts)), Rules(origin=facts.get("origin", "")))
        story.take(begin(story.live.attempt, story.now, story.rules))
        story.expect("initiate")
        return story

    @property
    def attempt(self) -> Attempt:
        """The attempt as it now is."""
        return self.live.attempt

    @property
    def state(self) -> State:
        """Its state."""
        return self.attempt.state

    def stands_at(self, state: State) -> None:
        """It is in this state, and in no other."""
        assert self.state is state

    @property
    def seconds(self) -> float:
        """Since the tap."""
        return (self.now - START) / 1000

    def expect(self, *words: str) -> None:
        """Exactly these commands were given since the last look."""
        assert tuple(self.new) == words
        self.new.clear()

    def tell(self, event: AttemptEvent | AttemptCommand) -> None:
        """One event."""
        self.take(step(self.live, event, self.now, self.rules), event)

    def take(self, outcome: Outcome, event: object = None) -> None:
        """Carries the commands into `in_flight` and `new`, and checks what always holds."""
        before = self.live.attempt
        self.live = outcome.live
        self.wake_at = None
        for effect in outcome.effects:
            self._carry_out(effect, before)
        if outcome.path:
            self.walked += outcome.path if not self.walked else outcome.path[1:]
        check(before, outcome, event)

    def _carry_out(self, effect: Effect, before: Attempt) -> None:
        match effect:
            case WakeAt():
                assert self.wake_at is None, "one WakeAt an event"
                assert effect.at >= self.now
                self.wake_at = effect.at
                return
            case SendInitiate():
                word = "close" if effect.closing else "re-send" if effect.resend else "initiate"
                # I1c: no bytes after the wish, unless to close the id.
                assert word == "close" or self.attempt.cancel_wish is None
                assert before.state not in (State.NOT_SENT, State.PAID, State.DISPUTED)
                # Nor any, but to close the id, that could leave later than a minute after the tap.
                left = None if word == "close" else START + 60_000 - self.now
                assert effect.within_ms == left
                self.resent = effect.resend
                self._start("initiate")
            case HoldBack():
                assert self.in_flight["initiate"]
                wanted = self.attempt.cancel_wish is None and self.state is not State.SIGNED_OFF
                assert not wanted, "held back without a durable wish or word"
                self.held_back += 1
                return
            case AskStatus():
                word = "ask by wallet" if effect.wallet_transaction_id else "ask"
                self._start("ask")
            case SendCancel():
                word = "cancel"
                assert self.attempt.cancel_wish is not None, "no cancel without its durable wish"
                self._start("cancel")
            case OpenNext():
                word = "open next"
            case StopSelling():
                word = "stop selling"
        self.new.append(word)
        self.sent_at.append((word, self.seconds))

    def _start(self, call: str) -> None:
        assert self.in_flight[call] == 0, f"a second {call} beside the first"
        self.in_flight[call] = 1

    def _end(self, call: str) -> None:
        assert self.in_flight[call], f"no {call} is under way"
        self.in_flight[call] = 0

    def initiated(self, reply: InitiateReply = ACCEPTED) -> None:
        """The initiate under way is answered."""
        self._end("initiate")
        self.tell(InitiateAnswered(ID, reply, resend=self.resent))

    def tell_again(self, reply: InitiateReply) -> None:
        """An answer to the initiate comes though none is under way."""
        self.tell(InitiateAnswered(ID, reply, resend=self.resent))

    def answered(self, reply: StatusReply) -> None:
        """The ask under way is answered."""
        self._end("ask")
        self.tell(StatusAnswered(ID, reply))

    def status(self, name: str, **changed: Any) -> None:
        """The ask under way brings this status."""
        self.answered(report(name, **changed))

    def cancelled(self, reply: CancelReply | None = None) -> None:
        """The cancel under way is answered; with success if nothing else is said."""
        self._end("cancel")
        self.tell(CancelAnswered(ID, reply or CancelAccepted(ID, WALLET)))

    def wish_cancel(self, who: str = "person-1") -> None:
        """A person presses Cancel."""
        self.tell(Cancel(ID, who))

    def wish_close(self) -> None:
        """A person presses Close."""
        self.tell(Close(ID, "person-1"))

    def wish_continue(self) -> None:
        """A person presses Continue."""
        self.tell(Continue(ID, "person-1"))

    def check_now(self, *, at_closing: bool = False) -> None:
        """A person presses Check now, or a closing asks."""
        self.tell(CheckNow(ID, at_closing=at_closing))

    def park(self) -> None:
        """A person parks the payment."""
        self.tell(Park(ID, "person-1"))

    def leave_panel(self) -> None:
        """A person closes the panel for good."""
        self.tell(LeavePanel(ID))

    def settle(self, action: str) -> None:
        """A person answers for the money."""
        self.tell(Answer(ID, action, "Nimali", "seen on the statement"))

    def restart(self, off_s: float = 0, origin: str | None = None) -> None:
        """The till is killed, is off for a time, and takes the attempt up again; the settings may name `origin`."""
        if origin is not None:
            self.rules = replace(self.rules, origin=origin)
        self.now += int(off_s * 1000)
        self.in_flight = dict.fromkeys(self.in_flight, 0)
        self.live = Live(self.attempt)
        self.tell(TillStarted(ID))

    def wait(
        self,
        seconds: float,
        asks: StatusReply | None = None,
        cancels: CancelReply | None = None,
        initiates: InitiateReply | None = None,
    ) -> None:
        """Time passes; whatever becomes due happens. Calls are answered at once with what is given."""
        until = self.now + int(seconds * 1000)
        for _ in range(20_000):
            if self._answer(asks, cancels, initiates):
                continue
            if self.wake_at is None or self.wake_at > until:
                self.now = until
                return
            self.now = max(self.now, self.wake_at)
            self.tell(TimeCame(ID))
        raise AssertionError("the flow wakes itself without end")

    def _answer(
        self, asks: StatusReply | None, cancels: CancelReply | None, initiates: InitiateReply | None
    ) -> bool:
        if initiates is not None and self.in_flight["initiate"]:
            self.initiated(initiates)
        elif cancels is not None and self.in_flight["cancel"]:
            self.cancelled(cancels)
        elif asks is not None and self.in_flight["ask"]:
            self.answered(asks)
        else:
            return False
        return True

    def times(self, word: str) -> list[float]:
        """When (seconds since the tap) this was commanded."""
        return [at for said, at in self.sent_at if said == word]
