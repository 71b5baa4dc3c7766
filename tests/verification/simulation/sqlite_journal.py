"""The simulation's disk over the real journal: what is read comes from SQLite, what dies is opened anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from pos_app.domain.attempt import Attempt, Environment
from pos_app.domain.day import Opened, Period, Z
from pos_app.domain.people import Person
from pos_app.domain.record import Record
from pos_app.domain.sale import Sale
from pos_app.domain.search import Cursor
from pos_app.domain.takings import Takings
from pos_app.journal import JournalDamaged, open_journal
from pos_app.journal.anchor import anchor_path
from tests.support.drawn import Dice
from tests.unit.journal.tampering import tamper
from tests.verification.simulation.journal import Copy, DiskError, SimJournal

KEY = bytes(range(32))


class SqliteJournal(SimJournal):
    """Commits to the file first; the records kept beside it are for the judge.

    A death leaves what a power cut leaves: the log as it was synced, of a commit that was under way nothing,
    a part, or all of it but unreadable, and the anchor, which is never synced, perhaps as it was at the start.
    """

    def __init__(
        self, installation_id: str, now: Callable[[], int], folder: Path, environment: Environment
    ) -> None:
        super().__init__(installation_id, now)
        self._path = folder / f"{installation_id}.db"
        self._log = self._path.with_name(self._path.name + "-wal")
        self._anchor = anchor_path(self._path)
        self._folder = folder
        self._environment = environment
        self.clones: list[SqliteJournal] = []
        self._under_way: Sequence[Record] = ()
        self.torn = 0
        """Commits that a death left in pieces."""
        self._open()

    def _open(self) -> None:
        self.journal = open_journal(self._path, KEY, self._environment, installation_id=self.installation_id)
        self._first_anchor = self._anchor.read_bytes()

    def copy(self) -> Copy:
        """The files as they lie there, while the till has them open."""
        files = {
            path.name: path.read_bytes() for path in (self._path, self._log, self._anchor) if path.exists()
        }
        return Copy(self, {name.removeprefix(self._path.name): content for name, content in files.items()})

    def put_back(self, copy: Copy, line: str) -> None:
        """Those files again; nothing else is left."""
        super().put_back(copy, line)
        self.journal.close()
        self._remove()
        for end, content in copy.files.items():
            self._path.with_name(self._path.name + end).write_bytes(content)
        self._open()

    def take_out(self, numbers: Collection[int]) -> bool:
        """Past the triggers that guard them; whether a start finds it damaged is the journal's own word."""
        super().take_out(numbers)
        self.journal.close()
        take_out(self._path, numbers)
        try:
            self._open()
        except JournalDamaged:
            self._open()
            return True
        return False

    def _fresh(self) -> None:
        """The damaged ones have been moved aside."""
        self.journal.close()
        self._remove()
        self._open()

    def _remove(self) -> None:
        for path in (self._path, self._log, self._path.with_name(self._path.name + "-shm"), self._anchor):
            path.unlink(missing_ok=True)

    def clone_for(self, line: str) -> SqliteJournal:
        """In a folder beside it."""
        folder = self._folder / line.replace("/", "-")
        folder.mkdir()
        other = SqliteJournal(self.installation_id, self._now, folder, self._environment)
        other.dice = Dice(line)
        self.clones.append(other)
        return other

    def power_cut(self) -> None:
        """The files are put back as the cut left them; the next process opens those."""
        files = {path: path.read_bytes() for path in (self._path, self._log, self._anchor)}
        if self._under_way:
            self.journal.append(self._under_way)
            files[self._log] = _torn(self._log.read_bytes(), files[self._log], self.seq)
            self._under_way = ()
            self.torn += 1
        if self.seq % 2:
            files[self._anchor] = self._first_anchor
        self.journal.close()
        for path, content in files.items():
            path.write_bytes(content)
        self._open()

    def append(self, records: Sequence[Record]) -> int:
        """To the file, then to the judge's list."""
        if self.full:
            raise DiskError("disk full")
        self._under_way = records
        self.before()
        self._under_way = ()
        after, before = self.after, self.before
        self.journal.append(records)
        self.before = self.after = _nothing
        try:
            super().append(records)
        finally:
            self.before, self.after = before, after
        self.after()
        return len(self.written)

    def unsealed(self, subject: str) -> bytes | None:
        """From the file."""
        self._readable()
        return self.journal.unsealed(subject)

    def next_sale_number(self) -> int:
        """From the file."""
        self._readable()
        return self.journal.next_sale_number()

    def open_attempts(self) -> Sequence[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.open_attempts()

    def attempts_to_watch(self, since_ms: int) -> Sequence[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.attempts_to_watch(since_ms)

    def attempts_of(self, sale_id: str) -> Sequence[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.attempts_of(sale_id)

    def attempt(self, attempt_id: str) -> Attempt | None:
        """From the file."""
        self._readable()
        return self.journal.attempt(attempt_id)

    def sale(self, sale_id: str) -> Sale | None:
        """From the file."""
        self._readable()
        return self.journal.sale(sale_id)

    def needs_answer(self) -> Sequence[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.needs_answer()

    def overpaid_sales(self) -> Sequence[Sale]:
        """From the file."""
        self._readable()
        return self.journal.overpaid_sales()

    def recent(self, limit: int) -> Sequence[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.recent(limit)

    def newest_before(self, before: Cursor | None, limit: int) -> Sequence[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.newest_before(before, limit)

    def people(self) -> Sequence[Person]:
        """From the file."""
        self._readable()
        return self.journal.people()

    def otp_sends(self, newest: int) -> Sequence[Record]:
        """From the file."""
        self._readable()
        return self.journal.otp_sends(newest)

    def newest_acts(
        self, newest: int, *, actor: str = "", subject: str = "", day: str = ""
    ) -> Sequence[Record]:
        """The newest first."""
        self._readable()
        return self.journal.newest_acts(newest, actor=actor, subject=subject, day=day)

    def events_of(self, subject: str) -> Sequence[Record]:
        """From the file."""
        self._readable()
        return self.journal.events_of(subject)

    def last_receipt(self, installation_id: str) -> int:
        """From the file."""
        self._readable()
        return self.journal.last_receipt(installation_id)

    def attempt_of_receipt(self, installation_id: str, number: int) -> Attempt | None:
        """From the file."""
        self._readable()
        return self.journal.attempt_of_receipt(installation_id, number)

    def paid_wall(self, attempt_id: str) -> str:
        """From the file."""
        self._readable()
        return self.journal.paid_wall(attempt_id)

    def installations(self) -> frozenset[str]:
        """From the file."""
        self._readable()
        return self.journal.installations()

    def receipt_code(self, text: str) -> str:
        """With the journal's key."""
        return self.journal.receipt_code(text)

    def opened(self) -> Opened:
        """From the file."""
        self._readable()
        return self.journal.opened()

    def period(self) -> Period:
        """From the file."""
        self._readable()
        return self.journal.period()

    def z(self, number: int) -> Z | None:
        """From the file."""
        self._readable()
        return self.journal.z(number)

    def last_z(self) -> Z | None:
        """From the file."""
        self._readable()
        return self.journal.last_z()

    def z_of_request(self, request_id: str) -> Z | None:
        """From the file."""
        self._readable()
        return self.journal.z_of_request(request_id)

    def z_digest(self, text: str) -> str:
        """With the journal's key."""
        return self.journal.z_digest(text)

    def takings(self, period: int) -> Takings:
        """From the file."""
        self._readable()
        return self.journal.takings(period)

    def waits(self, period: int, since_ms: int, until_ms: int) -> list[tuple[str, int]]:
        """From the file."""
        self._readable()
        return self.journal.waits(period, since_ms, until_ms)

    def unpaid(self, period: int, since_ms: int, until_ms: int) -> list[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.unpaid(period, since_ms, until_ms)

    def takings_agree(self) -> bool:
        """In the file."""
        self._readable()
        return self.journal.takings_agree()

    def ended_unpaid(self, since_ms: int, limit: int) -> list[Attempt]:
        """From the file."""
        self._readable()
        return self.journal.ended_unpaid(since_ms, limit)

    def stands_since(self, subject: str, kinds: Collection[str]) -> bool:
        """From the file."""
        self._readable()
        return self.journal.stands_since(subject, kinds)

    def newest_of(self, subject: str, newest: int) -> Sequence[Record]:
        """From the file."""
        self._readable()
        return self.journal.newest_of(subject, newest)


def take_out(path: Path, numbers: Collection[int]) -> None:
    """Rows out of a journal's file, with what the tables have by them: nothing but the chain still tells of them."""
    seqs = ",".join(map(str, sorted(numbers)))
    tamper(
        path,
        f"DELETE FROM person WHERE person_id IN (SELECT subject FROM event WHERE seq IN ({seqs}))",
        *(f"DELETE FROM {table} WHERE seq IN ({seqs})" for table in ("event", "other_event", "otp_send")),
    )


def _nothing() -> None:
    pass


def _torn(log: bytes, synced: bytes, turn: int) -> bytes:
    """The log of a commit that was not synced: cut short anywhere, or at its full length with holes."""
    # An earlier tear may have left the log longer than what it says; the commit was written over that.
    written = [place for place in range(len(log)) if log[place : place + 1] != synced[place : place + 1]]
    start, fresh = written[0], written[-1] + 1 - written[0]
    kept = start + (0, fresh // 3, fresh - 1, fresh // 2)[turn % 4]
    torn = log[:kept] if turn % 3 else log[:kept] + bytes(len(log) - kept)
    # A hole where zeros stood anyway is none: the commit would be whole, and the till right to find it.
    return synced if torn == log else torn
