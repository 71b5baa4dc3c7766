"""The engine's calls in the simulation: each is an effect at which the till may die, then a request on the line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pos_app.domain.attempt import Kind
from pos_app.domain.events import CancelAnswered, InitiateAnswered, StatusAnswered
from pos_app.domain.ids import installation_of
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import (
    Accepted,
    Listing,
    NoAnswer,
    OtpRefusal,
    OtpRefused,
    OtpSent,
    OtpVerified,
    Refused,
    StatusReport,
)
from pos_app.domain.sale import Order
from pos_app.domain.secret import Secret
from pos_app.engine.connection.calls import (
    ListAnswered,
    OtpSendAnswered,
    OtpSubmitAnswered,
    PasscodeChecked,
    PasscodeHashed,
    ProbeAnswered,
)
from pos_app.engine.core.mailbox import Message
from pos_app.services.bodies import initiate_body
from tests.verification.simulation import faults
from tests.verification.simulation.clock import World
from tests.verification.simulation.gateway import SUCCESS, Gateway
from tests.verification.simulation.history import Sent, Stranger
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.network import Network

RIGHT_PIN = "246810"
OLDEST_REPLY = 15_000
NO_ROWS = "5014"
A_HASH = 40
"""A passcode is looked at for so long (ms)."""

Otp = OtpSendAnswered | OtpSubmitAnswered


class SimCalls:
    """Of one life of a till: `post` reaches this life alone."""

    def __init__(
        self,
        world: World,
        network: Network,
        gateway: Gateway,
        journal: SimJournal,
        post: Callable[[Message], None],
        effect: Callable[[bool], None],
        lives: Callable[[], bool],
        log: Log,
        service_said: Callable[[int], None],
    ) -> None:
        self._world = world
        self._network = network
        self._gateway = gateway
        self._journal = journal
        self._to_engine = post
        self._service_said = service_said
        self._effect = effect
        self._lives = lives
        self._log = log

    def _post(
        self, event: InitiateAnswered | StatusAnswered | CancelAnswered | ProbeAnswered | ListAnswered | Otp
    ) -> None:
        if not isinstance(event.reply, NoAnswer) and self._lives():
            # A reply says when it was made, in whole seconds, and may have been long on its way.
            true = self._world.wall_start + self._world.now
            self._service_said(true - true % OLDEST_REPLY)
        self._to_engine(event)

    def _sent(self, operation: str, attempt_id: str, fault: tuple[str, int], body: bytes = b"") -> None:
        if fault[0] not in faults.UNSENT:
            self._told(attempt_id)
            shown = (self._journal.line, attempt_id) in self._log.shown
            self._log.sent.append(
                Sent(
                    self._world.now,
                    self._journal.line,
                    operation,
                    attempt_id,
                    self._journal.seq,
                    body,
                    shown,
                )
            )

    def _told(self, attempt_id: str) -> None:
        """A service hears of an attempt."""
        if self._gateway.origin:
            self._log.asked.add((self._journal.line, attempt_id, self._gateway.origin))

    def initiate_body(self, order: Order) -> bytes:
        """The real bytes."""
        return initiate_body(order)

    def initiate(
        self,
        attempt_id: str,
        kind: Kind,
        body: bytes,
        *,
        resend: bool,
        within_ms: int | None,  # noqa: ARG002
    ) -> None:
        """Posts InitiateAnswered. Here the first byte leaves at once."""
        self._effect(False)
        fault = self._network.fault("initiate")
        self._sent("initiate", attempt_id, fault, body)
        line, asked_by = self._journal.line, self._journal.born(attempt_id)
        sent_by = (line, self._world.now)

        def answer(reply: Any) -> None:
            named = isinstance(reply, Accepted) and reply.external_id in ("", attempt_id)
            if named and reply.wallet_transaction_id and self._lives():
                self._log.shown.add((line, attempt_id))
            self._post(InitiateAnswered(attempt_id, reply, resend=resend))

        self._network.call(
            "initiate",
            fault,
            lambda _: self._gateway.initiate(self._world.now, kind.value, body, asked_by, sent_by),
            answer,
            lambda code: self._gateway.refuse(body, code),
        )
        self._effect(True)

    def hold_back(self, attempt_id: str) -> None:
        """It has left."""

    def ask(self, attempt_id: str, wallet_transaction_id: str, *, behind: bool) -> None:  # noqa: ARG002
        """Posts StatusAnswered."""
        self._effect(False)
        self._told(attempt_id)
        line = self._journal.line
        fault = self._network.fault("status")

        def answer(reply: Any) -> None:
            if isinstance(reply, StatusReport) and self._lives() and self._shows(reply, attempt_id):
                self._log.shown.add((line, attempt_id))
            self._post(StatusAnswered(attempt_id, reply))

        self._network.call(
            "status",
            fault,
            lambda back: self._gateway.status(attempt_id, wallet_transaction_id, back=back),
            answer,
        )
        self._effect(True)

    def _shows(self, reply: StatusReport, attempt_id: str) -> bool:
        return shows(reply, attempt_id, self._gateway)

    def cancel(self, attempt_id: str, *, behind: bool) -> None:  # noqa: ARG002
        """Posts CancelAnswered."""
        self._effect(False)
        fault = self._network.fault("cancel")
        self._sent("cancel", attempt_id, fault)
        self._network.call(
            "cancel",
            fault,
            lambda _: self._gateway.cancel(self._world.now, attempt_id),
            lambda reply: self._post(CancelAnswered(attempt_id, reply)),
            lambda _: self._gateway.refuse_cancel(attempt_id),
        )
        self._effect(True)

    def probe(self, attempt_id: str) -> None:
        """Posts ProbeAnswered."""
        fault = self._network.fault("query")
        self._network.call(
            "query",
            fault,
            lambda back: self._gateway.status(attempt_id, back=back) if attempt_id else Listing(),
            lambda reply: self._post(ProbeAnswered(reply)),
        )

    def look_for_token(self) -> None:
        """Nobody changes a token here: what a window refused, it takes again."""

    def list_payments(self, wanted: QueryFilter) -> None:
        """Posts ListAnswered."""
        fault = self._network.fault("list")
        self._network.call(
            "list",
            fault,
            lambda _: self._gateway.query(self._world.now, wanted),
            lambda reply: self._listed(wanted, reply, made_up=fault[0] == "code"),
        )

    def _listed(self, wanted: QueryFilter, reply: Any, *, made_up: bool) -> None:
        if isinstance(reply, Refused) and reply.code == NO_ROWS:
            # For the client an empty list; a service that hides what it has, and nothing else, no reader finds out.
            reply = Refused(faults.LIST_REFUSED)
        if self._lives():
            self._note_strangers(reply)
            if made_up:
                self._log.looks.append((self._world.now, self._journal.line))
        self._post(ListAnswered(wanted, reply))

    def _note_strangers(self, reply: Any) -> None:
        journal = self._journal
        for row in reply.transactions if isinstance(reply, Listing) else ():
            if installation_of(row.external_id) == journal.installation_id and not journal.knows(
                row.external_id
            ):
                self._log.strangers.append(Stranger(self._world.now, journal.line, row.external_id))

    def send_otp(self, person_id: str, msisdn: str, message: str) -> None:
        """Posts OtpSendAnswered."""
        assert message.count("{{code}}") == 1
        self._effect(False)
        fault = self._network.fault("otp")

        messages = self._log.messages
        if fault[0] not in faults.UNSENT:
            # A copy that a box on the way made is not the till's: what the till sent is counted.
            messages.append((self._world.now, self._journal.line, msisdn))
        sent = OtpSent(f"ref{len(messages):029d}", msisdn)
        self._network.call(
            "otp", fault, lambda _: sent, lambda reply: self._post(_otp_sent(person_id, reply))
        )
        self._effect(True)

    def submit_otp(self, person_id: str, server_ref: str, pin: str) -> None:
        """Posts OtpSubmitAnswered."""
        self._effect(False)
        fault = self._network.fault("otp")
        msisdn = self._log.messages[-1][2] if self._log.messages else ""
        verified = OtpVerified(server_ref, msisdn if pin == RIGHT_PIN else "")
        self._network.call(
            "otp",
            fault,
            lambda _: verified,
            lambda reply: self._post(OtpSubmitAnswered(person_id, server_ref, _for_otp(reply))),
        )
        self._effect(True)

    def check_passcode(self, check: int, passcode: Secret, hashed: bytes) -> None:
        """Posts PasscodeChecked, as soon as a slow hash would be done."""
        self._later(PasscodeChecked(check, quick_hash(passcode) == hashed))

    def hash_passcode(self, check: int, passcode: Secret, before: bytes | None) -> None:
        """Posts PasscodeHashed."""
        made = quick_hash(passcode)
        self._later(PasscodeHashed(check, None if made == before else made, same=made == before))

    def _later(self, news: PasscodeChecked | PasscodeHashed) -> None:
        self._effect(False)
        self._network.later(A_HASH, lambda: self._to_engine(news))
        self._effect(True)


def quick_hash(passcode: Secret) -> bytes:
    """What the slow one is for, another test knows."""
    return f"sim:{passcode.reveal()}".encode()


def shows(reply: StatusReport, attempt_id: str, gateway: Gateway) -> bool:
    """A reply about another merchant's or wallet's payment, or that lacks what it needs, is none (rule 10)."""
    truth = gateway.ledger.get(attempt_id)
    return (
        truth is not None
        and reply.external_id == attempt_id
        and reply.merchant_id in ("", truth.request.merchant_pg_identifier)
        and reply.wallet_transaction_id in ("", truth.wallet_id)
        and bool(reply.name)
        and not (reply.name == SUCCESS and reply.amount is None)
    )


class Log:
    """What an observer outside the tills saw."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.messages: list[tuple[int, str, str]] = []
        self.shown: set[tuple[str, str]] = set()
        """(line, attempt)."""
        self.asked: set[tuple[str, str, str]] = set()
        self.strangers: list[Stranger] = []
        self.looks: list[tuple[int, str]] = []


def _otp_sent(person_id: str, reply: Any) -> OtpSendAnswered:
    return OtpSendAnswered(person_id, _for_otp(reply))


def _for_otp(reply: Any) -> Any:
    """The payment service's envelope codes are none of the OTP service's."""
    return OtpRefused(OtpRefusal.INTERNAL, 500) if isinstance(reply, Refused) else reply
