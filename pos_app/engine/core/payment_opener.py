"""Opens a payment: what must hold before money may be asked for, then the attempt, durable before a byte leaves."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from pos_app.domain import ids
from pos_app.domain.attempt import ATTENTION, OPEN, Attempt, Kind
from pos_app.domain.commands import Charge
from pos_app.domain.events import AnotherStarted
from pos_app.domain.flow import Live, Outcome, begin, step
from pos_app.domain.list_reader import FORM
from pos_app.domain.money import AmountError
from pos_app.domain.phone import NumberError, mask_number, parse_number
from pos_app.domain.record import Record, wall_of
from pos_app.domain.sale import Order, Sale, may_start_another
from pos_app.domain.text import is_reference
from pos_app.domain.views import Decline
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports

SIMILAR_MS = 15 * 60 * 1000
"""Rule 17 looks this far back."""


class Declined(Exception):
    """The charge may not start; nothing has been sent or written."""

    def __init__(self, decline: Decline, similar: Attempt | None = None) -> None:
        super().__init__(decline.value)
        self.decline = decline
        self.similar = similar

    def similar_age_s(self, now: int) -> float:
        """How long ago the similar payment was tapped; 0 when there is none."""
        return 0 if self.similar is None else (now - self.similar.tapped_at) / 1000


def checked_amount(charge: Charge, config: EngineConfig) -> Decimal:
    """The amount with exactly the currency's digits, above zero and within the shop's limit."""
    try:
        amount = config.currency.exact(charge.amount)
    except AmountError as error:
        raise Declined(Decline.BAD_AMOUNT) from error
    if not 0 < amount <= config.max_amount:
        raise Declined(Decline.BAD_AMOUNT)
    return amount


def checked_number(charge: Charge, config: EngineConfig) -> str:
    """The wallet number of a push, in international form; empty for a QR."""
    if charge.kind is Kind.QR:
        return ""
    try:
        return parse_number(charge.wallet_number, config.country)
    except NumberError as error:
        raise Declined(Decline.BAD_NUMBER) from error


def check_texts(charge: Charge) -> None:
    """Invoice number and reference go to the service and onto paper: only what both can hold."""
    if not (is_reference(charge.invoice_number) and is_reference(charge.payment_reference)):
        raise Declined(Decline.BAD_TEXT)


def looks_open(
    open_attempts: Sequence[Attempt], amount: Decimal, digest: str, sale_id: str, now: int
) -> Attempt | None:
    """Rule 17: an open, parked or unresolved attempt that this charge might be a repeat of."""
    for attempt in open_attempts:
        candidate = attempt.state in OPEN or attempt.state in ATTENTION
        if not candidate or attempt.sale_id == sale_id or now - attempt.tapped_at >= SIMILAR_MS:
            continue
        if attempt.amount == amount or (digest and attempt.wallet_digest == digest):
            return attempt
    return None


def new_sale(charge: Charge, amount: Decimal, config: EngineConfig, journal: JournalStore, now: int) -> Sale:
    """What is owed, with the next sale number."""
    return Sale(
        sale_id=ids.sale_id(journal.next_sale_number()),
        amount=amount,
        currency=config.currency.code,
        counter_id=config.counter_id,
        owner=charge.who,
        opened_at=now,
        invoice_number=charge.invoice_number,
        payment_reference=charge.payment_reference,
        prices=charge.prices if sum(charge.prices) == amount else (),
    )


def again(attempt: Attempt) -> Charge:
    """The same asked for once more: another attempt of the sale, for a customer who has not moved."""
    return Charge(
        request_id="",
        kind=attempt.kind,
        amount=attempt.amount,
        who=attempt.owner,
        sale_id=attempt.sale_id,
        give_up_after_s=attempt.give_up_after_ms / 1000,
        extendable=attempt.extendable,
    )


def order_of(attempt: Attempt, wallet_number: str) -> Order:
    """What the initiate's bytes are made of."""
    return Order(
        kind=attempt.kind,
        attempt_id=attempt.attempt_id,
        amount=attempt.amount,
        merchant_id=attempt.merchant_id,
        counter_id=attempt.counter_id,
        transaction_date_time=attempt.transaction_date_time,
        wallet_number=wallet_number,
        invoice_number=attempt.invoice_number,
        payment_reference=attempt.payment_reference,
    )


class Opened(NamedTuple):
    """An attempt that is durable, and what became of the sale's earlier ones by its start: they are released."""

    outcome: Outcome
    released: Sequence[Outcome]


