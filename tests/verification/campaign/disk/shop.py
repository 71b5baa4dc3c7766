"""A till of the simulation on a real journal, in a process on the layer: plays seeds, marks what it may rely on.

python -m tests.verification.campaign.disk.shop FOLDER SEED [PLANT…]; "often" folds the log in every few
payments, the others are wrong on purpose: "normal" does not sync each commit, "ahead" writes the anchor before the
commit it speaks of.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pos_app.domain.attempt import Environment
from pos_app.domain.record import Record
from pos_app.journal import JournalTrouble
from pos_app.journal.anchor import Anchor, anchor_path
from pos_app.journal.chain import MAC_LENGTH, Keys
from tests.verification.campaign.disk import layer
from tests.verification.simulation.folders import left_alone
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.history import Sent
from tests.verification.simulation.run import CLOSING, SETTLE, Stage
from tests.verification.simulation.sqlite_journal import KEY, SqliteJournal

CHECKPOINT_PAGES = 40
"""So that the log is folded into the file every few payments, not every hundred."""


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One mark. `head` and `mac`: what the journal said after a commit had returned. `begun`: the number of the
    last record handed to it. `sent` and `subject`: an operation whose bytes left."""

    journal: str
    head: int = 0
    mac: str = ""
    begun: int = 0
    sent: str = ""
    subject: str = ""


class MarkedJournal(SqliteJournal):
    """Says before each commit what it is about to write, and after it what now lasts."""

    plants: Sequence[str] = ()

    def _open(self) -> None:
        # A disk that refuses for a moment is tried again, as a cashier would.
        with contextlib.suppress(JournalTrouble):
            super()._open()
            return self._opened()
        super()._open()
        return self._opened()

    def power_cut(self) -> None:
        """The simulation writes the files anew as a cut left them; here nobody but the till may write."""
        self.journal.close()
        self._open()

    def _opened(self) -> None:
        connection = self.journal._connection
        if "often" in self.plants:
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        if "normal" in self.plants:
            connection.execute("PRAGMA synchronous = NORMAL")
        if "ahead" in self.plants:
            self._ahead = Anchor(
                anchor_path(self.journal.path), Keys(KEY, Environment.SANDBOX), self.installation_id
            )
        self._say()

    def _say(self) -> None:
        with contextlib.suppress(JournalTrouble):
            head, mac = self.journal.head()
            layer.mark(Fact(self.installation_id, head=head, mac=mac.hex()))

    def append(self, records: Sequence[Record]) -> int:
        """As ever, between two marks."""
        with contextlib.suppress(JournalTrouble):
            layer.mark(Fact(self.installation_id, begun=self.journal.head()[0] + len(records)))
        if "ahead" in self.plants:
            self._ahead.write(self.journal.head()[0] + len(records), bytes(MAC_LENGTH))
        head = super().append(records)
        self._say()
        if "ahead" in self.plants:
            self._ahead.write(*self.journal.head())
        return head


class Leaving(list[Any]):
    """What leaves a till, marked as it leaves."""

    def __init__(self, fact_of: Callable[[Any], Fact]) -> None:
        super().__init__()
        self._fact_of = fact_of

    def append(self, left: Any) -> None:
        """One more."""
        super().append(left)
        layer.mark(self._fact_of(left))


def _sent(left: Sent) -> Fact:
    return Fact(left.till, sent=left.operation, subject=left.attempt_id)


def _message(left: tuple[int, str, str]) -> Fact:
    return Fact(left[1], sent="otp")


def play_marked(seed: int, folder: Path, plants: Sequence[str]) -> None:
    """The seed's story up to its closing. Nobody else puts files there: what was promised of those would not hold."""
    story = left_alone(story_of(seed))
    MarkedJournal.plants = plants
    stage = Stage(story, lambda who, now: MarkedJournal(who, now, folder, Environment.SANDBOX))
    stage.log.sent = Leaving(_sent)
    stage.log.messages = Leaving(_message)
    stage.prepare()
    stage.until(stage.calm_at() + SETTLE)
    stage.close()
    stage.until(stage.world.now + CLOSING)
    for till in stage.tills:
        assert isinstance(till.journal, MarkedJournal)
        till.journal.journal.close()
    stage.world.leave()


if __name__ == "__main__":
    play_marked(int(sys.argv[2]), Path(sys.argv[1]), sys.argv[3:])
