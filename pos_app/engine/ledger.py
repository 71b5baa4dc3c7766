"""The attempts the engine has in hand, and the writing of what happens to them: commit first, act second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pos_app.domain.attempt import Attempt
from pos_app.domain.flow import Live, Watch
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale, is_overpaid
from pos_app.engine.book import Book
from pos_app.engine.clock import Clock

RETRY_MS = 1_000
"""While the disk refuses, unwritten records are tried again each second (failure-model.md, H)."""


class Ledger:
    """Owns the lives in memory and the order in which records reach the journal."""

    def __init__(self, book: Book, clock: Clock, trouble: tuple[type[Exception], ...]) -> None:
        self._book = book
        self._clock = clock
        self._trouble = trouble
        self._lives: dict[str, Live] = {}
        self._sales: dict[str, Sale] = {}
        self._unwritten: list[Record] = []
        self.retry_at: int | None = None
        self.halt_detail = ""

    @property
    def halted(self) -> bool:
        """Whether something that happened could not be written yet."""
        return bool(self._unwritten)

    @property
    def lives(self) -> Sequence[Live]:
        """Everything in hand."""
        return tuple(self._lives.values())

    def live(self, attempt_id: str) -> Live | None:
        """The attempt with its watch; one that is no longer in hand is read from the journal."""
        if attempt_id not in self._lives:
            attempt = self._book.attempt(attempt_id)
            if attempt is None:
                return None
            self._lives[attempt_id] = Live(attempt)
        return self._lives[attempt_id]

    def keep(self, live: Live) -> None:
        """Takes the newer knowledge."""
        self._lives[live.attempt.attempt_id] = live

    def take_up(self, attempts: Sequence[Attempt]) -> None:
        """Attempts found in the journal at start."""
        for attempt in attempts:
            self._lives[attempt.attempt_id] = Live(attempt, Watch(from_before_restart=True))

    def forget(self, attempt_id: str) -> None:
        """Nothing is due for it any more; the journal has it."""
        self._lives.pop(attempt_id, None)

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        return self._sales.get(sale_id) or self._book.sale(sale_id)

    def attempts_of(self, sale_id: str) -> tuple[Attempt, ...]:
        """A sale's attempts as they now are, oldest first; what memory knows wins over what is written."""
        found = {attempt.attempt_id: attempt for attempt in self._book.attempts_of(sale_id)}
        for live in self._lives.values():
            if live.attempt.sale_id == sale_id:
                found[live.attempt.attempt_id] = live.attempt
        return tuple(sorted(found.values(), key=lambda attempt: attempt.number))

    def record(self, kind: str, subject: str, actor: str, **facts: Any) -> Record:
        """A record stamped with both clocks."""
        wall = self._clock.wall().isoformat(timespec="milliseconds")
        return Record(kind=kind, subject=subject, actor=actor, at=self._clock.now(), wall=wall, **facts)

    def of_event(self, event: msgspec.Struct, live: Live, path: tuple[Any, ...]) -> list[Record]:
        """The records of one event of an attempt: what happened, and the sale when it is now paid twice."""
        attempt = live.attempt
        content = msgspec.to_builtins(event)
        kind = _kind_of(event)
        actor = content.get("who") or content.get("name") or attempt.owner
        records = [self.record(kind, attempt.attempt_id, actor, content=content, path=path, attempt=attempt)]
        sale = self.sale(attempt.sale_id)
        if sale is not None and path and not sale.overpaid and self._is_overpaid(attempt):
            sale = msgspec.structs.replace(sale, overpaid=True)
            self._sales[sale.sale_id] = sale
            records.append(self.record("SALE_OVERPAID", sale.sale_id, attempt.owner, sale=sale))
        return records

    def _is_overpaid(self, changed: Attempt) -> bool:
        attempts = self.attempts_of(changed.sale_id)
        return is_overpaid(
            tuple(changed if each.attempt_id == changed.attempt_id else each for each in attempts)
        )

    def commit(self, records: Sequence[Record]) -> bool:
        """Writes now or not at all: for what must be durable before it may be done."""
        if self._unwritten and not self.retry():
            return False
        try:
            self._book.append(records)
        except self._trouble as trouble:
            self.halt_detail = str(trouble)
            return False
        self._note_sales(records)
        return True

    def write(self, records: Sequence[Record]) -> bool:
        """Writes what has already happened; if the disk refuses, keeps it and tries again."""
        if not self._unwritten and self.commit(records):
            return True
        self._unwritten.extend(records)
        self._note_sales(records)
        self.retry_at = self.retry_at or self._clock.now() + RETRY_MS
        return False

    def retry(self) -> bool:
        """Tries what is unwritten again, in order."""
        try:
            self._book.append(self._unwritten)
        except self._trouble as trouble:
            self.halt_detail = str(trouble)
            self.retry_at = self._clock.now() + RETRY_MS
            return False
        self._unwritten.clear()
        self.retry_at = None
        self.halt_detail = ""
        return True

    def _note_sales(self, records: Sequence[Record]) -> None:
        for record in records:
            if record.sale is not None:
                self._sales[record.sale.sale_id] = record.sale

    def enrolled(self) -> tuple[Person, ...]:
        """The list of cashiers."""
        return tuple(self._book.people())


def _kind_of(event: msgspec.Struct) -> str:
    """ "StatusAnswered" is journalled as STATUS_ANSWERED."""
    name = type(event).__name__
    return "".join(
        f"_{letter}" if letter.isupper() and i else letter for i, letter in enumerate(name)
    ).upper()
