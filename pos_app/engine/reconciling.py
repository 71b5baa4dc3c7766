"""After a damaged record was begun anew: asks the service for its lists and enters what only it still knows.

A list proves nothing (rule 10): whatever it shows is entered as recovered, and then asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from pos_app.domain import ids
from pos_app.domain.attempt import MONEY, Attempt, Kind, State
from pos_app.domain.facts import TillStarted
from pos_app.domain.flow import Live, Watch
from pos_app.domain.flow.statuses import PAYMENT_SUCCESS
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import mask_number
from pos_app.domain.query import QueryFilter
from pos_app.domain.rebuilt import DAMAGED, JOURNAL, MENDED, REBUILD_ENDED, REBUILT, RECOVERED, Rebuilt
from pos_app.domain.record import Record
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, Why
from pos_app.domain.wishes import CheckNow
from pos_app.engine.book import Book
from pos_app.engine.calls import JournalFound, JournalMended, ListAnswered, RecordNews
from pos_app.engine.clock import Clock
from pos_app.engine.ledger import Ledger
from pos_app.engine.rebuilding import sale_for
from pos_app.engine.site import Site
from pos_app.engine.unproven import Unproven, disputed

BLOCKS_MS = 60_000
"""No new payment before the lists were read; where the service gives none, only so long."""

AGAIN_MS = 10_000
MOST_DAYS = 31
TOLD_MS = 24 * 60 * 60 * 1000
"""So long after its end people are told of the rebuild."""

_FORM = "%Y-%m-%d %H:%M:%S"

Lister = Callable[[QueryFilter], None]
Asks = Sequence[TillStarted | CheckNow]


class Reconciling:
    """Owns the days that are still to be listed. Without `list_payments` nothing is listed."""

    def __init__(
        self,
        site: Site,
        book: Book,
        ledger: Ledger,
        clock: Clock,
        list_payments: Lister | None,
    ) -> None:
        self._site = site
        self._book = book
        self._ledger = ledger
        self._clock = clock
        self._list = list_payments
        self._windows: list[tuple[datetime, datetime]] = []
        self._installations: frozenset[str] = frozenset()
        self._unproven = Unproven(book.installation_id)
        self._to_check: list[str] = []
        self._blocks_until = 0
        self.due_at: int | None = None

    @property
    def blocks(self) -> bool:
        """Whether nothing may be sold yet because a payment may be missing in the record."""
        return bool(self._windows) and self._clock.now() < self._blocks_until

    def take_up(self) -> None:
        """Reads whether this journal was begun beside a damaged one, and how far that has come."""
        about = [
            record for record in self._book.events_of(JOURNAL) if record.kind in (REBUILT, REBUILD_ENDED)
        ]
        began = next((record for record in reversed(about) if record.kind == REBUILT), None)
        if began is None:
            return
        ended = about[-1] if about[-1].kind == REBUILD_ENDED else None
        now = self._clock.now()
        found = int((ended or began).content.get("found", 0))
        if ended is None or now - ended.at < TOLD_MS:
            others = int((ended or began).content.get("others", 0))
            self._ledger.rebuilt = Rebuilt(found, ended is not None, self._book.installation_id, others)
        if ended is not None or self._list is None:
            return
        self._installations = frozenset(map(str, began.content.get("installations", ())))
        self._unproven.take_up(began.content)
        self._to_check = [str(each) for each in began.content.get("ask", ())]
        self._windows = _days(str(began.content.get("since", "")), self._clock.wall().replace(tzinfo=None))
        self._blocks_until = now + BLOCKS_MS
        self.due_at = now

    def tick(self, now: int) -> Asks:
        """The next day's list when it is due; ahead of the first, what a damaged event spoke of."""
        if self.due_at is None or now < self.due_at:
            return ()
        checks, self._to_check = [CheckNow(each) for each in self._to_check], []
        self.due_at = None
        if self._windows and self._list is not None:
            start, end = self._windows[0]
            # What is not proven to be ours is at least of our counter.
            counter = str(self._site.counter_id) if self._unproven.wanted else ""
            wanted = QueryFilter(
                from_date=start.strftime(_FORM), to_date=end.strftime(_FORM), counter_id=counter
            )
            self._list(wanted)
        return checks

    def heard(self, news: RecordNews) -> Asks:
        """A day's list came, or did not; or a look over the journal found damage."""
        match news:
            case ListAnswered():
                return self._listed(news)
            case JournalFound():
                self._damaged(news)
            case JournalMended(findings=findings):
                about = {"findings": list(findings)}
                self._ledger.write([self._ledger.record(MENDED, JOURNAL, TERMINAL, content=about)])
        return ()

    def _listed(self, answer: ListAnswered) -> Asks:
        if not self._windows or answer.wanted.from_date != self._windows[0][0].strftime(_FORM):
            return ()
        match answer.reply:
            case Listing(transactions=transactions):
                asks = [ask for each in transactions for ask in self._met(each)]
                del self._windows[0]
                self.due_at = self._clock.now()
                if not self._windows:
                    self._end()
                return asks
            case NoAnswer(why=Why.TOO_LARGE) if self._halved():
                self.due_at = self._clock.now()
            case NoAnswer():
                self.due_at = self._clock.now() + AGAIN_MS
            case _:
                # The service will not give it to this terminal: selling does not wait for that.
                self._blocks_until = 0
                self.due_at = self._clock.now() + AGAIN_MS * 6
        return ()

    def _halved(self) -> bool:
        start, end = self._windows[0]
        middle = start + (end - start) // 2
        if end - start < timedelta(minutes=1):
            return False
        self._windows[:1] = [(start, middle), (middle, end)]
        return True

    def _end(self) -> None:
        self.due_at = None
        rebuilt = self._ledger.rebuilt
        found, others = rebuilt.found if rebuilt is not None else 0, self._unproven.others
        self._ledger.rebuilt = Rebuilt(found, True, self._book.installation_id, others)
        about = {"found": found, "others": others}
        self._ledger.write([self._ledger.record(REBUILD_ENDED, JOURNAL, TERMINAL, content=about)])

    def _met(self, listed: ListedTransaction) -> Asks:
        installation, sale_id, number = ids.parts_of(self._site.environment, listed.external_id)
        proven = installation in self._installations
        known = self._ledger.live(listed.external_id)
        if not proven and (known is not None or not self._unproven.is_candidate(listed, installation)):
            return ()
        if known is not None:
            paid = listed.status == PAYMENT_SUCCESS and known.attempt.state not in MONEY
            return (CheckNow(listed.external_id),) if paid or not known.attempt.is_final else ()
        attempt = self._recovered(listed, sale_id, number)
        if not proven:
            attempt = disputed(attempt, listed)
        records = self._records(attempt)
        if not self._ledger.commit(records):
            return ()
        if records[0].attempt is None:
            return ()
        self._ledger.keep(Live(attempt, Watch(from_before_restart=True)))
        rebuilt = self._ledger.rebuilt or Rebuilt(0, False, self._book.installation_id)
        self._ledger.rebuilt = Rebuilt(rebuilt.found + 1, rebuilt.ended, rebuilt.installation_id)
        return (TillStarted(attempt.attempt_id) if proven else CheckNow(attempt.attempt_id),)

    def _records(self, attempt: Attempt) -> list[Record]:
        others = self._ledger.attempts_of(attempt.sale_id)
        about = {"proven": False, "listed": True}
        if any(each.number == attempt.number for each in others):
            # Its place is taken by another installation's: it can only be named.
            return [
                self._ledger.record(
                    RECOVERED, attempt.attempt_id, TERMINAL, content=about | {"entered": False}
                )
            ]
        sale = None if self._ledger.sale(attempt.sale_id) else sale_for(attempt)
        return [
            self._ledger.record(
                RECOVERED,
                attempt.attempt_id,
                TERMINAL,
                content=about,
                path=(attempt.state,),
                attempt=attempt,
                sale=sale,
            )
        ]

    def _recovered(self, listed: ListedTransaction, sale_id: str, number: int) -> Attempt:
        """Known to the service, so shown; nobody stands before the till for it, so released."""
        now, wallet = self._clock.now(), listed.wallet_account_number
        return Attempt(
            attempt_id=listed.external_id,
            sale_id=sale_id,
            number=number,
            kind=Kind.PUSH if wallet else Kind.QR,
            amount=Decimal(0) if listed.amount is None else listed.amount,
            currency=self._site.currency.code,
            merchant_id=self._site.merchant_id,
            counter_id=self._site.counter_id,
            environment=self._site.environment,
            owner=TERMINAL,
            tapped_at=now,
            tapped_wall=self._clock.wall().isoformat(timespec="milliseconds"),
            transaction_date_time=listed.transaction_date_time,
            give_up_after_ms=0,
            extendable=False,
            wallet_mask=mask_number(wallet) if wallet else "",
            state=State.WAITING,
            shown=True,
            wallet_transaction_id=listed.wallet_transaction_id,
            released_at=now,
        )

    def _damaged(self, found: JournalFound) -> None:
        """Nothing more is sold on it, open payments are still checked; the next start begins anew."""
        if not self._ledger.damage:
            self._ledger.damage = f"it is damaged: {found.findings[0]}; restart the till"
        about = {"findings": list(found.findings)}
        self._ledger.write([self._ledger.record(DAMAGED, JOURNAL, TERMINAL, content=about)])


def _days(since: str, now: datetime) -> list[tuple[datetime, datetime]]:
    """Newest first, from the day before `since` to tomorrow: nobody knows how the service's clock stands."""
    last = now.date() + timedelta(days=1)
    earliest = last - timedelta(days=MOST_DAYS)
    try:
        first = max(earliest, min(date.fromisoformat(since) - timedelta(days=1), last))
    except ValueError:
        first = earliest
    days = [last - timedelta(days=back) for back in range((last - first).days + 1)]
    return [
        (
            datetime.combine(day, datetime.min.time()),
            datetime.combine(day, datetime.max.time()).replace(microsecond=0),
        )
        for day in days
    ]
