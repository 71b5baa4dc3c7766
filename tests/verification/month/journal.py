"""The product's own journal on a disk of the machine, dying with its till; nothing of it is modelled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pos_app.domain.attempt import Environment
from pos_app.domain.record import Record
from pos_app.engine.core.rebuild import records_of
from pos_app.journal import Journal, JournalDamaged, open_journal, set_aside
from pos_app.journal.salvage import salvage_all
from tests.support.drawn import Dice

KEY = bytes(range(32))
MACHINE = "the machine at the counter"


def _nothing() -> None:
    pass


class MonthJournal:
    """What SimTill and its calls want to know of a journal; all else is the journal's own word.

    `before` and `after` are called around each commit, and may end the till there. `journals`: how many there were.
    """

    def __init__(self, path: Path, now: Callable[[], int], seed: int) -> None:
        self.path = path
        self.journals = 1
        self.last_at = 0
        self.before: Callable[[], None] = _nothing
        self.after: Callable[[], None] = _nothing
        self._now = now
        self._dice = Dice(f"month {seed}")
        """A month is the same each time: what it finds can be looked at."""
        self._open()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def _open(self) -> None:
        self._journal: Journal = open_journal(
            self.path, KEY, Environment.SANDBOX, machine_id=MACHINE, draw=self._dice
        )

    @property
    def line(self) -> str:
        """Which journal it is: the first, or one that was begun anew."""
        return f"{self._journal.installation_id}/{self.journals}"

    @property
    def machine(self) -> str:
        """It never moves."""
        return self._journal.machine

    @property
    def seq(self) -> int:
        """The newest number."""
        return self._journal.head()[0]

    @property
    def written(self) -> range:
        """As many as there are."""
        return range(self.seq)

    def born(self, attempt_id: str) -> tuple[str, int]:
        """Nobody clones this folder: an id says whose it is."""
        return attempt_id, 0

    def knows(self, attempt_id: str) -> bool:
        """Whether it holds this payment."""
        return self._journal.attempt(attempt_id) is not None

    def append(self, records: Sequence[Record]) -> int:
        """One transaction; the till may die before it, or after."""
        self.before()
        head = self._journal.append(records)
        self.last_at = max([self.last_at, *(each.at for each in records)])
        self.after()
        return head

    def power_cut(self) -> None:
        """What was committed is there; the log is left as a process leaves it that is no more."""
        names = [self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", ".anchor"))]
        files = {each: each.read_bytes() for each in names if each.exists()}
        self._journal.close()
        for each, content in files.items():
            each.write_bytes(content)
        self._open()

    def lose(self, wall: Callable[[], datetime]) -> None:
        """The file is garbage. As the product has it (pos_app/bootstrap/journal.py) another is begun beside it.

        It takes over what is left, which is the anchor; the rest is what the service lists.
        """
        self._journal.close()
        self.path.with_name(self.path.name + "-wal").unlink(missing_ok=True)
        self.path.write_bytes(b"no database" * 5_000)
        try:
            self._open()
        except JournalDamaged:
            self._open()
        else:
            raise AssertionError("a journal of garbage was opened")
        damaged = set_aside(self.path)
        found = salvage_all(damaged, KEY, Environment.SANDBOX)
        self.journals += 1
        now = wall()
        self._journal.append(records_of(found, damaged[0].name, int(now.timestamp() * 1000), now))

    def close(self) -> None:
        """The month is over."""
        self._journal.close()
