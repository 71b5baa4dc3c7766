"""After a damaged record was begun anew: reads the service's list and enters what only it still knows.

A list proves nothing (rule 10): whatever it shows is entered as recovered, and then asked about. Nor does one
answer prove that it is the list: `domain/list_reader.py` reads until it is whole, or says which part is not.

The list is asked for all counters. A filter would spare rows, but a row of ours that was sold under another
counter id (the settings change it, and a damaged journal does not say it surely) would be missed, and a service
may cut its answer before it filters: then a short answer proves nothing. Only where nobody knows which
installations were ours, this counter is all there is to go by (`Unproven`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from pos_app.domain import ids
from pos_app.domain.attempt import MONEY, Attempt, Kind, Reason, State
from pos_app.domain.commands import CheckNow
from pos_app.domain.events import TillStarted
from pos_app.domain.flow import Live, Watch
from pos_app.domain.flow.statuses import PAYMENT_SUCCESS, UNPAID_ENDS
from pos_app.domain.list_reader import FORM, SECOND, Reading, Span, merged, time_of
from pos_app.domain.money import at_least
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import mask_number
from pos_app.domain.query import QueryFilter
from pos_app.domain.rebuilt_journal import (
    DAMAGED,
    JOURNAL,
    LIST,
    LIST_BEGAN,
    LIST_READ,
    MENDED,
    REBUILD_ENDED,
    RECOVERED,
    Rebuilt,
    last_rebuild,
)
from pos_app.domain.record import Record, wall_of
from pos_app.domain.replies import ListedTransaction, Listing, NoAnswer, QueryReply, Refused, Why
from pos_app.engine.connection.calls import JournalFound, JournalMended, ListAnswered, LockLost, RecordNews
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.list_pace import ListPace
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.rebuild import sale_for

MOST_ENTERED = 500
"""So many are entered, the newest days first; the rest are counted."""


class Unproven:
    """Payments of this counter that nothing proves to be this till's, because its whole record is gone. Pure.

    Where no installation id is proven, whatever the service lists under this merchant and counter with an id of our
    form is a candidate: it is entered as DISPUTED, asked about, and settled by a manager, never taken for this till's
    PAID, never cancelled by itself. Where a hint, a log or an anchor that no key opens names installations, only
    theirs are; the others are counted, and people are told how many. Without a rebuild, or with a proven
    installation, there is no candidate.
    """

    def __init__(self, own: str) -> None:
        self._own = own
        self._claimed: frozenset[str] = frozenset()
        self._wanted = False
        self._entered = 0
        self._others: set[str] = set()

    def take_up(self, began: dict[str, Any]) -> None:
        """What the beginning of the rebuild says of whose payments there may be."""
        self._claimed = frozenset(map(str, began.get("claimed", ())))
        self._wanted = not began.get("installations")

    @property
    def wanted(self) -> bool:
        """Whether there may be candidates."""
        return self._wanted

    @property
    def others(self) -> int:
        """So many payments of this counter were listed, may be money, and were not entered."""
        return len(self._others)

    def is_candidate(self, listed: ListedTransaction, installation: str) -> bool:
        """Whether a listed payment is to be entered. `installation`: of its id, "" for one of another form."""
        if not self._wanted or installation in ("", self._own) or listed.status in UNPAID_ENDS:
            return False
        if (self._claimed and installation not in self._claimed) or self._entered >= MOST_ENTERED:
            self._others.add(listed.external_id)
            return False
        self._entered += 1
        return True


def disputed(attempt: Attempt, listed: ListedTransaction) -> Attempt:
    """A candidate as it is entered: nobody but a manager settles it."""
    return replace(attempt, state=State.DISPUTED, reason=Reason.NOT_PROVEN_OURS, service_status=listed.status)


BLOCKS_MS = 60_000
"""No new payment before the list was read; where the service gives none, only so long."""

AGAIN_MS = 10_000
REFUSED_MS = 60_000
UNASKED = 100
"""So many payments that a list showed may wait for their first ask; the next list comes after them."""

WAIT_FOR_ASKS_MS = 60_000

MOST_DAYS = 31
"""So far back where no payment is proven, or the newest says a day that is still to come."""

LATE_MS = 5 * 60 * 1000
"""A list may be so far behind the payments: the newest hour is read again when that much has gone by."""

NEWEST = timedelta(hours=1)
WITNESSES = 50
"""So many payments that the service is known to have are looked for in its list."""

PLACE_TAKEN = "its_place_is_taken"

NAMED = 20
"""So many incomplete times are named one by one; more are drawn together."""

TOLD_MS = 24 * 60 * 60 * 1000
"""So long after its end people are told of the rebuild."""

TOLD_INCOMPLETE_MS = 7 * TOLD_MS

Asks = Sequence[TillStarted | CheckNow]


class Rebuilding:
    """Owns the reading of the list. Without `list_payments` nothing is listed.

    It is read twice: once from the day before the last proven payment to tomorrow, and, some minutes later, the
    newest part again.
    """

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
        identity: Identity,
    ) -> None:
        self._config = config
        self._journal = ports.journal
        self._live_payments = live_payments
        self._identity = identity
        self._clock = ports.clock
        self._list = ports.list_payments
        self._spans: list[Span] = []
        """What each of the two readings is about; the first of them is the one under way."""
        self._reading: Reading | None = None
        self._asked: QueryFilter | None = None
        self._installations: frozenset[str] = frozenset()
        self._unproven = Unproven(ports.journal.installation_id)
        self._to_check: list[str] = []
        self._unasked: set[str] = set()
        self._witnesses: set[str] = set()
        self._incomplete: list[Span] = []
        self._whole: Span | None = None
        self._unplaced: set[str] = set()
        self._checked: set[str] = set()
        self._second_at = 0
        self._next_at = 0
        self._waits_for_asks = False
        self._pace = ListPace(config.calls_apart_ms)
        self._blocks_until = 0
        self.due_at: int | None = None

    @property
    def under_way(self) -> bool:
        """Whether the list is being read, or is still to be."""
        return bool(self._spans)

    @property
    def blocks(self) -> bool:
        """Whether nothing may be sold yet because a payment may be missing in the record."""
        return len(self._spans) > 1 and self._clock.now() < self._blocks_until

    def take_up(self) -> None:
        """Reads whether this journal was begun beside a damaged one, and how far that has come."""
        began, ended = last_rebuild(self._journal.events_of(JOURNAL))
        if began is None:
            return
        now = self._clock.now()
        found = int((ended or began).content.get("found", 0))
        incomplete = tuple(map(str, ended.content.get("incomplete", ()))) if ended else ()
        others = int((ended or began).content.get("others", 0))
        told_ms = TOLD_INCOMPLETE_MS if incomplete else TOLD_MS
        if ended is None or now - ended.at < told_ms:
            own = self._journal.installation_id
            self._live_payments.rebuilt = Rebuilt(found, ended is not None, own, incomplete, others)
        if ended is not None or self._list is None:
            return
        if str(began.content.get("origin", "")) not in ("", self._config.origin):
            # Only the service that was worked with knows what is missing; another one's list is another one's word.
            return
        self._installations = frozenset(map(str, began.content.get("installations", ())))
        self._unproven.take_up(began.content)
        self._to_check = [str(each) for each in began.content.get("ask", ())]
        self._blocks_until = now + BLOCKS_MS
        self._begin(began, self._journal.events_of(LIST))

    def _begin(self, began: Record, before: Sequence[Record]) -> None:
        """Where the last run stopped; the spans are those of the first beginning."""
        opened = datetime.fromisoformat(began.wall).replace(tzinfo=None, microsecond=0)
        read = [each.content for each in before if each.kind == LIST_READ]
        whole = self._whole = _around(str(began.content.get("since", "")), opened)
        self._second_at = began.at + LATE_MS
        self._witnesses = self._known_to_the_service(whole, before)
        self._witnesses -= {str(each) for content in read for each in content.get("met", ())}
        self._incomplete = [_span(content) for content in read if content.get("why")]
        self._spans = [whole, Span(max(whole.first, opened - NEWEST), whole.last)]
        for turn in (1, 2):
            done = [content for content in read if content.get("turn") == turn]
            if done:
                # Newest first, without a gap: what is older than the oldest is still to be read.
                oldest = min(_span(content).first for content in done)
                self._spans[0] = Span(self._spans[0].first, oldest - SECOND)
            if self._spans[0].length >= SECOND:
                break
            del self._spans[0]
        self._next_reading()

    def _next_reading(self) -> None:
        if not self._spans:
            self._end()
            return
        self._reading = Reading(self._spans[0])
        second = self._second_at if len(self._spans) == 1 else 0
        self.due_at = max(self._clock.now(), self._next_at, second)

    def _known_to_the_service(self, span: Span, before: Sequence[Record]) -> set[str]:
        """Payments that it had answered for when the reading began, well inside the span: a list without them is
        not the list. Later ones are known from the list itself, and prove nothing of it."""
        began = next((each for each in before if each.kind == LIST_BEGAN), None)
        if began is not None:
            return {str(each) for each in began.content.get("known", ())}
        nothing: Sequence[Attempt] = ()
        first, last = (span.first + timedelta(days=1)).strftime(FORM), span.last.strftime(FORM)
        known = {
            each.attempt_id
            for each in self._live_payments.read(lambda: self._journal.recent(WITNESSES), nothing)
            if each.wallet_transaction_id
            and each.merchant_id == self._config.merchant_id
            and first <= each.transaction_date_time <= last
        }
        about = {"known": sorted(known)}
        self._live_payments.write([self._live_payments.record(LIST_BEGAN, LIST, TERMINAL, content=about)])
        return known

    def tick(self, now: int) -> Asks:
        """The next list when it is due; ahead of the first, what a damaged event spoke of."""
        if self.due_at is None or now < self.due_at:
            return ()
        checks, self._to_check = [CheckNow(each) for each in self._to_check], []
        self.due_at = None
        if self._reading is None or self._reading.wanted is None or self._list is None:
            return checks
        if len(self._unasked) >= UNASKED and not self._waits_for_asks:
            self._waits_for_asks = True
            self.due_at = now + WAIT_FOR_ASKS_MS
            return checks
        self._waits_for_asks = False
        # What is not proven to be ours is at least of our counter.
        opener = str(self._config.counter_id) if self._unproven.wanted else ""
        self._asked = self._reading.wanted.wanted(opener)
        self._list(self._asked)
        return checks

    def answered(self, attempt_id: str) -> None:
        """The service was asked about a payment, whatever it said: the next list need not wait for that."""
        self._unasked.discard(attempt_id)
        if self._waits_for_asks and len(self._unasked) < UNASKED:
            self._waits_for_asks = False
            self.due_at = max(self._clock.now(), self._next_at)

    def heard(self, news: RecordNews) -> Asks:
        """A list came, or did not; or a look over the journal found damage."""
        match news:
            case ListAnswered():
                return self._listed(news)
            case JournalFound():
                self._damaged(news)
            case LockLost():
                # It could not be written down: what the journal takes is no longer this till's to say.
                self._live_payments.lock_lost = True
            case JournalMended(findings=findings):
                about = {"findings": list(findings)}
                self._live_payments.write(
                    [self._live_payments.record(MENDED, JOURNAL, TERMINAL, content=about)]
                )
        return ()

    def _listed(self, answer: ListAnswered) -> Asks:
        reading = self._reading
        if reading is None or answer.wanted != self._asked:
            return ()
        self._asked = None
        rows = answer.reply.transactions if isinstance(answer.reply, Listing) else ()
        asks: list[TillStarted | CheckNow] = []
        try:
            # Whatever an answer shows is taken up, whole or not; only then it counts as read.
            for each in rows:
                asks += self._met(each)
        except self._live_payments.trouble:
            self.due_at = self._clock.now() + AGAIN_MS
            return asks
        if self._live_payments.halted:
            # What was met could not be written: the same list is read again.
            self.due_at = self._clock.now() + AGAIN_MS
            return asks
        settled = reading.heard(answer.reply)
        met = sorted(self._witnesses.intersection(each.external_id for each in rows))
        self._witnesses.difference_update(met)
        self._write_done(reading, met)
        if settled and isinstance(answer.reply, Listing):
            self._pace.answered()
        wait = self._pace.apart_ms if settled else self._wait(answer.reply)
        self.due_at = self._next_at = self._clock.now() + wait
        if reading.wanted is None:
            del self._spans[0]
            self._next_reading()
        return asks

    def _write_done(self, reading: Reading, met: Sequence[str]) -> None:
        for window in reading.done():
            about: dict[str, Any] = {
                "turn": 3 - len(self._spans),
                "from": window.span.first.strftime(FORM),
                "to": window.span.last.strftime(FORM),
                "rows": window.rows,
                "most": reading.most,
            }
            if met:
                about["met"], met = list(met), ()
            if window.why is not None:
                about["why"] = window.why.value
                self._incomplete.append(window.span)
            self._live_payments.write([self._live_payments.record(LIST_READ, LIST, TERMINAL, content=about)])

    def _wait(self, reply: QueryReply) -> int:
        match reply:
            case NoAnswer(why=Why.SLOW_DOWN, retry_after_s=after_s):
                return self._pace.slow_down(after_s)
            case Refused():
                # The service will not give it to this terminal: selling does not wait for that.
                self._blocks_until = 0
                return REFUSED_MS
            case _:
                return AGAIN_MS

    def _end(self) -> None:
        self._reading = None
        self.due_at = None
        rebuilt = self._live_payments.rebuilt
        found, others = rebuilt.found if rebuilt is not None else 0, self._unproven.others
        if self._witnesses and self._whole is not None:
            # It has answered for them one by one: what it lists is not what it has.
            self._incomplete.append(self._whole)
        incomplete = _named(self._incomplete)
        about = {
            "found": found,
            "incomplete": list(incomplete),
            "not_in_the_list": sorted(self._witnesses),
            "others": others,
        }
        self._live_payments.rebuilt = Rebuilt(found, True, self._journal.installation_id, incomplete, others)
        self._live_payments.write(
            [self._live_payments.record(REBUILD_ENDED, JOURNAL, TERMINAL, content=about)]
        )

    def _met(self, listed: ListedTransaction) -> Asks:
        installation, sale_id, number = ids.parts_of(self._config.environment, listed.external_id)
        if not installation:
            return ()
        # Not `known`: a journal that cannot be read just now knows nothing, and that would be no stranger.
        known = self._live_payments.in_hand(listed.external_id) or self._journal.attempt(listed.external_id)
        if known is not None:
            paid = listed.status == PAYMENT_SUCCESS and known.state not in MONEY
            if known.attempt_id in self._checked or not (paid or not known.is_final):
                return ()
            self._checked.add(known.attempt_id)
            return (CheckNow(listed.external_id),)
        if installation == self._journal.installation_id:
            # Nobody but a copy of this data folder draws ids of this installation (rule 20).
            self._identity.found_twice(listed.external_id)
            return ()
        if listed.external_id in self._unplaced:
            return ()
        proven = installation in self._installations
        if not proven and not self._unproven.is_candidate(listed, installation):
            return ()
        attempt = self._recovered(listed, sale_id, number)
        if not proven:
            attempt = disputed(attempt, listed)
        records = self._records(attempt, time_of(listed))
        if not self._live_payments.commit(records):
            return ()
        if records[0].attempt is None:
            return ()
        self._live_payments.keep(Live(attempt, Watch(from_before_restart=True)))
        self._unasked.add(attempt.attempt_id)
        rebuilt = self._live_payments.rebuilt or Rebuilt(0, False, self._journal.installation_id)
        self._live_payments.rebuilt = replace(rebuilt, found=rebuilt.found + 1)
        return (TillStarted(attempt.attempt_id) if proven else CheckNow(attempt.attempt_id),)

    def _records(self, attempt: Attempt, at: datetime | None) -> list[Record]:
        others = self._live_payments.attempts_of(attempt.sale_id)
        about = {"proven": False, "listed": True}
        is_taken = any(each.number == attempt.number for each in others)
        if is_taken or int(attempt.sale_id) >= ids.RECOVERED_BELOW:
            # Its place is another installation's, or none of a till's: it can only be named, and its time to people.
            self._unplaced.add(attempt.attempt_id)
            about |= {"entered": False}
            named = self._live_payments.record(RECOVERED, attempt.attempt_id, TERMINAL, content=about)
            return [named, *self._missing(at)]
        sale = None if self._live_payments.sale(attempt.sale_id) else sale_for(attempt)
        return [
            self._live_payments.record(
                RECOVERED,
                attempt.attempt_id,
                TERMINAL,
                content=about,
                path=(attempt.state,),
                attempt=attempt,
                sale=sale,
            )
        ]

    def _missing(self, at: datetime | None) -> list[Record]:
        """The record stays without it: its second is incomplete, whatever the list proves."""
        span = self._spans[0] if at is None else Span(at, at)
        self._incomplete.append(span)
        first, last = (end.strftime(FORM) for end in (span.first, span.last))
        about = {"turn": 0, "from": first, "to": last, "rows": 1, "why": PLACE_TAKEN}
        return [self._live_payments.record(LIST_READ, LIST, TERMINAL, content=about)]

    def _recovered(self, listed: ListedTransaction, sale_id: str, number: int) -> Attempt:
        """Known to the service, so shown; nobody stands before the till for it, so released."""
        now, wallet = self._clock.now(), listed.wallet_account_number
        return Attempt(
            attempt_id=listed.external_id,
            sale_id=sale_id,
            number=number,
            kind=Kind.PUSH if wallet else Kind.QR,
            # With all its digits: by its text it is looked for among the others.
            amount=Decimal(0)
            if listed.amount is None
            else at_least(listed.amount, self._config.currency.code),
            currency=self._config.currency.code,
            merchant_id=self._config.merchant_id,
            counter_id=self._config.counter_id,
            environment=self._config.environment,
            owner=TERMINAL,
            tapped_at=now,
            tapped_wall=wall_of(self._clock.wall()),
            transaction_date_time=listed.transaction_date_time,
            give_up_after_ms=0,
            extendable=False,
            wallet_mask=mask_number(wallet) if wallet else "",
            state=State.WAITING,
            recovered=True,
            shown=True,
            wallet_transaction_id=listed.wallet_transaction_id,
            released_at=now,
            origin=self._config.origin,
        )

    def _damaged(self, found: JournalFound) -> None:
        """Nothing more is sold on it, open payments are still checked; the next start begins anew."""
        if not self._live_payments.damage:
            self._live_payments.damage = f"it is damaged: {found.findings[0]}; restart the till"
        about = {"findings": list(found.findings)}
        self._live_payments.write([self._live_payments.record(DAMAGED, JOURNAL, TERMINAL, content=about)])


def _around(since: str, opened: datetime) -> Span:
    """From the day before `since` to the day after the rebuild: nobody knows how the service's clock stands."""
    today = opened.date()
    try:
        proven = date.fromisoformat(since)
        is_known = proven <= today + timedelta(days=1)
    except ValueError:
        is_known = False
    if not is_known:
        # A day to come says that the clock was ahead, and nothing of when that was.
        proven = today - timedelta(days=MOST_DAYS - 1)
    first, last = min(proven, today), max(proven, today)
    day = timedelta(days=1)
    return Span(_midnight(first - day), _midnight(last + 2 * day) - SECOND)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)


def _span(content: dict[str, Any]) -> Span:
    return Span(*(datetime.strptime(str(content[end]), FORM) for end in ("from", "to")))


def _named(spans: Iterable[Span]) -> tuple[str, ...]:
    """For people: "2026-03-01 14:05:00 – 14:06:10"; where there are very many, from the first to the last."""
    found = merged(spans)
    if len(found) > NAMED:
        found = [*found[: NAMED - 1], Span(found[NAMED - 1].first, found[-1].last)]
    return tuple(_text(each) for each in found)


def _text(span: Span) -> str:
    first, last = span.first.strftime(FORM), span.last.strftime(FORM)
    if first == last:
        return first
    return f"{first} – {last[11:] if last[:10] == first[:10] else last}"
