"""A story once more on the real journal: SQLite's files, torn where the till dies. All must go the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pos_app.domain.attempt import Environment
from tests.verification.simulation.checker import judge
from tests.verification.simulation.run import play
from tests.verification.simulation.sqlite_journal import SqliteJournal
from tests.verification.simulation.story import Story

ALL = 1_000


def on_disk(story: Story, trace: str, folder: Path) -> tuple[list[str], int]:
    """What differs from the run in memory with that trace, and how many commits were torn."""
    environment = Environment.LIVE if story.live else Environment.SANDBOX
    journals: list[SqliteJournal] = []

    def make(installation_id: str, now: Callable[[], int]) -> SqliteJournal:
        journals.append(SqliteJournal(installation_id, now, folder, environment))
        return journals[-1]

    try:
        real = play(story, make)
        found = [f"on SQLite: {violation}" for violation in judge(real.history)]
        if real.trace != trace:
            found.append("on SQLite it went another way")
        for journal in _all(journals):
            found += _unsound(journal)
        return found, sum(journal.torn for journal in _all(journals))
    finally:
        for journal in _all(journals):
            journal.journal.close()


def _all(journals: Iterable[SqliteJournal]) -> Iterator[SqliteJournal]:
    """With those of the tills that were cloned."""
    for journal in journals:
        yield journal
        yield from _all(journal.clones)


def _unsound(journal: SqliteJournal) -> list[str]:
    """The chain whole and of the right length; the tables what a replay makes of it."""
    found, report = [], journal.journal.verify()
    if report.broken_at != min(journal.gone, default=0):
        found.append(f"the journal's chain is broken: {report}, and {sorted(journal.gone)} were taken out")
    if report.checked != len(journal.there()):
        found.append(f"{report.checked} records in the file, {len(journal.there())} should be")
    before = journal.journal.recent(ALL)
    journal.journal.rebuild_projections()
    if journal.journal.recent(ALL) != before:
        found.append("a replay makes other tables")
    return found
