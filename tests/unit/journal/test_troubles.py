"""When the environment fails: said by its kind, nothing half written, and going on once it is mended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment, State
from pos_app.journal import Journal, JournalTrouble, Trouble, open_journal, read_only
from tests.support.builders import KEY, attempt, ended, intent
from tests.support.unprivileged import owned_folder, somebody

resource = pytest.importorskip("resource", reason="Windows has no limits of a process")


@contextmanager
def files_end_at(size: int) -> Iterator[None]:
    """No file of this process grows beyond `size` bytes while it lasts: a write in the middle fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _goes_on(journal: Journal, head: tuple[int, bytes], number: int) -> None:
    assert journal.head() == head
    assert journal.attempt(intent(number).subject) is None
    assert journal.append([intent(number)]) == head[0] + 1
    assert journal.attempt(intent(number).subject) is not None
    assert not journal.verify().broken_at


def test_a_write_that_fails_at_any_point_leaves_nothing(path: Path, journal: Journal) -> None:
    """The commit's log ends after each further 500 bytes: some page, some frame's head, the last page."""
    log = path.with_name("journal.sqlite-wal")
    failed: list[Trouble] = []
    for number in range(1, 80):
        head = journal.head()
        with files_end_at(log.stat().st_size + (number % 40) * 500):
            try:
                journal.append([intent(number)])
            except JournalTrouble as trouble:
                failed.append(trouble.trouble)
            else:
                continue
        _goes_on(journal, head, number)
    assert len(failed) > 20
    assert set(failed) <= {Trouble.IO, Trouble.DISK_FULL}


def test_a_failed_commit_is_not_there_after_a_restart(path: Path) -> None:
    """Nor does it stand in the way of what was written after it."""
    journal = open_journal(path, KEY, Environment.SANDBOX)
    journal.append([intent(1)])
    with (
        files_end_at(path.with_name("journal.sqlite-wal").stat().st_size + 9_000),
        pytest.raises(JournalTrouble),
    ):
        journal.append([intent(2)])
    journal.append([ended(attempt(1), State.PAID, 2_000)])
    journal.close()
    journal = open_journal(path, KEY, Environment.SANDBOX)
    assert journal.head()[0] == 2
    assert journal.attempt(attempt(2).attempt_id) is None
    journal.close()


def test_a_full_disk_is_said(journal: Journal) -> None:
    """With the records it could not take; what is in it can still be read."""
    journal.append([intent(1)])
    head = journal.head()
    # SQLite's own limit is the one way to a full disk that needs no small disk.
    connection: sqlite3.Connection = journal._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalTrouble) as caught:
        journal.append([intent(number) for number in range(2, 30)])
    assert caught.value.trouble is Trouble.DISK_FULL
    assert len(journal.open_attempts()) == 1
    connection.execute("PRAGMA max_page_count = 1000000")
    _goes_on(journal, head, 2)


def test_a_folder_that_cannot_be_written_is_said() -> None:
    """Before anything is made in it."""
    with owned_folder() as folder:
        folder.chmod(0o500)
        with somebody(), pytest.raises(JournalTrouble) as caught:
            open_journal(folder / "journal.sqlite", KEY, Environment.SANDBOX)
        assert caught.value.trouble is Trouble.READ_ONLY
        assert list(folder.iterdir()) == []


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    """The journal makes files, not folders."""
    with pytest.raises(JournalTrouble) as caught:
        open_journal(tmp_path / "none" / "journal.sqlite", KEY, Environment.SANDBOX)
    assert caught.value.trouble is Trouble.CANNOT_OPEN


def test_a_journal_that_cannot_be_written_is_not_taken_for_a_damaged_one() -> None:
    """It stays where it is, and can be looked at without writing a byte beside it (immutable)."""
    with owned_folder() as folder:
        path = folder / "journal.sqlite"
        with somebody():
            journal = open_journal(path, KEY, Environment.SANDBOX)
            journal.append([intent(1)])
            journal.close()
            path.chmod(0o400)
            folder.chmod(0o500)
            with pytest.raises(JournalTrouble) as caught:
                open_journal(path, KEY, Environment.SANDBOX)
            assert caught.value.trouble in (Trouble.READ_ONLY, Trouble.CANNOT_OPEN)
            looking = read_only(path)
            assert [one.attempt_id for one in looking.recent(5)] == [attempt(1).attempt_id]
            looking.close()
        assert {file.name for file in folder.iterdir()} == {
            "journal.sqlite",
            "journal.sqlite.lock",
            "journal.sqlite.anchor",
        }


def test_another_writer_is_waited_for_and_then_said(path: Path, journal: Journal) -> None:
    """Somebody with a database browser; two seconds, then the till goes on without."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    head = journal.head()
    with pytest.raises(JournalTrouble) as caught:
        journal.append([intent(1)])
    assert caught.value.trouble is Trouble.LOCKED
    other.execute("ROLLBACK")
    other.close()
    _goes_on(journal, head, 1)


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_cannot_be_read_is_said(tmp_path: Path, data: bytes) -> None:
    """Looking never ends in an error of the database's own."""
    path = tmp_path / "journal.sqlite"
    with pytest.raises(JournalTrouble):
        read_only(path)
    path.write_bytes(data)
    with pytest.raises(JournalTrouble):
        read_only(path)


@pytest.mark.parametrize("value", ["'no json'", "'{}'", "CAST(x'ff' AS TEXT)"])
def test_a_table_that_cannot_be_read_is_damage(path: Path, journal: Journal, value: str) -> None:
    """A snapshot somebody has changed is reported, never shown; a rebuild mends it."""
    journal.append([intent(1)])
    other = sqlite3.connect(path, isolation_level=None)
    other.execute(f"UPDATE attempt SET snapshot = {value}")
    other.execute(f"UPDATE sale SET snapshot = {value}")
    other.close()
    for look in (journal.open_attempts, journal.needs_answer, lambda: journal.sale("0001")):
        with pytest.raises(JournalTrouble) as caught:
            look()
        assert caught.value.trouble is Trouble.DAMAGED
    journal.rebuild_projections()
    assert journal.attempt(attempt(1).attempt_id) == attempt(1)
