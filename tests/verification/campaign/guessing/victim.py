"""The till that is attacked: the real engine on a real journal, killed at any commit. It judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from pos_app.domain.attempt import Environment
from pos_app.domain.people import Person, Role
from pos_app.domain.phone import mask_number
from pos_app.domain.record import Record
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.mailbox import Message
from pos_app.journal import Journal, open_journal
from tests.unit.engine.rig import Rig
from tests.unit.engine.staff_steps import SIGNED
from tests.verification.campaign.guessing.clockwork import Clockwork

KEY = b"g" * 32
PEOPLE = {"person-1": "+94771234567", "person-2": "+94771234568"}


class KilledError(BaseException):
    """The process is gone in the middle of its work."""


class MortalJournal:
    """A journal whose process may die at a commit, before or after it."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.dies_in = 0
        self.after = False

    def append(self, records: Sequence[Record]) -> int:
        """The n-th commit from now is the last one of this run."""
        self.dies_in -= 1
        if self.dies_in == 0 and not self.after:
            raise KilledError
        seq = self.journal.append(records)
        if self.dies_in == 0:
            raise KilledError
        return seq

    def __getattr__(self, name: str) -> Any:
        return getattr(self.journal, name)


class Victim:
    """One till over many runs; `tell` survives the kills that were laid."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "journal.db"
        self.clock = Clockwork()
        self._journal = MortalJournal(self._open())
        self._enrol()
        self.rig = Rig(cast(JournalStore, self._journal), SIGNED)
        self.rig.clock = self.clock
        self.rig.boot()
        self.rig.start()
        self.kills = 0

    def _open(self) -> Journal:
        return open_journal(self._path, KEY, Environment.SANDBOX)

    def _enrol(self) -> None:
        for person_id, number in PEOPLE.items():
            person = Person(
                person_id=person_id,
                name=f"Somebody {person_id}",
                role=Role.MANAGER,
                number_mask=mask_number(number),
                number_digest=self._journal.journal.digest(number),
            )
            record = Record(
                kind="PERSON_ENROLLED",
                subject=person_id,
                actor=person_id,
                at=self.clock.ms,
                wall="",
                person=person,
                sealed=number.encode(),
            )
            self._journal.journal.append([record])

    def events_of(self, subject: str) -> Sequence[Record]:
        """As they are written."""
        return self._journal.journal.events_of(subject)

    def lay(self, commits: int, *, after: bool) -> None:
        """The process will die at this commit."""
        self._journal.dies_in, self._journal.after = commits, after

    def tell(self, event: Message) -> bool:
        """False: it was killed on the way."""
        return self._survives(lambda: self.rig.tell(event))

    def wait(self, seconds: float) -> bool:
        """Time passes."""
        return self._survives(lambda: self.rig.wait(seconds))

    def _survives(self, work: Callable[[], None]) -> bool:
        try:
            work()
        except KilledError:
            self.kill()
            return False
        return True

    def kill(self, off_ms: int = 2_000, *, reboot: bool = False) -> None:
        """The process ends wherever it is; another begins."""
        self.kills += 1
        self._journal.journal.close()
        self._journal = MortalJournal(self._open())
        self.clock.start_again(off_ms, self._journal.journal.last_at(), reboot=reboot)
        self.rig.journal = cast(JournalStore, self._journal)
        self.rig.shown.clear()
        self.rig.boot()
        self.rig.engine.start()

    def close(self) -> None:
        """For good."""
        self._journal.journal.close()
