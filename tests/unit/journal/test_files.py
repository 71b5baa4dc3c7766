"""What lies in a folder that a journal has been in: by it a lost journal is told from a first start (rule 12)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, JournalDamaged, left_behind, open_journal, set_aside
from tests.support.builders import KEY, intent


def _names(path: Path) -> list[str]:
    return [each.name for each in left_behind(path)]


def test_a_folder_without_a_journal_has_nothing_of_one(path: Path) -> None:
    """Nor has a folder that is not there, nor what others put into it."""
    assert _names(path) == []
    assert _names(path.parent / "none" / path.name) == []
    assert set_aside(path.parent / "none" / path.name) == []
    for name in (
        "settings.toml",
        "journal.sqlite.lock.old",
        "journal-damaged-x.sqlite",
        "journal2.sqlite-wal",
    ):
        path.with_name(name).write_text("x")
    assert _names(path) == []


def test_what_a_till_at_work_has_is_all_named(path: Path, journal: Journal) -> None:
    """The log and its index lie there only meanwhile."""
    journal.append([intent(1)])
    at_work = ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal.sqlite.anchor"]
    assert _names(path) == [*at_work, "journal.sqlite.lock"]
    journal.close()
    assert _names(path) == ["journal.sqlite", "journal.sqlite.anchor", "journal.sqlite.lock"]


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", ".found", ".anchor"])
def test_each_part_alone_says_that_there_was_one(path: Path, ending: str) -> None:
    """An empty one too: a power cut may take what was in it."""
    path.with_name(path.name + ending).touch()
    assert _names(path) == [path.name + ending]


def test_a_lock_says_so_only_once_a_till_has_held_it(path: Path) -> None:
    """Its holder writes its number into it before anything else of a journal is made; an empty one is nobody's."""
    lock = path.with_name(path.name + ".lock")
    lock.touch()
    assert _names(path) == []
    lock.write_text("4711\n")
    assert _names(path) == [lock.name]


def test_a_damaged_one_that_was_moved_aside_says_so(path: Path) -> None:
    """Also where all that is left of it is a part; the newest first."""
    aside = [path.with_name(f"journal-damaged-170000000000{number}.sqlite") for number in (1, 2)]
    aside[0].with_name(aside[0].name + ".anchor").touch()
    aside[1].touch()
    aside[1].with_name(aside[1].name + "-wal").touch()
    assert left_behind(path) == [aside[1], aside[0]]


@pytest.mark.parametrize("emptied", [False, True], ids=["no file", "an empty file"])
def test_a_journal_that_should_be_there_and_is_not_is_a_damaged_one(
    path: Path, opened: Callable[[], Journal], emptied: bool
) -> None:
    """Though nothing of its own is left: why is written down in its place, so that the next start knows as well."""
    if emptied:
        path.touch()
    for _ in range(2):
        with pytest.raises(JournalDamaged, match="there has been one") as caught:
            open_journal(path, KEY, Environment.SANDBOX, expected=True)
        aside = caught.value.moved_to
        assert aside.exists() is emptied
        where = f"moved to {aside}" if emptied else f"what is left of it: {aside}*"
        assert str(caught.value).endswith(f"; {where}")
        assert aside in left_behind(path)
        if not emptied:
            assert "there has been one" in aside.with_name(aside.name + ".found").read_text("utf-8")
        path.touch() if emptied else path.unlink(missing_ok=True)
    path.unlink(missing_ok=True)
    assert opened().append([intent(1)]) == 1
