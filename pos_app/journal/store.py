"""The journal: append-only events, chained, with the tables they make true. One thread at a time."""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from pos_app.domain.ids import ALPHABET
from pos_app.domain.installation import TAKEN
from pos_app.domain.rebuilt_journal import JOURNAL, REBUILT
from pos_app.domain.record import Record
from pos_app.journal import projections, rows, verify
from pos_app.journal.anchor import Anchor
from pos_app.journal.chain import Keys
from pos_app.journal.device import Device
from pos_app.journal.errors import EnvironmentFailures, JournalTrouble, Reading, Trouble
from pos_app.journal.files import FileIdentity
from pos_app.journal.findings import Finding
from pos_app.journal.inspection import Inspection
from pos_app.journal.lock import FileLock
from pos_app.journal.queries import Queries
from pos_app.journal.recounting import Recounting
from pos_app.journal.seal import unseal
from pos_app.journal.texts import plain

MOST_WALKED = 100_000


def random_part(length: int) -> str:
    """So many characters of the ids' alphabet, from the operating system."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


_EVENT = "INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?)"


class Held(NamedTuple):
    """What one till at a time has of a journal: the file, its lock, its anchor."""

    path: Path
    lock: FileLock
    anchor: Anchor


class Owner(NamedTuple):
    """Whose journal it is: the installation's id, and the machine as its key names it ("" for none)."""

    installation_id: str
    machine: str = ""


