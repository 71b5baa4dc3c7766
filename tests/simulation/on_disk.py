"""A story once more on the real journal: SQLite's files, torn where the till dies. All must go the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pos_app.domain.attempt import Environment
from tests.simulation.checker import judge
from tests.simulation.run import play
from tests.simulation.sqlite_book import SqliteBook
from tests.simulation.story import Story

ALL = 1_000


def on_disk(story: Story, trace: str, folder: Path) -> tuple[list[str], int]:
    """What differs from the run in memory with that trace, and how many commits were torn."""
    environment = Environment.LIVE if story.live else Environment.SANDBOX
    books: list[SqliteBook] = []

    def make(installation_id: str, now: Callable[[], int]) -> SqliteBook:
        books.append(SqliteBook(installation_id, now, folder, environment))
        return books[-1]

    try:
        real = play(story, make)
        found = [f"on SQLite: {violation}" for violation in judge(real.history)]
        if real.trace != trace:
            found.append("on SQLite it went another way")
        for book in _all(books):
            found += _unsound(book)
        return found, sum(book.torn for book in _all(books))
    finally:
        for book in _all(books):
            book.journal.close()


def _all(books: Iterable[SqliteBook]) -> Iterator[SqliteBook]:
    """With those of the tills that were cloned."""
    for book in books:
        yield book
        yield from _all(book.clones)


def _unsound(book: SqliteBook) -> list[str]:
    """The chain whole and of the right length; the tables what a replay makes of it."""
    found, report = [], book.journal.verify()
    if report.broken_at != min(book.gone, default=0):
        found.append(f"the journal's chain is broken: {report}, and {sorted(book.gone)} were taken out")
    if report.checked != len(book.there()):
        found.append(f"{report.checked} records in the file, {len(book.there())} should be")
    before = book.journal.recent(ALL)
    book.journal.rebuild_projections()
    if book.journal.recent(ALL) != before:
        found.append("a replay makes other tables")
    return found
