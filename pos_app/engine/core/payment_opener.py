"""The counter: opens attempts so that the intent is durable before a byte leaves, and keeps their bytes."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Attempt, Resolution
from pos_app.domain.commands import Charge, SignRefund
from pos_app.domain.events import AnotherStarted
from pos_app.domain.flow import Live, Outcome, begin, step
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale, may_start_another
from pos_app.domain.views import Decline
from pos_app.engine.connection.calls import Calls
from pos_app.engine.core import charges
from pos_app.engine.core.charges import Declined
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments


class PaymentOpener:
    """Owns the request bytes of the attempts in hand."""

    def __init__(
        self,
        config: EngineConfig,
        journal: JournalStore,
        live_payments: LivePayments,
        calls: Calls,
        clock: Clock,
    ) -> None:
        self._config = config
        self._journal = journal
        self._live_payments = live_payments
        self._calls = calls
        self._clock = clock
        self._bodies: dict[str, bytes] = {}
        self.released: tuple[Outcome, ...] = ()

    def take_site(self, config: EngineConfig) -> None:
        """New limits, for what is opened from now on."""
        self._config = config

    def open(self, charge: Charge, actor: str = "") -> Outcome:
        """Makes the attempt and its durable intent. Raises Declined; then nothing was written or sent.

        `actor`: who did it, where that is not whose payment it is to be.
        """
        try:
            return self._open(charge, actor or charge.who)
        except self._live_payments.trouble as trouble:
            self._live_payments.refused()
            raise Declined(Decline.NOT_DURABLE) from trouble

    def _open(self, charge: Charge, actor: str) -> Outcome:
        amount = charges.checked_amount(charge, self._config)
        wallet_number = charges.checked_number(charge, self._config)
        charges.check_texts(charge)
        now = self._clock.now()
        earlier: tuple[Attempt, ...] = ()
        if charge.sale_id:
            sale, earlier = self._known_sale(charge)
        else:
            self._refuse_repeat(charge, amount, wallet_number, now)
            sale = charges.new_sale(charge, amount, self._config, self._journal, now)
        number = earlier[-1].number + 1 if earlier else 1
        attempt = charges.new_attempt(
            charge, sale, number, wallet_number, self._config, self._journal, self._clock
        )
        body = self._calls.initiate_body(charges.order_of(attempt, wallet_number))
        outcome = begin(attempt, now, self._config.rules)
        records = [*self._release(earlier, now), self._intent(charge, actor, outcome, sale, body)]
        if not self._live_payments.commit(records):
            raise Declined(Decline.NOT_DURABLE)
        self._bodies[attempt.attempt_id] = body
        return outcome

    def _known_sale(self, charge: Charge) -> tuple[Sale, tuple[Attempt, ...]]:
        """Rule 5: another attempt of a sale only when nothing of the earlier ones can still take money."""
        sale = self._live_payments.sale(charge.sale_id)
        if sale is None:
            raise Declined(Decline.UNKNOWN_SALE)
        if sale.amount != charge.amount:
            raise Declined(Decline.BAD_AMOUNT)
        earlier = self._live_payments.attempts_of(sale.sale_id)
        if not may_start_another(earlier) or self._live_payments.sending(sale.sale_id):
            raise Declined(Decline.EARLIER_ATTEMPT_OPEN)
        return sale, earlier

    def _refuse_repeat(self, charge: Charge, amount: Decimal, wallet_number: str, now: int) -> None:
        if charge.another_customer:
            return
        digest = self._journal.digest(wallet_number) if wallet_number else ""
        open_attempts = [live.attempt for live in self._live_payments.lives]
        similar = charges.looks_open(open_attempts, amount, digest, charge.sale_id, now)
        if similar is not None:
            raise Declined(Decline.LOOKS_OPEN, similar)

    def _release(self, earlier: tuple[Attempt, ...], now: int) -> list[Record]:
        """A later attempt releases the earlier ones, in the same transaction as its intent."""
        records = []
        released = []
        for attempt in earlier:
            if attempt.released_at is None:
                fact = AnotherStarted(attempt.attempt_id)
                live = self._live_payments.live(attempt.attempt_id) or Live(attempt)
                outcome = step(live, fact, now, self._config.rules)
                released.append(outcome)
                records += self._live_payments.of_event(fact, outcome.live, outcome.path)
        self.released = tuple(released)
        return records

    def _intent(self, charge: Charge, actor: str, outcome: Outcome, sale: Sale, body: bytes) -> Record:
        attempt = outcome.live.attempt
        return self._live_payments.record(
            "INTENT",
            attempt.attempt_id,
            actor,
            content={"another_customer": charge.another_customer},
            path=outcome.path,
            attempt=attempt,
            sale=sale,
            sealed=body,
        )

    def body(self, attempt_id: str) -> bytes | None:
        """The exact bytes of an attempt's initiate."""
        if attempt_id not in self._bodies:
            sealed = self._live_payments.read(lambda: self._journal.unsealed(attempt_id), None)
            if sealed is None:
                return None
            self._bodies[attempt_id] = sealed
        return self._bodies[attempt_id]

    def sealed_body(self, attempt_id: str) -> bytes | None:
        """The same, for one look: an attempt that has ended takes no place in memory by it."""
        return self._bodies.get(attempt_id) or self._live_payments.read(
            lambda: self._journal.unsealed(attempt_id), None
        )

    def forget(self, attempt_id: str) -> None:
        """The attempt has ended."""
        self._bodies.pop(attempt_id, None)

    def sign_refund(self, command: SignRefund) -> bool:
        """A manager says the double payment was given back (rule 9). False for a sale nobody knows."""
        sale = self._live_payments.sale(command.sale_id)
        if sale is None:
            return False
        signed = Resolution("refund", command.name, command.reason, self._clock.now())
        refunded = msgspec.structs.replace(sale, refund=signed)
        actor = command.who or command.name
        self._live_payments.write(
            [self._live_payments.record("REFUND_SIGNED", sale.sale_id, actor, sale=refunded)]
        )
        return True
