"""The journals an engine is tested on: one in memory that can fail, and the real journal."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.domain.commands import SignOut
from pos_app.engine.core.journal_store import JournalStore
from pos_app.journal import Journal, open_journal
from tests.support.drawn import Dice
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.damage import KEY, Opens
from tests.unit.engine.rig import Rig
from tests.unit.engine.staff_steps import Staffed, three


@pytest.fixture(params=["memory", "journal"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[JournalStore]:
    """Either; what the engine does must be the same."""
    if request.param == "memory":
        yield MemoryJournal()
        return
    # With ids of its own each run would spread its asks otherwise (±10 %), and a count now and then differ.
    path = tmp_path / "journal.db"
    journal = open_journal(
        path, b"k" * 32, Environment.SANDBOX, installation_id="23456789", draw=Dice("23456789")
    )
    yield journal
    journal.close()


@pytest.fixture
def memory() -> MemoryJournal:
    """For tests in which the disk fails."""
    return MemoryJournal()


@pytest.fixture
def rig(journal: JournalStore) -> Rig:
    """A till that has started on an empty journal."""
    return Rig(journal).start()


@pytest.fixture
def frail(memory: MemoryJournal) -> Rig:
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
def till(journal: JournalStore) -> Staffed:
    """A manager and two cashiers, all in their sessions; the manager is at it."""
    return three(journal)


@pytest.fixture
def quick() -> Staffed:
    """The same, in memory alone."""
    return three(MemoryJournal())


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
