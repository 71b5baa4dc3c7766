"""The books an engine is tested on: one in memory that can fail, and the real journal."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.domain.wishes import SignOut
from pos_app.engine.book import Book
from pos_app.journal import Journal, open_journal
from tests.engine.damage import KEY, Opens
from tests.engine.rig import Rig
from tests.engine.staff_steps import Staffed, three
from tests.support.drawn import Dice
from tests.support.memory_book import MemoryBook


@pytest.fixture(params=["memory", "journal"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    """Either; what the engine does must be the same."""
    if request.param == "memory":
        yield MemoryBook()
        return
    # With ids of its own each run would spread its asks otherwise (±10 %), and a count now and then differ.
    path = tmp_path / "journal.db"
    journal = open_journal(
        path, b"k" * 32, Environment.SANDBOX, installation_id="23456789", draw=Dice("23456789")
    )
    yield journal
    journal.close()


@pytest.fixture
def memory() -> MemoryBook:
    """For tests in which the disk fails."""
    return MemoryBook()


@pytest.fixture
def rig(book: Book) -> Rig:
    """A till that has started on an empty book."""
    return Rig(book).start()


@pytest.fixture
def frail(memory: MemoryBook) -> Rig:
    """The same, on a disk that can fail."""
    return Rig(memory).start()


@pytest.fixture
def staffed(rig: Rig) -> Rig:
    """One manager on the list, nobody signed in, ten minutes later."""
    rig.sign_in()
    rig.tell(SignOut())
    rig.wait(1_000)
    rig.calls.made.clear()
    return rig


@pytest.fixture
def till(book: Book) -> Staffed:
    """A manager and two cashiers, all in their sessions; the manager is at it."""
    return three(book)


@pytest.fixture
def quick() -> Staffed:
    """The same, in memory alone."""
    return three(MemoryBook())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal lies."""
    return tmp_path / "journal.sqlite"


@pytest.fixture
def opens(path: Path) -> Iterator[Opens]:
    """Opens it; closed behind the test."""
    made: list[Journal] = []

    def open_it() -> Journal:
        made.append(open_journal(path, KEY, Environment.SANDBOX))
        return made[-1]

    yield open_it
    for journal in made:
        journal.close()
