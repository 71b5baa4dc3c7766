"""A till without threads, sockets or a real clock: the test answers the calls and lets the time pass."""

from __future__ import annotations

from collections import deque
from decimal import Decimal
from typing import Any, TypeVar

from pos_app.domain.attempt import Attempt, Environment, Kind, State
from pos_app.domain.commands import Charge, EnrolFirst, SubmitOtp
from pos_app.domain.events import CancelAnswered, InitiateAnswered, StatusAnswered
from pos_app.domain.money import currency
from pos_app.domain.record import Record
from pos_app.domain.replies import (
    Accepted,
    CancelReply,
    InitiateReply,
    OtpSendReply,
    OtpSent,
    OtpSubmitReply,
    OtpVerified,
    QueryReply,
    StatusReply,
    StatusReport,
)
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.views import (
    AttemptChanged,
    Block,
    ChargeDeclined,
    ChargeOpened,
    Connection,
    Decline,
    Published,
    SignIn,
    Terminal,
)
from pos_app.engine.connection.calls import (
    OtpSendAnswered,
    OtpSubmitAnswered,
    PasscodeChecked,
    PasscodeHashed,
    ProbeAnswered,
)
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.mailbox import Message
from pos_app.engine.core.ports import Ports
from pos_app.journal import JournalTrouble
from tests.support.memory_journal import DiskTroubleError
from tests.unit.engine.recorder import FakeClock, PrinterNotes, Recorder

AMOUNT = Decimal("12.50")
NUMBER = "+94771234567"
PASSCODE = Secret("704918")
REF = "0123456789abcdef0123456789abcdef"

SITE = EngineConfig(
    environment=Environment.SANDBOX,
    merchant_id="M-1",
    counter_id=1,
    currency=currency("LKR"),
    country="LK",
    max_amount=Decimal("999999.99"),
    give_up_after_ms=300_000,
    otp_message="Your code is {{code}}.",
)

Shown = TypeVar("Shown")


