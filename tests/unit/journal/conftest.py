"""A journal in a folder of its own; closed behind each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, open_journal
from tests.support.builders import KEY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal lies."""
    return tmp_path / "journal.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[[], Journal]]:
    """Opens the journal, again if need be; what a test leaves open is closed behind it."""
    made: list[Journal] = []

    def open_it() -> Journal:
        made.append(open_journal(path, KEY, Environment.SANDBOX))
        return made[-1]

    yield open_it
    for journal in made:
        journal.close()


@pytest.fixture
def journal(opened: Callable[[], Journal]) -> Journal:
    """An empty journal."""
    return opened()
