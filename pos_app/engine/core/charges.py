"""Starting an attempt: what must hold before money may be asked for, and the attempt itself."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pos_app.domain import ids
from pos_app.domain.attempt import ATTENTION, OPEN, Attempt, Kind
from pos_app.domain.commands import Charge
from pos_app.domain.money import AmountError
from pos_app.domain.phone import NumberError, mask_number, parse_number
from pos_app.domain.sale import Order, Sale
from pos_app.domain.text import is_reference
from pos_app.domain.views import Decline
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.journal_store import JournalStore

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


def new_attempt(
    charge: Charge,
    sale: Sale,
    number: int,
    wallet_number: str,
    config: EngineConfig,
    journal: JournalStore,
    clock: Clock,
) -> Attempt:
    """The sale's `number`-th attempt, before anything is sent."""
    wall = clock.wall()
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
        tapped_at=clock.now(),
        tapped_wall=wall.isoformat(timespec="milliseconds"),
        transaction_date_time=wall.strftime("%Y-%m-%d %H:%M:%S"),
        give_up_after_ms=config.give_up_after_ms if give_up_s is None else int(give_up_s * 1000),
        extendable=charge.extendable,
        wallet_mask=mask_number(wallet_number) if wallet_number else "",
        wallet_digest=journal.digest(wallet_number) if wallet_number else "",
        invoice_number=sale.invoice_number,
        payment_reference=sale.payment_reference,
        prices=sale.prices,
        origin=config.origin,
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