class Rig:
    """One engine on a journal; `restart` is a kill and a new engine on the same journal."""

    def __init__(self, journal: JournalStore, config: EngineConfig = SITE) -> None:
        self.journal = journal
        self.config = config
        self.clock = FakeClock()
        self.posted: deque[Message] = deque()
        self.shown: list[Published] = []
        self.boot()

    def boot(self) -> None:
        """Another engine on what the journal holds; it has not started."""
        self.posted.clear()
        self.calls = Recorder(self.journal)
        self.engine = Engine(self.config, self.ports())

    def ports(self, **more: Any) -> Ports:
        """What this till's engine reaches the world by, with lists or a count of codes where a test wants them."""
        return Ports(
            journal=self.journal,
            trouble=(DiskTroubleError, JournalTrouble),
            calls=self.calls,
            clock=self.clock,
            publish=self.shown.append,
            post=self.posted.append,
            **({"printer": PrinterNotes()} | more),
        )

    def start(self) -> Rig:
        """The engine's first work; a line that answers."""
        self.engine.start()
        return self

    def restart(self, off_s: float = 0) -> None:
        """What was in flight is gone."""
        self.clock.ms += int(off_s * 1000)
        self.boot()
        self.engine.start()

    def restart_with(self, **more: Any) -> None:
        """A new engine on the same journal that reaches more of the world."""
        self.boot()
        self.engine = Engine(self.config, self.ports(**more))
        self.engine.start()

    def tell(self, event: Message) -> None:
        """One event, and what it makes due at once."""
        self.engine.handle(event)
        self._work()

    def _work(self) -> None:
        for _ in range(1_000):
            self.engine.tick()
            if self.posted:
                self.engine.handle(self.posted.popleft())
                continue
            due = self.engine.due_at()
            if due is None or due > self.clock.ms:
                return
        raise AssertionError("the engine never comes to rest")

    def wait(self, seconds: float) -> None:
        """Time passes, from one due time to the next."""
        until = self.clock.ms + int(seconds * 1000)
        self._work()
        while (due := self.engine.due_at()) is not None and due <= until:
            self.clock.ms = max(due, self.clock.ms)
            self._work()
        self.clock.ms = until

    def take(self, name: str, of: str = "") -> tuple[Any, ...]:
        """The oldest call of this name (and attempt) that has not been answered."""
        call = next((each for each in self.calls.made if each[0] == name and of in (each[1], "")), None)
        assert call is not None, f"no {name} among {list(self.calls.made)}"
        self.calls.made.remove(call)
        return call

    def names(self) -> list[str]:
        """The calls not answered yet."""
        return [call[0] for call in self.calls.made]

    def initiated(self, reply: InitiateReply | None = None, name: str = "initiate") -> str:
        """Answers an initiate; with acceptance if nothing else is said."""
        _, attempt_id = self.take(name)
        accepted = Accepted(f"W-{attempt_id}", attempt_id, "qr-text")
        self.tell(InitiateAnswered(attempt_id, reply or accepted, resend=name == "re-send"))
        return str(attempt_id)

    def asked(self, reply: StatusReply | str, of: str = "") -> str:
        """Answers an ask (about this attempt); a text is a status of that very attempt."""
        attempt_id = str(self.take("ask", of)[1])
        if isinstance(reply, str):
            reply = self.report(attempt_id, reply)
        self.tell(StatusAnswered(attempt_id, reply))
        return attempt_id

    def report(self, attempt_id: str, name: str) -> StatusReport:
        """What the service says of an attempt it holds as it was sent."""
        attempt = self.attempt(attempt_id)
        return StatusReport(
            name,
            attempt_id,
            f"W-{attempt_id}",
            attempt.amount,
            attempt.merchant_id,
            attempt.invoice_number,
            attempt.transaction_date_time,
        )

    def cancelled(self, reply: CancelReply) -> None:
        """Answers a cancel."""
        _, attempt_id = self.take("cancel")
        self.tell(CancelAnswered(attempt_id, reply))

    def probed(self, reply: StatusReply | QueryReply) -> None:
        """Answers a probe."""
        self.take("probe")
        self.tell(ProbeAnswered(reply))

    def record(self, kind: str, subject: str, actor: str, **facts: Any) -> Record:
        """What this till would write down now."""
        wall = self.clock.wall().isoformat(timespec="milliseconds")
        return Record(kind=kind, subject=subject, actor=actor, at=self.clock.now(), wall=wall, **facts)

    def charge(self, kind: Kind = Kind.QR, amount: Decimal = AMOUNT, **facts: Any) -> str:
        """A tap; the attempt it became, or "" when it was declined."""
        number = NUMBER if kind is Kind.PUSH else ""
        facts = {"request_id": "r", "who": "person-1", "wallet_number": number, **facts}
        before = len(self.shown)
        self.tell(Charge(kind=kind, amount=amount, **facts))
        opened = [each for each in self.shown[before:] if isinstance(each, ChargeOpened)]
        return opened[0].attempt_id if opened else ""

    def pay(self, kind: Kind = Kind.QR, **facts: Any) -> str:
        """A payment from tap to PAID."""
        attempt_id = self.charge(kind, **facts)
        self.initiated()
        self.wait(3)
        self.asked("Payment Success")
        assert self.state(attempt_id) is State.PAID
        return attempt_id

    def sign_in(self) -> None:
        """The first person enrols and is the manager."""
        self.tell(EnrolFirst("Nimali", NUMBER))
        self.otp_sent()
        self.tell(SubmitOtp("person-1", "123456"))
        self.otp_submitted()
        self.tell(ChoosePasscode(PASSCODE))
        self.passcode_hashed()

    def passcode_hashed(self) -> None:
        """Answers hash-passcode."""
        _, check, hashed, same = self.take("hash passcode")
        self.tell(PasscodeHashed(check, None if same else hashed, same=same))

    def passcode_checked(self) -> None:
        """Answers check-passcode."""
        _, check, right = self.take("check passcode")
        self.tell(PasscodeChecked(check, right))

    def otp_sent(self, reply: OtpSendReply | None = None) -> None:
        """Answers validate-code."""
        _, person_id, msisdn = self.take("send otp")
        self.tell(OtpSendAnswered(person_id, reply or OtpSent(REF, msisdn)))

    def otp_submitted(self, reply: OtpSubmitReply | None = None) -> None:
        """Answers submit-code."""
        _, person_id, ref, _ = self.take("submit otp")
        self.tell(OtpSubmitAnswered(person_id, ref, reply or OtpVerified(ref, NUMBER[1:])))

    def attempt(self, attempt_id: str) -> Attempt:
        """As it was last shown, or as it is written."""
        shown = [
            each.attempt
            for each in self.shown
            if isinstance(each, AttemptChanged) and each.attempt.attempt_id == attempt_id
        ]
        attempt = shown[-1] if shown else self.journal.attempt(attempt_id)
        assert attempt is not None
        return attempt

    def state(self, attempt_id: str) -> State:
        """Of an attempt."""
        return self.attempt(attempt_id).state

    def last(self, kind: type[Shown]) -> Shown:
        """The newest of what was shown of a kind."""
        return next(each for each in reversed(self.shown) if isinstance(each, kind))

    def block(self) -> Block:
        """Why nothing may be sold just now."""
        return self.terminal.block

    def connection(self) -> Connection:
        """How the line is shown."""
        return self.terminal.connection

    def why(self) -> Decline:
        """Of the last charge that was not started."""
        return self.declined.decline

    @property
    def terminal(self) -> Terminal:
        """As it was last shown."""
        return self.last(Terminal)

    @property
    def declined(self) -> ChargeDeclined:
        """The last charge that was not started."""
        return self.last(ChargeDeclined)

    @property
    def dialog(self) -> SignIn:
        """The sign-in as it was last shown."""
        return self.last(SignIn)