class PaymentOpener:
    """Owns the request bytes of the attempts in hand."""

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
    ) -> None:
        self._config = config
        self._journal = ports.journal
        self._live_payments = live_payments
        self._calls = ports.calls
        self._clock = ports.clock
        self._bodies: dict[str, bytes] = {}

    def take_config(self, config: EngineConfig) -> None:
        """New limits, for what is opened from now on."""
        self._config = config

    def open(self, charge: Charge, actor: str = "") -> Opened:
        """Makes the attempt and its durable intent. Raises Declined; then nothing was written or sent.

        `actor`: who did it, where that is not whose payment it is to be: it began by itself, and asks nobody.
        """
        try:
            return self._open(charge, actor)
        except self._live_payments.trouble as trouble:
            self._live_payments.refused()
            raise Declined(Decline.NOT_DURABLE) from trouble

    def _open(self, charge: Charge, actor: str) -> Opened:
        amount = checked_amount(charge, self._config)
        wallet_number = checked_number(charge, self._config)
        check_texts(charge)
        now = self._clock.now()
        earlier: tuple[Attempt, ...] = ()
        if charge.sale_id:
            sale, earlier = self._known_sale(charge)
        if not actor:
            self._refuse_repeat(charge, amount, wallet_number, now)
        if not charge.sale_id:
            sale = new_sale(charge, amount, self._config, self._journal, now)
        number = earlier[-1].number + 1 if earlier else 1
        attempt = self._new_attempt(charge, sale, number, wallet_number)
        body = self._calls.initiate_body(order_of(attempt, wallet_number))
        outcome = begin(attempt, now, self._config.rules)
        released, records = self._release(earlier, now)
        records.append(self._intent(charge, actor or charge.who, outcome, sale, body))
        if not self._live_payments.commit(records):
            raise Declined(Decline.NOT_DURABLE)
        self._bodies[attempt.attempt_id] = body
        return Opened(outcome, released)

    def _new_attempt(self, charge: Charge, sale: Sale, number: int, wallet_number: str) -> Attempt:
        """The sale's `number`-th attempt, before anything is sent."""
        config, journal = self._config, self._journal
        wall = self._clock.wall()
        give_up_s = charge.give_up_after_s
        return Attempt(
            attempt_id=ids.attempt_id(
                config.environment,
                journal.installation_id,
                sale.sale_id,
                number,
                journal.random_part(ids.RANDOM_LENGTH),
            ),
            sale_id=sale.sale_id,
            number=number,
            kind=charge.kind,
            amount=sale.amount,
            currency=sale.currency,
            merchant_id=config.merchant_id,
            counter_id=config.counter_id,
            environment=config.environment,
            owner=charge.who,
            tapped_at=self._clock.now(),
            tapped_wall=wall_of(wall),
            transaction_date_time=wall.strftime(FORM),
            give_up_after_ms=config.give_up_after_ms if give_up_s is None else int(give_up_s * 1000),
            extendable=charge.extendable,
            wallet_mask=mask_number(wallet_number) if wallet_number else "",
            wallet_digest=journal.digest(wallet_number) if wallet_number else "",
            invoice_number=sale.invoice_number,
            payment_reference=sale.payment_reference,
            prices=sale.prices,
            origin=config.origin,
        )

    def _known_sale(self, charge: Charge) -> tuple[Sale, tuple[Attempt, ...]]:
        """Rule 5: another attempt of a sale only when nothing of the earlier ones can still take money."""
        sale = self._live_payments.sale(charge.sale_id)
        if sale is None:
            raise Declined(Decline.UNKNOWN_SALE)
        # The service is told a number alone, which is another amount where its currency is another one by now.
        if (sale.amount, sale.currency) != (charge.amount, self._config.currency.code):
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
        similar = looks_open(open_attempts, amount, digest, charge.sale_id, now)
        if similar is not None:
            raise Declined(Decline.LOOKS_OPEN, similar)

    def _release(self, earlier: tuple[Attempt, ...], now: int) -> tuple[list[Outcome], list[Record]]:
        """A later attempt releases the earlier ones, in the same transaction as its intent."""
        released: list[Outcome] = []
        records: list[Record] = []
        for attempt in earlier:
            if attempt.released_at is None:
                fact = AnotherStarted(attempt.attempt_id)
                live = self._live_payments.live(attempt.attempt_id) or Live(attempt)
                outcome = step(live, fact, now, self._config.rules)
                released.append(outcome)
                records += self._live_payments.of_event(fact, outcome.live, outcome.path)
        return released, records

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

    @property
    def sizes(self) -> dict[str, int]:
        """How many bodies are in memory."""
        return {"bodies": len(self._bodies)}

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