class Journal(Queries):
    """Owns the writing connection and what is held; made by `journal.open_journal`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        keys: Keys,
        held: Held,
        owner: Owner,
        *,
        draw: Callable[[int], str] = random_part,
        mended: tuple[Finding, ...] = (),
    ) -> None:
        super().__init__(connection)
        self.path, self._lock, self._anchor = held
        self.installation_id, self.machine = owner
        self.environment = keys.environment
        self._keys = keys
        self._draw = draw
        self._files = FileIdentity(self.path)
        self._head = verify.head(connection, keys)
        self._head_known = True
        self._sales_from: int | None = None
        self.mended = mended
        """What was not as it was written when it was opened, and could be made anew."""

    def append(self, records: Sequence[Record]) -> int:
        """Writes the records in one transaction and returns the last sequence number after the commit.

        Raises JournalTrouble when the environment refused; then nothing of them is written.
        """
        with EnvironmentFailures():
            if not self._files.unmoved():
                raise JournalTrouble(Trouble.MOVED, f"{self.path} is no longer the file that was opened")
            if not self._lock.kept():
                raise JournalTrouble(Trouble.LOCK_LOST, "another till may have been let in; restart this one")
            if not self._head_known:
                self._find_head()
            self._head_known = False
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                head = self._insert(records)
                self._connection.execute("COMMIT")
            except BaseException:
                # SQLite may have ended the transaction by itself; what then is true is read anew.
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise
        self._head, self._head_known = head, True
        taken = next((each for each in reversed(records) if each.kind == TAKEN), None)
        if taken is not None:
            self.installation_id = str(taken.content["installation_id"])
            self._anchor.identify(self.installation_id)
        self._remember()
        return head.seq

    def random_part(self, length: int) -> str:
        """So many characters of the ids' alphabet, from the operating system."""
        return self._draw(length)

    def _insert(self, records: Sequence[Record]) -> verify.Head:
        head = self._head
        for record in records:
            if record.kind == TAKEN:
                self._write_identity(str(record.content["installation_id"]))
            row, parts = rows.row_of(record, head.seq + 1, head.mac, self._keys)
            self._connection.execute(_EVENT, row)
            projections.apply(self._connection, row, record.attempt, record.sale, record.person, parts)
            head = verify.Head(row[0], row[9])
        return head

    def _write_identity(self, installation_id: str) -> None:
        """In the transaction of the event that says so: whoever opens the file next is this installation."""
        tag = self._keys.meta_tag(self.environment.value, installation_id)
        self._connection.execute("UPDATE meta SET installation_id = ?, tag = ?", (installation_id, tag))

    def _find_head(self) -> None:
        """After a failure: whether the failed commit stands is the file's to say."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._head = verify.head(self._connection, self._keys)
        self._head_known = True

    def _remember(self) -> None:
        # The commit stands whether or not the anchor can be written: an older anchor is still true.
        with contextlib.suppress(OSError):
            self._anchor.write(self._head.seq, self._head.mac)

    def next_sale_number(self) -> int:
        """One more than the highest, and behind every number that a damaged journal may have given out."""
        if self._sales_from is None:
            told = [
                each.content.get("next_sale", 1) for each in self.events_of(JOURNAL) if each.kind == REBUILT
            ]
            self._sales_from = max(map(int, told), default=1)
        return max(self._sales_from, super().next_sale_number())

    @property
    def was_rebuilt(self) -> bool:
        """Whether it was begun beside a damaged one."""
        return any(each.kind == REBUILT for each in self.events_of(JOURNAL))

    def unsealed(self, subject: str) -> bytes | None:
        """The newest sealed bytes of a subject, in clear."""
        with Reading():
            sealed = self.sealed_of(subject)
            return None if sealed is None else unseal(self._keys.seal, plain(subject), sealed)

    def digest(self, text: str) -> str:
        """A keyed hash (32 hex characters): equal numbers have equal digests, and nobody can go back."""
        return self._keys.digest(text)

    def z_digest(self, text: str) -> str:
        """A keyed hash (32 hex characters) of a Z's text."""
        return self._keys.z_digest(text)

    def receipt_code(self, text: str) -> str:
        """The check code of a receipt, over what it swears to."""
        return self._keys.receipt_code(text)

    def device(self) -> Device:
        """This counter's own signature; loads what makes it."""
        return Device(self._keys.device)

    def recounting(self) -> Recounting:
        """A count of the open period's payments, over a connection of its own and on whatever thread."""
        return Recounting(self.path)

    def head(self) -> tuple[int, bytes]:
        """The last sequence number and its MAC."""
        if not self._head_known:
            with EnvironmentFailures():
                self._find_head()
        return self._head.seq, self._head.mac

    def keeps_its_lock(self) -> bool:
        """Whether a second till would still be refused; any thread. Raises OSError where it cannot be seen."""
        return self._lock.kept()

    def verify(self, from_seq: int = 1, at_most: int = -1) -> verify.Report:
        """Walks the chain; a million rows take some seconds.

        In slices of `at_most` rows between other work: the next goes on at `report.head.seq + 1`, until a
        slice checks none.
        """
        with Reading():
            return verify.verify(self._connection, self._keys, from_seq, at_most)

    def stands_since(self, subject: str, kinds: Collection[str]) -> bool:
        """Whether every event since the subject's newest of these kinds is as it was written, and none is missing.

        Without kinds: every event there is.
        False as well where that would be more than 100,000 events to look at, some two seconds.
        """
        with Reading():
            own = plain(subject)
            looked_up = {seq for (seq,) in self._all("SELECT seq FROM other_event WHERE subject = ?", (own,))}
            marks = ",".join("?" * len(kinds))
            sql = f"SELECT max(seq) FROM event WHERE seq IN ({','.join(map(str, looked_up))}) AND kind IN ({marks})"
            since = self._all(sql, tuple(kinds))[0][0] or 1
            head = self.head()[0]
            if head - since >= MOST_WALKED:
                return False
            found = set()
            with verify.typed(self._connection):
                walk = verify.begun(self._connection, self._keys, since)
                for row, _ in verify.read_on(self._connection, walk):
                    if row[4] == own.encode():
                        found.add(row[0])
            return (
                not walk.broken and walk.seq == head and found == {seq for seq in looked_up if seq >= since}
            )

    def inspection(self) -> Inspection:
        """A look at everything, over a connection of its own and on whatever thread."""
        return Inspection(self.path, self._keys)

    def rebuild_projections(self) -> None:
        """Replays every event into empty tables."""
        with EnvironmentFailures():
            projections.rebuild(self._connection)

    def close(self) -> None:
        """Writes the anchor, folds the log into the file and lets the next process in; once is enough."""
        if not self._lock.held:
            return
        try:
            with contextlib.suppress(OSError, JournalTrouble):
                self._anchor.sync(*self.head())
            self._anchor.close()
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        finally:
            self._lock.release()
