"""A journal in memory with the disk's ways of failing: full, unreadable, torn, un-synced writes lost."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence

from pos_app.domain.attempt import Attempt
from pos_app.domain.ids import INSTALLATION_LENGTH
from pos_app.domain.installation import TAKEN
from pos_app.domain.people import Person
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor
from pos_app.journal.acts import ACTS, MAKES_A_PERSON
from pos_app.journal.verify import TAIL
from tests.support.books import Books
from tests.support.drawn import Dice
from tests.support.memory_journal import is_sought
from tests.verification.simulation.history import Written


class DiskError(Exception):
    """The environment refused."""


class Copy:
    """A data folder as it was at a moment. `files`: what lay on a real disk."""

    def __init__(self, journal: SimJournal, files: dict[str, bytes] | None = None) -> None:
        self.line = journal.line
        self.at = journal._now()
        self.installation_id = journal.installation_id
        self.written = tuple(journal.written)
        self.files = files or {}
        self.born = dict(journal._born)
        self.gone = dict(journal.gone)


def _nothing() -> None:
    pass


class SimJournal(Books):
    """Projections are kept beside the records as the real journal keeps them, in the same transaction.

    `before` and `after` are called around each commit; they may raise to kill the till there: before,
    the transaction is torn and gone; after, it stands though nobody was told. `synced_every` above 1 is
    a disk that was not asked to sync each commit: a power cut takes what was not synced.
    """

    def __init__(self, installation_id: str, now: Callable[[], int]) -> None:
        self.installation_id = installation_id
        self.line = installation_id
        self.machine = f"machine of {installation_id}"
        self.dice = Dice(installation_id)
        self._now = now
        self._born: dict[str, tuple[str, int]] = {}
        super().__init__(self._numbered, lambda: self.installation_id)
        self.written: list[Written] = []
        """All that ever was, with what somebody has taken out since: for a judge."""
        self.gone: dict[int, int] = {}
        """The numbers of the rows that were taken out, and when (true ms)."""
        self.full = False
        self.unreadable = False
        self.synced_every = 1
        self.before: Callable[[], None] = _nothing
        self.after: Callable[[], None] = _nothing
        self._synced = 0
        self._commits = 0
        self._clear()

    def _clear(self) -> None:
        self._attempts: dict[str, Attempt] = {}
        self._sales: dict[str, Sale] = {}
        self._people: dict[str, Person] = {}
        self._sealed: dict[str, bytes] = {}
        self._sends: list[Record] = []
        self._sales_from = 0

    @property
    def last_at(self) -> int:
        """The newest till time."""
        return self.written[-1].record.at if self.written else 0

    @property
    def seq(self) -> int:
        """The newest number."""
        return len(self.written)

    def random_part(self, length: int) -> str:
        """Another one each time, and after a roll-back too: the operating system's dice are not in the folder."""
        return self.dice(length)

    def append(self, records: Sequence[Record]) -> int:
        """All or nothing."""
        if self.full:
            raise DiskError("disk full")
        self.before()
        now = self._now()
        for record in records:
            # Under another kind a start could not prove who they are.
            assert record.person is None or record.kind in MAKES_A_PERSON, record.kind
            if record.kind == TAKEN:
                self.installation_id = str(record.content["installation_id"])
            if record.kind == "INTENT":
                self._born[record.subject] = (self.line, len(self.written) + 1)
            self.written.append(Written(len(self.written) + 1, now, record))
            self._project(record)
        self._commits += 1
        if self._commits % self.synced_every == 0:
            self._synced = len(self.written)
        self.after()
        return len(self.written)

    def _project(self, record: Record) -> None:
        if record.attempt is not None:
            self._attempts[record.attempt.attempt_id] = record.attempt
        if record.sale is not None:
            self._sales[record.sale.sale_id] = record.sale
        if record.person is not None:
            self._people[record.person.person_id] = record.person
        if record.sealed is not None:
            self._sealed[record.subject] = record.sealed
        if record.kind == REBUILT and record.subject == JOURNAL:
            self._sales_from = int(record.content.get("next_sale", 1)) - 1
        if record.kind == "OTP_SEND":
            self._sends.append(record)

    def copy(self) -> Copy:
        """Of the folder as it is now; its dice are not in it."""
        return Copy(self)

    def put_back(self, copy: Copy, line: str) -> None:
        """The folder is what it was: all that came since is gone from it. No process has it open."""
        self.line = line
        self.installation_id = copy.installation_id
        self.written = list(copy.written)
        self._born = dict(copy.born)
        self.gone = dict(copy.gone)
        self._synced = len(self.written)
        self._project_all()

    def take_out(self, numbers: Collection[int]) -> bool:
        """Somebody takes rows out of the journal, and out of its tables what they made true. No process has it open.

        Whether the next start finds it damaged: it looks at the newest rows alone.
        """
        now = self._now()
        self.gone |= {number: now for number in numbers if number not in self.gone}
        self._project_all()
        return any(number >= self.seq - TAIL - 1 for number in numbers)

    def _project_all(self) -> None:
        self._clear()
        for each in self.there():
            self._project(each.record)

    def there(self) -> list[Written]:
        """What its rows still say."""
        return [each for each in self.written if each.seq not in self.gone] if self.gone else self.written

    def begin_anew(self, line: str, records: Sequence[Record]) -> None:
        """The journal is gone: a fresh one under a new installation id, with what could be taken over."""
        self.line = line
        self.installation_id = self.dice(INSTALLATION_LENGTH)
        self.written = []
        self.gone = {}
        self._synced = 0
        self._clear()
        self._fresh()
        full, self.full = self.full, False
        before, after = self.before, self.after
        self.before = self.after = _nothing
        try:
            self.append(records)
        finally:
            self.before, self.after, self.full = before, after, full
        self._synced = len(self.written)

    def _fresh(self) -> None:
        """Nothing of the old one is left."""

    def clone_for(self, line: str) -> SimJournal:
        """A folder of its own with dice of its own, still empty."""
        other = SimJournal(self.installation_id, self._now)
        other.dice = Dice(line)
        return other

    def power_cut(self) -> None:
        """What was not synced is gone."""
        if self._synced < len(self.written):
            del self.written[self._synced :]
            self._project_all()

    def _readable(self) -> None:
        if self.unreadable:
            raise DiskError("cannot be read")

    def _numbered(self) -> list[tuple[int, Record]]:
        self._readable()
        return [(each.seq, each.record) for each in self.there()]

    def knows(self, attempt_id: str) -> bool:
        """Whether it is in this journal, for whoever watches."""
        return attempt_id in self._attempts

    def born(self, attempt_id: str) -> tuple[str, int]:
        """The line and the number of the intent: the same in every copy of it, another for another customer."""
        return self._born.get(attempt_id, ("", 0))

    def attempts(self) -> list[Attempt]:
        """All of them, for a judge: even while the till cannot read."""
        return list(self._attempts.values())

    def _all(self) -> list[Attempt]:
        self._readable()
        return sorted(self._attempts.values(), key=lambda each: (each.tapped_at, each.attempt_id))

    def unsealed(self, subject: str) -> bytes | None:
        """The newest sealed bytes."""
        self._readable()
        return self._sealed.get(subject)

    def digest(self, text: str) -> str:
        """Equal for equal texts."""
        return f"{zlib.crc32(text.encode()):08x}"

    def next_sale_number(self) -> int:
        """One more than the highest, and none that a lost journal may have given out."""
        self._readable()
        return max(self._sales_from, max(map(int, self._sales), default=0)) + 1

    def open_attempts(self) -> Sequence[Attempt]:
        """Not final."""
        return [each for each in self._all() if not each.is_final]

    def attempts_to_watch(self, since_ms: int) -> Sequence[Attempt]:
        """Ended after that."""
        return [each for each in self._all() if (each.ended_at or 0) > since_ms]

    def attempts_of(self, sale_id: str) -> Sequence[Attempt]:
        """Of one sale, oldest first."""
        self._readable()
        return sorted(
            (each for each in self._attempts.values() if each.sale_id == sale_id),
            key=lambda each: each.number,
        )

    def attempt(self, attempt_id: str) -> Attempt | None:
        """One attempt."""
        self._readable()
        return self._attempts.get(attempt_id)

    def sale(self, sale_id: str) -> Sale | None:
        """One sale."""
        self._readable()
        return self._sales.get(sale_id)

    def needs_answer(self) -> Sequence[Attempt]:
        """For a person."""
        return [each for each in self._all() if each.needs_answer]

    def overpaid_sales(self) -> Sequence[Sale]:
        """Paid twice, not given back."""
        self._readable()
        return [each for each in self._sales.values() if each.overpaid and each.refund is None]

    def recent(self, limit: int) -> Sequence[Attempt]:
        """Newest first."""
        return self._all()[::-1][:limit]

    def newest_before(self, before: Cursor | None, limit: int) -> Sequence[Attempt]:
        """Newest first, behind the cursor."""
        older = self._all()[::-1]
        if before is not None:
            at = (before.tapped_at, before.attempt_id)
            older = [each for each in older if (each.tapped_at, each.attempt_id) < at]
        return older[:limit]

    def people(self) -> Sequence[Person]:
        """In the order they came."""
        self._readable()
        return list(self._people.values())

    def otp_sends(self, newest: int) -> Sequence[Record]:
        """Oldest first."""
        self._readable()
        return self._sends[-newest:]

    def newest_acts(
        self, newest: int, *, actor: str = "", subject: str = "", day: str = ""
    ) -> Sequence[Record]:
        """The newest first."""
        self._readable()
        acts = (each.record for each in reversed(self.there()) if each.record.kind in ACTS)
        return [each for each in acts if is_sought(each, actor, subject, day)][:newest]

    def events_of(self, subject: str) -> Sequence[Record]:
        """Oldest first."""
        self._readable()
        return [each.record for each in self.there() if each.record.subject == subject]

    def stands_since(self, subject: str, kinds: Collection[str]) -> bool:
        """Whether nobody has taken anything out since the subject's newest of these kinds, nor the row before that."""
        self._readable()
        ends = [
            each.seq for each in self.there() if each.record.subject == subject and each.record.kind in kinds
        ]
        return all(number < max(ends, default=1) - 1 for number in self.gone)

    def newest_of(self, subject: str, newest: int) -> Sequence[Record]:
        """So many of the newest events of a subject, oldest first."""
        return self.events_of(subject)[-newest:]
