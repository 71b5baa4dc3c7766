"""A journal in memory for tests of the engine: keeps what is appended, and fails when it is told to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import sha256

from pos_app.domain.attempt import Attempt
from pos_app.domain.installation import TAKEN
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor
from pos_app.journal.acts import ACTS
from tests.support.books import Books
from tests.support.drawn import Dice


def is_sought(record: Record, actor: str, subject: str, day: str) -> bool:
    """As the journal's query for acts has it."""
    by_or_about = not (actor or subject) or actor == record.actor or subject == record.subject
    return by_or_about and (not day or record.wall.startswith(day))


class DiskTroubleError(Exception):
    """The environment refused."""


class MemoryJournal(Books):
    """`full`: nothing can be written. `unreadable`: nothing can be read. `faulty`: a bug of ours when written."""

    def __init__(self, installation_id: str = "23456789") -> None:
        self.installation_id = installation_id
        self.machine = "a machine"
        self._dice = Dice(installation_id)
        self.records: list[Record] = []
        super().__init__(lambda: [*enumerate(self._read_all(), 1)], lambda: self.installation_id)
        self.full = False
        self.unreadable = False
        self.faulty = False

    def random_part(self, length: int) -> str:
        """Another one each time."""
        return self._dice(length)

    def append(self, records: Sequence[Record]) -> int:
        """All or nothing."""
        if self.full:
            raise DiskTroubleError("disk full")
        if self.faulty:
            raise RuntimeError("a bug in the journal")
        self.records += records
        for each in records:
            if each.kind == TAKEN:
                self.installation_id = str(each.content["installation_id"])
        return len(self.records)

    def _read_all(self) -> list[Record]:
        if self.unreadable:
            raise DiskTroubleError("cannot be read")
        return self.records

    def _attempts(self) -> list[Attempt]:
        newest: dict[str, Attempt] = {}
        for record in self._read_all():
            if record.attempt is not None:
                newest[record.attempt.attempt_id] = record.attempt
        return sorted(newest.values(), key=lambda attempt: (attempt.tapped_at, attempt.attempt_id))

    def _sales(self) -> dict[str, Sale]:
        return {record.sale.sale_id: record.sale for record in self._read_all() if record.sale is not None}

    def unsealed(self, subject: str) -> bytes | None:
        """The newest sealed bytes."""
        sealed = [
            record.sealed
            for record in self._read_all()
            if record.subject == subject and record.sealed is not None
        ]
        return sealed[-1] if sealed else None

    def digest(self, text: str) -> str:
        """Equal for equal texts."""
        return sha256(text.encode()).hexdigest()

    def next_sale_number(self) -> int:
        """One more than the highest."""
        return max((int(sale_id) for sale_id in self._sales()), default=0) + 1

    def open_attempts(self) -> Sequence[Attempt]:
        """Not final."""
        return [attempt for attempt in self._attempts() if not attempt.is_final]

    def attempts_to_watch(self, since_ms: int) -> Sequence[Attempt]:
        """Ended a moment ago."""
        return [attempt for attempt in self._attempts() if (attempt.ended_at or 0) > since_ms]

    def attempts_of(self, sale_id: str) -> Sequence[Attempt]:
        """Of one sale, oldest first."""
        return [attempt for attempt in self._attempts() if attempt.sale_id == sale_id]

    def attempt(self, attempt_id: str) -> Attempt | None:
        """One attempt."""
        return next((each for each in self._attempts() if each.attempt_id == attempt_id), None)

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        return self._sales().get(sale_id)

    def needs_answer(self) -> Sequence[Attempt]:
        """For a person."""
        return [attempt for attempt in self._attempts() if attempt.needs_answer]

    def overpaid_sales(self) -> Sequence[Sale]:
        """Paid twice, not given back."""
        return [sale for sale in self._sales().values() if sale.overpaid and sale.refund is None]

    def recent(self, limit: int) -> Sequence[Attempt]:
        """Newest first."""
        return self._attempts()[::-1][:limit]

    def newest_before(self, before: Cursor | None, limit: int) -> Sequence[Attempt]:
        """Newest first, behind the cursor."""
        older = self._attempts()[::-1]
        if before is not None:
            at = (before.tapped_at, before.attempt_id)
            older = [each for each in older if (each.tapped_at, each.attempt_id) < at]
        return older[:limit]

    def people(self) -> Sequence[Person]:
        """In the order they came."""
        people = {
            record.person.person_id: record.person for record in self._read_all() if record.person is not None
        }
        return list(people.values())

    def otp_sends(self, newest: int) -> Sequence[Record]:
        """Oldest first."""
        return [record for record in self._read_all() if record.kind == "OTP_SEND"][-newest:]

    def newest_acts(
        self, newest: int, *, actor: str = "", subject: str = "", day: str = ""
    ) -> Sequence[Record]:
        """The newest first."""
        acts = (record for record in reversed(self._read_all()) if record.kind in ACTS)
        return [each for each in acts if is_sought(each, actor, subject, day)][:newest]

    def events_of(self, subject: str) -> Sequence[Record]:
        """Oldest first."""
        return [record for record in self._read_all() if record.subject == subject]

    def newest_of(self, subject: str, newest: int) -> Sequence[Record]:
        """Oldest first."""
        return self.events_of(subject)[-newest:]

    def stands_since(self, subject: str, kinds: Collection[str]) -> bool:  # noqa: ARG002 - nobody reaches this one
        """Nobody changes what is in memory."""
        return True
