"""The attempts the engine has in hand, and the writing of what happens to them: commit first, act second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, TypeVar

import msgspec

from pos_app.domain.attempt import MONEY, Attempt
from pos_app.domain.day import is_set_back
from pos_app.domain.events import ConnectionReturned, InitiateAnswered, Superseded
from pos_app.domain.flow import Live, Outcome, Watch
from pos_app.domain.flow.watch import behind
from pos_app.domain.kinds import OF_ATTEMPTS, kind_of
from pos_app.domain.origins import NAMED as SERVICE_NAMED
from pos_app.domain.origins import SERVICE, is_elsewhere, named_origins, with_origin
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import PrintJob
from pos_app.domain.rebuilt_journal import Rebuilt
from pos_app.domain.record import Record, wall_of
from pos_app.domain.sale import Sale, is_overpaid, to_give_way
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.journal_store import JournalStore

RETRY_MS = 1_000
"""While the disk refuses, unwritten records are tried again each second (docs/failure-model.md, behaviour H)."""

RETURN_SPACING_MS = 500
"""After a time without answers, or without a disk, open attempts are asked about at most two a second."""

REFUSED = "WRITE_REFUSED"
"""What is written, once it can be, about a time in which nothing could."""

CODE_CAME = OF_ATTEMPTS[InitiateAnswered]
"""What is written of the reply that brings a code; no other brings one."""

OWN_COPY_MS = 15 * 60_000
"""So long whoever took a payment may print its receipt again alone."""

Found = TypeVar("Found")


class LivePayments:
    """Owns the lives in memory and the order in which records reach the journal.

    `origin` is the service that the settings name; nothing else may be asked about attempts of another.
    `trouble` are the journal's exceptions for which the environment is to blame. What reads the journal
    here for a picture or a check of the till's own goes on without it; `attempts_of` raises, because
    rule 5 must not be decided on half of a sale.
    """

    def __init__(
        self, journal: JournalStore, clock: Clock, trouble: tuple[type[Exception], ...], origin: str = ""
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._origin = origin
        self._unnamed = origin
        self.trouble = trouble
        self._lives: dict[str, Live] = {}
        self._of_sale: dict[str, set[str]] = {}
        """By sale, which of them are its: thousands may be open."""
        self._sales: dict[str, Sale] = {}
        self._overpaid: dict[str, Sale] = {}
        self._written: dict[str, dict[str, Attempt]] = {}
        """By sale, what the journal holds of the sales in hand: each picture would read it again."""
        self._unwritten: list[Record] = []
        self._wall = ""
        self.set_back: tuple[str, str] | None = None
        """From which wall time to which the clock was set back, until that is written."""
        self._receipts_of = ""
        self._last_receipt = 0
        self.retry_at: int | None = None
        self.halt_detail = ""
        self.rebuilt: Rebuilt | None = None
        """What became of the record, where it was begun anew beside a damaged one."""
        self.damage = ""
        """Where the record was found damaged while it is in use."""
        self.lock_lost = False
        """Whether a second till may be on this journal; until the next start."""

    @property
    def halted(self) -> bool:
        """Whether something that happened could not be written yet."""
        return bool(self._unwritten)

    @property
    def lives(self) -> Sequence[Live]:
        """Everything in hand."""
        return tuple(self._lives.values())

    @property
    def in_hand_count(self) -> int:
        """How many they are."""
        return len(self._lives)

    @property
    def sizes(self) -> dict[str, int]:
        """How many of each are in memory; nothing of a payment that has ended stays once the journal has it."""
        return {"lives": len(self._lives), "sales": len(self._sales), "unwritten": len(self._unwritten)}

    @property
    def open_attempts(self) -> tuple[Attempt, ...]:
        """Those in hand that have not ended."""
        return tuple(live.attempt for live in self._lives.values() if not live.attempt.is_final)

    @property
    def overpaid(self) -> tuple[Sale, ...]:
        """Sales paid twice whose refund nobody has signed (rule 9)."""
        return tuple(self._overpaid.values())

    def read(self, question: Callable[[], Found], otherwise: Found) -> Found:
        """What the journal says, or `otherwise` while it cannot be read."""
        try:
            return question()
        except self.trouble:
            return otherwise

    def newest(self) -> Attempt | None:
        """The last attempt if the service may be asked about it, as far as the journal can be read."""
        nothing: Sequence[Attempt] = ()
        found = [self._named(each) for each in self.read(lambda: self._journal.recent(1), nothing)]
        return next((each for each in found if not is_elsewhere(each, self._origin)), None)

    @property
    def waits_for_another_service(self) -> bool:
        """Whether something is unsettled that was opened at another service than the settings name."""
        return any(is_elsewhere(attempt, self._origin) for attempt in self.open_attempts)

    def _named(self, attempt: Attempt) -> Attempt:
        return with_origin(attempt, self._unnamed)

    def live(self, attempt_id: str) -> Live | None:
        """The attempt with its watch; one that is no longer in hand is read from the journal."""
        if attempt_id not in self._lives:
            attempt = self.read(lambda: self._journal.attempt(attempt_id), None)
            if attempt is None:
                return None
            self.keep(Live(self._named(attempt)))
        return self._lives[attempt_id]

    def in_hand_of(self, attempt_ids: Iterable[str]) -> Set[str]:
        """Of which of these memory knows something newer than what is written."""
        return self._lives.keys() & attempt_ids

    def in_hand(self, attempt_id: str) -> Attempt | None:
        """The attempt as memory knows it, newer than what is written; None for one that is not in hand."""
        live = self._lives.get(attempt_id)
        return None if live is None else live.attempt

    def known(self, attempt_id: str) -> Attempt | None:
        """The attempt as it now is, for a look: one that is not in hand is not taken into it."""
        live = self._lives.get(attempt_id)
        if live is not None:
            return live.attempt
        return self.read(lambda: self._journal.attempt(attempt_id), None) if attempt_id else None

    def to_show(self, attempt: Attempt) -> Attempt:
        """As it may be seen: without a code that is not written yet.

        Whoever paid by it would, after a restart, have scanned what this till never had (rule 10).
        """
        is_unwritten = any(
            record.kind == CODE_CAME and record.subject == attempt.attempt_id for record in self._unwritten
        )
        return msgspec.structs.replace(attempt, qr_text="") if is_unwritten else attempt

    def keep(self, live: Live) -> None:
        """Takes the newer knowledge."""
        attempt = live.attempt
        if attempt.attempt_id not in self._lives:
            self._of_sale.setdefault(attempt.sale_id, set()).add(attempt.attempt_id)
        self._lives[attempt.attempt_id] = live

    def go_back(self, attempt_id: str) -> None:
        """After a bug in its turn: the attempt is what the journal says, and nothing is under way for it."""
        live = self.live(attempt_id)
        if live is not None:
            written = None if self.halted else self.read(lambda: self._journal.attempt(attempt_id), None)
            back = self._named(written or live.attempt)
            self.keep(Live(back, Watch(from_before_restart=True)))
            # What the bug kept from being noted may have been written: no number is given twice.
            self._last_receipt = max(self._last_receipt, self.read(self._newest_receipt, 0))

    def numbered(self, outcome: Outcome) -> Outcome:
        """The same, with its receipt's number where the attempt has just become money and has none yet.

        The next one, in the transaction of the money itself and not when something is printed: numbers have no gap,
        and a payment has one of its own however often it is printed, or never.
        """
        attempt = outcome.live.attempt
        if attempt.receipt or attempt.state not in MONEY or not MONEY.intersection(outcome.path[1:]):
            return outcome
        self._number_as(self._journal.installation_id)
        attempt = msgspec.structs.replace(
            attempt, receipt=self._last_receipt + 1, receipt_of=self._receipts_of
        )
        return msgspec.structs.replace(outcome, live=msgspec.structs.replace(outcome.live, attempt=attempt))

    def _number_as(self, installation_id: str) -> None:
        """An id that was taken while the till works has given no number yet."""
        if self._receipts_of != installation_id:
            self._receipts_of, self._last_receipt = installation_id, 0

    def printable_by(self, attempt: Attempt, *, again: bool) -> str:
        """Whose right it is to print this payment's receipt; "" for nobody's but a manager's.

        The owner's while the day of the payment is open, and of a copy a quarter of an hour.
        """
        since = self.read(lambda: self._journal.opened().began_at, None)
        ended_at = attempt.ended_at or 0
        is_past = since is None or ended_at < since
        is_old = again and self._clock.now() - ended_at > OWN_COPY_MS
        return "" if is_past or is_old else attempt.owner

    def print_job(self, number: int) -> PrintJob | None:
        """A job for the printer as it is written."""
        return self.read(lambda: self._journal.print_job(number), None)

    def _newest_receipt(self) -> int:
        return self._journal.last_receipt(self._receipts_of)

    def take_up(self, attempts: Sequence[Attempt], overpaid: Sequence[Sale]) -> None:
        """Attempts found in the journal at start, and the sales that wait for a refund."""
        self._wall = self._journal.opened().newest
        origins = named_origins(self._journal.events_of(SERVICE)) if self._origin else []
        self._unnamed = next(iter(origins), self._origin)
        for attempt in attempts:
            self.keep(Live(self._named(attempt), Watch(from_before_restart=True)))
        self._overpaid = {sale.sale_id: sale for sale in overpaid}
        self._receipts_of = self._journal.installation_id
        self._last_receipt = self._newest_receipt()
        if origins[-1:] != [self._origin] and self._origin:
            about = {"origin": self._origin}
            self.write([self.record(SERVICE_NAMED, SERVICE, TERMINAL, content=about)])

    def forget(self, attempt_id: str) -> None:
        """Nothing is due for it any more; the journal has it."""
        gone = self._lives.pop(attempt_id, None)
        if gone is None:
            return
        sale_id = gone.attempt.sale_id
        self._of_sale[sale_id].discard(attempt_id)
        if not self._of_sale[sale_id]:
            del self._of_sale[sale_id]
            self._sales.pop(sale_id, None)
            self._written.pop(sale_id, None)

    def _has_live(self, sale_id: str) -> bool:
        return sale_id in self._of_sale

    def _lives_of(self, sale_id: str) -> list[Live]:
        return [self._lives[attempt_id] for attempt_id in sorted(self._of_sale.get(sale_id, ()))]

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        if sale_id in self._sales:
            return self._sales[sale_id]
        sale = self.read(lambda: self._journal.sale(sale_id), None)
        if sale is not None and self._has_live(sale_id):
            self._sales[sale_id] = sale
        return sale

    def attempts_of(self, sale_id: str) -> tuple[Attempt, ...]:
        """A sale's attempts as they now are, oldest first; what memory knows wins over what is written."""
        return self._with_lives(
            sale_id, {each.attempt_id: each for each in self._journal.attempts_of(sale_id)}
        )

    def known_attempts_of(self, sale_id: str) -> tuple[Attempt, ...]:
        """The same, for a picture: while the journal cannot be read, those in hand."""
        written = self._written.get(sale_id)
        if written is None:
            read = self.read(lambda: self._journal.attempts_of(sale_id), None)
            written = {each.attempt_id: each for each in read or ()}
            if read is not None and self._has_live(sale_id):
                self._written[sale_id] = written
        return self._with_lives(sale_id, written)

    def _with_lives(self, sale_id: str, written: Mapping[str, Attempt]) -> tuple[Attempt, ...]:
        found = dict(written)
        for live in self._lives_of(sale_id):
            found[live.attempt.attempt_id] = live.attempt
        if len(found) == 1:
            return tuple(found.values())
        return tuple(sorted(found.values(), key=lambda attempt: attempt.number))

    def superseded(self, outcome: Outcome) -> tuple[Superseded, ...]:
        """What a change of this attempt, or a start, means to the others of its sale, and they to it."""
        attempt, watch = outcome.live.attempt, outcome.live.watch
        if not (outcome.path[1:] or watch.from_before_restart):
            return ()
        if all(live.attempt.number == 1 for live in self._lives_of(attempt.sale_id)):
            return ()
        yielding = to_give_way(self.known_attempts_of(attempt.sale_id))
        return tuple(Superseded(attempt_id, by) for attempt_id, by in yielding.items())

    def to_ask_again(self) -> tuple[ConnectionReturned, ...]:
        """What kept the till from settling its open attempts is over: each is asked about, one after the other."""
        now = self._clock.now()
        to_ask = [live for live in self._lives.values() if not live.attempt.is_final]
        # Whoever stands before the till waits for nobody who has left it.
        to_ask.sort(key=lambda live: behind(live.attempt, live.watch))
        return tuple(
            ConnectionReturned(live.attempt.attempt_id, now + place * RETURN_SPACING_MS)
            for place, live in enumerate(to_ask)
        )

    def sending(self, sale_id: str) -> bool:
        """Whether an initiate of the sale is under way; there is never a second one beside it (rule 5)."""
        return any(live.watch.initiating for live in self._lives_of(sale_id))

    def record(self, kind: str, subject: str, actor: str, **facts: Any) -> Record:
        """A record stamped with both clocks."""
        wall = wall_of(self._clock.wall())
        if is_set_back(self._wall, wall):
            self.set_back = self.set_back or (self._wall, wall)
        self._wall = wall
        return Record(kind=kind, subject=subject, actor=actor, at=self._clock.now(), wall=wall, **facts)

    def of_event(self, event: msgspec.Struct, live: Live, path: tuple[Any, ...]) -> list[Record]:
        """The records of one event of an attempt: what happened, and the sale when it is now paid twice."""
        attempt = live.attempt
        content = msgspec.to_builtins(event)
        kind = kind_of(event)
        actor = content.get("who") or content.get("name") or attempt.owner
        records = [self.record(kind, attempt.attempt_id, actor, content=content, path=path, attempt=attempt)]
        if MONEY.intersection(path[1:]):
            records += self._overpaid_now(attempt)
        return records

    def _overpaid_now(self, paid: Attempt) -> list[Record]:
        """Money came: if it is not the sale's first, someone has to give it back, however often before."""
        others = [each for each in self.known_attempts_of(paid.sale_id) if each.attempt_id != paid.attempt_id]
        sale = self.sale(paid.sale_id)
        if sale is None or not is_overpaid((*others, paid)):
            return []
        sale = msgspec.structs.replace(sale, overpaid=True, refund=None)
        return [self.record("SALE_OVERPAID", sale.sale_id, paid.owner, sale=sale)]

    def commit(self, records: Sequence[Record]) -> bool:
        """Writes now or not at all: for what must be durable before it may be done."""
        if self._unwritten and not self.retry():
            return False
        if self._append(records):
            return True
        self.refused()
        return False

    def try_commit(self, records: Sequence[Record]) -> bool:
        """Writes now or not at all, and nothing is halted by it: for what no sale depends on."""
        detail = self.halt_detail
        if self._unwritten:
            return False
        is_written = self._append(records)
        self.halt_detail = detail
        return is_written

    def refused(self) -> None:
        """The journal takes nothing: from now on it is tried each second, and nothing is sold meanwhile."""
        self._unwritten.append(self.record(REFUSED, TERMINAL, TERMINAL))
        self.retry_at = self._clock.now() + RETRY_MS

    def write(self, records: Sequence[Record]) -> bool:
        """Writes what has already happened; if the disk refuses, keeps it and tries again."""
        if not self._unwritten and self._append(records):
            return True
        self._unwritten.extend(records)
        self._note(records)
        self.retry_at = self.retry_at or self._clock.now() + RETRY_MS
        return False

    def retry(self) -> bool:
        """Tries what is unwritten again, in order."""
        self.retry_at = self._clock.now() + RETRY_MS
        if not self._append(tuple(self._unwritten)):
            return False
        self._unwritten.clear()
        self.retry_at = None
        self.halt_detail = ""
        return True

    def _append(self, records: Sequence[Record]) -> bool:
        try:
            self._journal.append(records)
        except self.trouble as trouble:
            self.halt_detail = str(trouble)
            return False
        self._note(records)
        return True

    def _note(self, records: Sequence[Record]) -> None:
        """What was read before stays as true as the journal."""
        for record in records:
            attempt, sale = record.attempt, record.sale
            if attempt is not None and attempt.receipt_of == self._receipts_of:
                self._last_receipt = max(self._last_receipt, attempt.receipt)
            if attempt is not None and attempt.sale_id in self._written:
                self._written[attempt.sale_id][attempt.attempt_id] = attempt
            if sale is None:
                continue
            self._sales[sale.sale_id] = sale
            if sale.overpaid and sale.refund is None:
                self._overpaid[sale.sale_id] = sale
            else:
                self._overpaid.pop(sale.sale_id, None)
