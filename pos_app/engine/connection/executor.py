"""Makes the calls the engine asks for beside the poller: a slow ask delays no cancel. Decides nothing."""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

from pos_app.domain.attempt import Kind
from pos_app.domain.events import CancelAnswered, InitiateAnswered
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import InitiateReply
from pos_app.domain.sale import Order
from pos_app.domain.secret import Secret
from pos_app.engine.connection.calls import (
    BROKE,
    HELD_BACK,
    ListAnswered,
    OtpSendAnswered,
    OtpSubmitAnswered,
    PasscodeChecked,
    PasscodeHashed,
    ProbeAnswered,
    TokenLooked,
)
from pos_app.engine.connection.poller import PollLoop
from pos_app.engine.connection.worker_pool import OpenServices, WorkerPool
from pos_app.engine.core.mailbox import Post
from pos_app.engine.staff.hashing import hash_passcode, is_passcode
from pos_app.services.bodies import QrAmountField, initiate_body
from pos_app.system.boot_clock import ms_since_boot


class Departure:
    """Whether an initiate's first byte may leave: once it has, nothing holds it back; held back, it never leaves."""

    def __init__(self, within_ms: int | None) -> None:
        self._by = None if within_ms is None else ms_since_boot() + within_ms
        self._lock = threading.Lock()
        self._has_left = False
        self.is_missed = False

    def may_leave(self) -> bool:
        """Asked by its worker's thread, as late as can be."""
        with self._lock:
            if not self.is_missed and (self._by is None or ms_since_boot() <= self._by):
                self._has_left = True
            self.is_missed = not self._has_left
            return self._has_left

    def hold_back(self) -> None:
        """From the engine's thread."""
        with self._lock:
            self.is_missed = not self._has_left


class Executor:
    """The `Calls` of a real till."""

    def __init__(
        self,
        open_services: OpenServices,
        qr_amount_field: QrAmountField,
        poller: PollLoop,
        post: Post,
    ) -> None:
        self._pool = WorkerPool("call", open_services, post)
        self._qr_amount_field = qr_amount_field
        self._poller = poller
        self._departures: WeakValueDictionary[str, Departure] = WeakValueDictionary()
        """By attempt, of the initiates that are under way: each lives as long as its call."""

    def renew(self, open_services: OpenServices, qr_amount_field: QrAmountField) -> None:
        """Its calls and the poller's go over new connections from now on."""
        self._qr_amount_field = qr_amount_field
        self._pool.renew(open_services)
        self._poller.renew(open_services)

    def initiate_body(self, order: Order) -> bytes:
        """The exact bytes of an initiate."""
        return initiate_body(order, self._qr_amount_field)

    def initiate(
        self, attempt_id: str, kind: Kind, body: bytes, *, resend: bool, within_ms: int | None
    ) -> None:
        """Posts InitiateAnswered."""
        departure = self._departures[attempt_id] = Departure(within_ms)

        def call() -> InitiateAnswered:
            reply: InitiateReply = HELD_BACK
            if not departure.is_missed:
                reply = self._pool.services().payments.initiate(kind, body, departure.may_leave)
            return InitiateAnswered(attempt_id, HELD_BACK if departure.is_missed else reply, resend=resend)

        self._pool.submit(call, InitiateAnswered(attempt_id, BROKE, resend=resend))

    def hold_back(self, attempt_id: str) -> None:
        """It is answered when its turn comes, or when it has a connection: with HELD_BACK."""
        departure = self._departures.get(attempt_id)
        if departure is not None:
            departure.hold_back()

    def ask(self, attempt_id: str, wallet_transaction_id: str, *, behind: bool) -> None:
        """The poller posts StatusAnswered."""
        self._poller.ask(attempt_id, wallet_transaction_id, behind=behind)

    def cancel(self, attempt_id: str, *, behind: bool) -> None:
        """Posts CancelAnswered."""
        self._pool.submit(
            lambda: CancelAnswered(attempt_id, self._pool.services().payments.cancel(external_id=attempt_id)),
            CancelAnswered(attempt_id, BROKE),
            behind=behind,
        )

    def probe(self, attempt_id: str) -> None:
        """Posts ProbeAnswered."""

        def call() -> ProbeAnswered:
            payments = self._pool.services().payments
            asked = payments.get_status(external_id=attempt_id) if attempt_id else payments.todays_list()
            return ProbeAnswered(asked)

        self._pool.submit(call, ProbeAnswered(BROKE))

    def look_for_token(self) -> None:
        """Posts TokenLooked."""
        self._pool.submit(
            lambda: TokenLooked(self._pool.services().payments.has_another_token()),
            TokenLooked(has_changed=False),
            behind=True,
        )

    def list(self, wanted: QueryFilter) -> None:
        """Posts ListAnswered."""
        self._pool.submit(
            lambda: ListAnswered(wanted, self._pool.services().payments.query(wanted)),
            ListAnswered(wanted, BROKE),
            behind=True,
        )

    def send_otp(self, person_id: str, msisdn: str, message: str) -> None:
        """Posts OtpSendAnswered."""
        self._pool.submit(
            lambda: OtpSendAnswered(person_id, self._pool.services().otp.validate_code(msisdn, message)),
            OtpSendAnswered(person_id, BROKE),
        )

    def submit_otp(self, person_id: str, server_ref: str, pin: str) -> None:
        """Posts OtpSubmitAnswered."""
        self._pool.submit(
            lambda: OtpSubmitAnswered(
                person_id, server_ref, self._pool.services().otp.submit_code(pin, server_ref)
            ),
            OtpSubmitAnswered(person_id, server_ref, BROKE),
        )

    def check_passcode(self, check: int, passcode: Secret, hashed: bytes) -> None:
        """Posts PasscodeChecked."""
        self._pool.submit(
            lambda: PasscodeChecked(check, is_passcode(passcode, hashed)), PasscodeChecked(check, None)
        )

    def hash_passcode(self, check: int, passcode: Secret, before: bytes | None) -> None:
        """Posts PasscodeHashed."""

        def make() -> PasscodeHashed:
            if before is not None and is_passcode(passcode, before):
                return PasscodeHashed(check, None, same=True)
            return PasscodeHashed(check, hash_passcode(passcode))

        self._pool.submit(make, PasscodeHashed(check, None))

    def close(self) -> None:
        """Ends its threads, within about a second."""
        self._pool.close()
