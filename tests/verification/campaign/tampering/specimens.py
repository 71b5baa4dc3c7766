"""Journals to be harmed: made by the real engine on the real journal in stories of the simulation. Harms nothing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from pos_app.domain.attempt import Environment, State
from pos_app.domain.record import Record
from tests.support.builders import attempt, ended, intent, person
from tests.verification.simulation.generate import story_of
from tests.verification.simulation.run import play
from tests.verification.simulation.sqlite_journal import KEY, SqliteJournal

NAME = "journal.sqlite"
PARTS = ("", "-wal", ".anchor")
_SEEDS = (44, 42, 43)
"""Stories of about 5, 15 and 40 events."""
_PAYMENTS = (45, 130)
"""And days of payments, the longer one with more events than the start looks at."""
_MEMORY = Path("/dev/shm")

Files = dict[str, bytes]
"""The bytes of a journal's files by the ending of their name."""


class Specimen(msgspec.Struct, frozen=True):
    """One journal as it was left. `older`: the same when it was half as long; `key` is what it was made with."""

    name: str
    environment: Environment
    key: bytes
    files: Files
    older: Files
    events: int


class _Watched(SqliteJournal):
    """Keeps a copy of its files from each commit."""

    def __init__(
        self, installation_id: str, now: Callable[[], int], folder: Path, environment: Environment
    ) -> None:
        super().__init__(installation_id, now, folder, environment)
        self.stages: list[tuple[int, Files]] = []

    def append(self, records: Sequence[Record]) -> int:
        """And a copy."""
        appended = super().append(records)
        self.stages.append((self.journal.head()[0], files_at(self._path)))
        return appended


@contextmanager
def memory() -> Iterator[Path]:
    """A folder for what is soon thrown away."""
    folder = Path(tempfile.mkdtemp(prefix="tampering-", dir=_MEMORY if _MEMORY.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def files_at(path: Path) -> Files:
    """What lies there, byte for byte."""
    parts = {ending: path.with_name(path.name + ending) for ending in PARTS}
    return {ending: part.read_bytes() for ending, part in parts.items() if part.exists()}


def put(files: Files, folder: Path) -> Path:
    """Lays the files down as a journal."""
    for ending, data in files.items():
        (folder / f"{NAME}{ending}").write_bytes(data)
    return folder / NAME


def specimens(days: tuple[int, ...] = _PAYMENTS) -> list[Specimen]:
    """Of each journal one as a killed till leaves it (with its log) and one as a closed till does."""
    made = [specimen for seed in _SEEDS for specimen in _of_story(seed)]
    return made + [specimen for payments in days for specimen in _of_day(payments)]


def _of_day(payments: int) -> list[Specimen]:
    with memory() as folder:
        journal = _Watched("7K3M9QRD", lambda: 0, folder, Environment.SANDBOX)
        sends = [Record(kind="OTP_SEND", subject="ab", actor="p1", at=at, wall="") for at in (1, 2)]
        known = Record(
            kind="PERSON_ENROLLED", subject="p1", actor="p1", at=3, wall="", person=person(), sealed=b"+44"
        )
        try:
            journal.journal.append([*sends, known])
            for number in range(1, payments + 1):
                state = State.PAID if number % 9 else State.FAILED
                end = [ended(attempt(number), state, number * 1000 + 500)] if number % 7 else []
                journal.append([msgspec.structs.replace(intent(number), sealed=b"{}"), *end])
        finally:
            journal.journal.close()
        return list(_pair(f"a day of {payments} payments", Environment.SANDBOX, journal))


def _of_story(seed: int) -> list[Specimen]:
    story = story_of(seed)
    environment = Environment.LIVE if story.live else Environment.SANDBOX
    journals: list[_Watched] = []
    with memory() as folder:

        def make(installation_id: str, now: Callable[[], int]) -> SqliteJournal:
            journals.append(_Watched(installation_id, now, folder, environment))
            return journals[-1]

        try:
            play(story, make)
        finally:
            for journal in journals:
                journal.journal.close()
        longest = max(journals, key=lambda journal: len(journal.stages))
        return list(_pair(f"seed {seed}", environment, longest))


def _pair(name: str, environment: Environment, journal: _Watched) -> Iterator[Specimen]:
    events, killed = journal.stages[-1]
    half = next(files for seq, files in journal.stages if seq * 2 >= events)
    for how, files in (("killed", killed), ("closed", files_at(journal.journal.path))):
        yield Specimen(f"{name}, {events} events, {how}", environment, KEY, files, half, events)
