"""The counter: opens attempts so that the intent is durable before a byte leaves, and keeps their bytes."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Attempt, Resolution
from pos_app.domain.facts import AnotherStarted
from pos_app.domain.flow import Live, Outcome, begin, step
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale, may_start_another
from pos_app.domain.views import Decline
from pos_app.domain.wishes import Charge, SignRefund
from pos_app.engine import charging
from pos_app.engine.book import Book
from pos_app.engine.calls import Calls
from pos_app.engine.charging import Declined
from pos_app.engine.clock import Clock
from pos_app.engine.ledger import Ledger
from pos_app.engine.site import Site


class Counter:
    """Owns the request bytes of the attempts in hand."""

    def __init__(self, site: Site, book: Book, ledger: Ledger, calls: Calls, clock: Clock) -> None:
        self._site = site
        self._book = book
        self._ledger = ledger
        self._calls = calls
        self._clock = clock
        self._bodies: dict[str, bytes] = {}
        self.released: tuple[Outcome, ...] = ()

    def take_site(self, site: Site) -> None:
        """New limits, for what is opened from now on."""
        self._site = site

    def open(self, charge: Charge, actor: str = "") -> Outcome:
        """Makes the attempt and its durable intent. Raises Declined; then nothing was written or sent.

        `actor`: who did it, where that is not whose payment it is to be.
        """
        try:
            return self._open(charge, actor or charge.who)
        except self._ledger.trouble as trouble:
            self._ledger.refused()
            raise Declined(Decline.NOT_DURABLE) from trouble

    def _open(self, charge: Charge, actor: str) -> Outcome:
        amount = charging.checked_amount(charge, self._site)
        wallet_number = charging.checked_number(charge, self._site)
        charging.check_texts(charge)
        now = self._clock.now()
        earlier: tuple[Attempt, ...] = ()
        if charge.sale_id:
            sale, earlier = self._known_sale(charge)
        else:
            self._refuse_repeat(charge, amount, wallet_number, now)
            sale = charging.new_sale(charge, amount, self._site, self._book, now)
        number = earlier[-1].number + 1 if earlier else 1
        attempt = charging.new_attempt(
            charge, sale, number, wallet_number, self._site, self._book, self._clock
        )
        body = self._calls.initiate_body(charging.order_of(attempt, wallet_number))
        outcome = begin(attempt, now, self._site.rules)
        records = [*self._release(earlier, now), self._intent(charge, actor, outcome, sale, body)]
        if not self._ledger.commit(records):
            raise Declined(Decline.NOT_DURABLE)
        self._bodies[attempt.attempt_id] = body
        return outcome

    def _known_sale(self, charge: Charge) -> tuple[Sale, tuple[Attempt, ...]]:
        """Rule 5: another attempt of a sale only when nothing of the earlier ones can still take money."""
        sale = self._ledger.sale(charge.sale_id)
        if sale is None:
            raise Declined(Decline.UNKNOWN_SALE)
        if sale.amount != charge.amount:
            raise Declined(Decline.BAD_AMOUNT)
        earlier = self._ledger.attempts_of(sale.sale_id)
        if not may_start_another(earlier) or self._ledger.sending(sale.sale_id):
            raise Declined(Decline.EARLIER_ATTEMPT_OPEN)
        return sale, earlier

    def _refuse_repeat(self, charge: Charge, amount: Decimal, wallet_number: str, now: int) -> None:
        if charge.another_customer:
            return
        digest = self._book.digest(wallet_number) if wallet_number else ""
        open_attempts = [live.attempt for live in self._ledger.lives]
        similar = charging.looks_open(open_attempts, amount, digest, charge.sale_id, now)
        if similar is not None:
            raise Declined(Decline.LOOKS_OPEN, similar)

    def _release(self, earlier: tuple[Attempt, ...], now: int) -> list[Record]:
        """A later attempt releases the earlier ones, in the same transaction as its intent."""
        records = []
        released = []
        for attempt in earlier:
            if attempt.released_at is None:
                fact = AnotherStarted(attempt.attempt_id)
                live = self._ledger.live(attempt.attempt_id) or Live(attempt)
                outcome = step(live, fact, now, self._site.rules)
                released.append(outcome)
                records += self._ledger.of_event(fact, outcome.live, outcome.path)
        self.released = tuple(released)
        return records

    def _intent(self, charge: Charge, actor: str, outcome: Outcome, sale: Sale, body: bytes) -> Record:
        attempt = outcome.live.attempt
        return self._ledger.record(
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
            sealed = self._ledger.read(lambda: self._book.unsealed(attempt_id), None)
            if sealed is None:
                return None
            self._bodies[attempt_id] = sealed
        return self._bodies[attempt_id]

    def sealed_body(self, attempt_id: str) -> bytes | None:
        """The same, for one look: an attempt that has ended takes no place in memory by it."""
        return self._bodies.get(attempt_id) or self._ledger.read(
            lambda: self._book.unsealed(attempt_id), None
        )

    def forget(self, attempt_id: str) -> None:
        """The attempt has ended."""
        self._bodies.pop(attempt_id, None)

    def sign_refund(self, wish: SignRefund) -> bool:
        """A manager says the double payment was given back (rule 9). False for a sale nobody knows."""
        sale = self._ledger.sale(wish.sale_id)
        if sale is None:
            return False
        signed = Resolution("refund", wish.name, wish.reason, self._clock.now())
        refunded = msgspec.structs.replace(sale, refund=signed)
        actor = wish.who or wish.name
        self._ledger.write([self._ledger.record("REFUND_SIGNED", sale.sale_id, actor, sale=refunded)])
        return True
