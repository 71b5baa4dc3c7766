"""What a journal's refusals and troubles say, and by which errors of the system they are known."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import (
    Journal,
    JournalDamaged,
    JournalElsewhere,
    JournalInUse,
    JournalKeyWrong,
    JournalTooNew,
    JournalTrouble,
    Trouble,
    open_journal,
    read_only,
)
from pos_app.journal.chain import Keys
from pos_app.journal.errors import EnvironmentFailures, Reading, trouble_of
from pos_app.journal.inspection import Inspection
from pos_app.journal.lock import FileLock
from pos_app.journal.opening import connect
from pos_app.journal.schema import MIGRATIONS
from pos_app.journal.seal import SealBroken, unseal
from tests.support.builders import KEY, intent
from tests.unit.journal.tampering import fill, tamper
from tests.unit.journal.test_troubles import files_end_at

SANDBOX = Environment.SANDBOX


@pytest.mark.usefixtures("journal")
def test_a_journal_in_use_says_by_whom(path: Path) -> None:
    """This very process has it open already."""
    with pytest.raises(JournalInUse) as caught:
        open_journal(path, KEY, SANDBOX)
    assert (caught.value.path, caught.value.holder) == (path, str(os.getpid()))
    assert str(caught.value) == f"{path} is in use by process {os.getpid()}"
    assert str(JournalInUse(path, "")) == f"{path} is in use"


def test_a_newer_journal_says_both_versions_however_it_is_opened(path: Path, journal: Journal) -> None:
    """And its path."""
    journal.close()
    tamper(path, "PRAGMA user_version = 99")
    for looking in (False, True):
        with pytest.raises(JournalTooNew) as caught:
            read_only(path) if looking else open_journal(path, KEY, SANDBOX)
        assert (caught.value.found, caught.value.known) == (99, len(MIGRATIONS))
        known = f"(journal 99; this one reads up to {len(MIGRATIONS)})"
        assert str(caught.value) == (
            f"{path}: this journal was written by a newer till {known}. Nothing was changed. Install that version "
            "again, or a newer one"
        )


def test_a_journal_of_elsewhere_says_both_environments(path: Path, journal: Journal) -> None:
    """And its path."""
    journal.close()
    with pytest.raises(JournalElsewhere) as caught:
        open_journal(path, KEY, Environment.LIVE)
    assert (caught.value.found, caught.value.wanted) == ("sandbox", "live")
    assert str(caught.value) == f"{path} belongs to the environment sandbox, not to live"


def test_a_wrong_key_is_said(path: Path, journal: Journal) -> None:
    """With the path."""
    journal.append([intent(1)])
    journal.close()
    with pytest.raises(JournalKeyWrong) as caught:
        open_journal(path, KEY[::-1], SANDBOX)
    assert str(caught.value) == f"{path} was made with another key"


def test_a_key_says_nothing_of_itself() -> None:
    """In no log."""
    assert repr(Keys(KEY, SANDBOX)) == "Keys(…)"


def test_what_cannot_be_looked_at_says_why(tmp_path: Path, path: Path, journal: Journal) -> None:
    """No file, an older version, a database that is no journal."""
    missing = tmp_path / "none.sqlite"
    with pytest.raises(JournalTrouble) as caught:
        read_only(missing)
    assert (caught.value.trouble, caught.value.detail) == (
        Trouble.CANNOT_OPEN,
        f"no journal at {missing}",
    )
    journal.close()
    tamper(path, "PRAGMA user_version = 1")
    with pytest.raises(JournalTrouble) as caught:
        read_only(path)
    assert caught.value.detail == f"{path} is of an older version: start the till once"
    tamper(path, "PRAGMA user_version = 0")
    with pytest.raises(JournalTrouble) as caught:
        read_only(path)
    assert (caught.value.trouble, caught.value.detail) == (Trouble.DAMAGED, "its version number is gone")
    assert str(caught.value) == "damaged: its version number is gone"
    assert str(JournalTrouble(Trouble.LOCKED)) == "locked"


def test_whoever_looks_can_write_nothing(path: Path, journal: Journal) -> None:
    """Not even by mistake."""
    fill(journal)
    looking = read_only(path)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        looking._connection.execute("DELETE FROM sale")
    looking.close()


@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        (sqlite3.SQLITE_FULL, Trouble.DISK_FULL),
        (sqlite3.SQLITE_READONLY, Trouble.READ_ONLY),
        (sqlite3.SQLITE_READONLY_DBMOVED, Trouble.MOVED),
        (sqlite3.SQLITE_PERM, Trouble.READ_ONLY),
        (sqlite3.SQLITE_CANTOPEN, Trouble.CANNOT_OPEN),
        (sqlite3.SQLITE_BUSY, Trouble.LOCKED),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Trouble.LOCKED),
        (sqlite3.SQLITE_LOCKED, Trouble.LOCKED),
        (sqlite3.SQLITE_PROTOCOL, Trouble.LOCKED),
        (sqlite3.SQLITE_IOERR, Trouble.IO),
        (sqlite3.SQLITE_IOERR_FSYNC, Trouble.IO),
        (sqlite3.SQLITE_NOLFS, Trouble.IO),
        (sqlite3.SQLITE_CORRUPT, Trouble.DAMAGED),
        (sqlite3.SQLITE_NOTADB, Trouble.DAMAGED),
        (sqlite3.SQLITE_ERROR, None),
        (sqlite3.SQLITE_CONSTRAINT, None),
    ],
)
def test_an_error_of_sqlite_is_known_by_its_code(code: int, trouble: Trouble | None) -> None:
    """The longer codes by their last byte."""
    error = sqlite3.OperationalError("said so")
    assert trouble_of(error) is None
    error.sqlite_errorcode = code
    assert trouble_of(error) is trouble
    with pytest.raises((JournalTrouble, sqlite3.OperationalError)) as caught, EnvironmentFailures():
        raise error
    if trouble is None:
        assert caught.value is error
    else:
        assert isinstance(caught.value, JournalTrouble)
        assert (caught.value.trouble, caught.value.detail) == (trouble, "said so")
        assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    ("number", "trouble"),
    [
        (errno.ENOSPC, Trouble.DISK_FULL),
        (errno.EDQUOT, Trouble.DISK_FULL),
        (errno.EROFS, Trouble.READ_ONLY),
        (errno.EACCES, Trouble.READ_ONLY),
        (errno.EPERM, Trouble.READ_ONLY),
        (errno.ENOENT, Trouble.CANNOT_OPEN),
        (errno.ENOTDIR, Trouble.CANNOT_OPEN),
        (errno.EISDIR, Trouble.CANNOT_OPEN),
        (errno.EIO, Trouble.IO),
        (None, Trouble.IO),
    ],
)
def test_an_error_of_the_file_system_is_known_by_its_number(number: int | None, trouble: Trouble) -> None:
    """What nobody knows is an input/output error."""
    error = OSError("no number") if number is None else OSError(number, "said so")
    with pytest.raises(JournalTrouble) as caught, EnvironmentFailures():
        raise error
    assert (caught.value.trouble, caught.value.detail) == (trouble, str(error))


def test_a_bug_passes_the_door_and_a_value_that_cannot_be_read_is_damage() -> None:
    """Only where one reads."""
    with pytest.raises(ValueError, match="ours"), EnvironmentFailures():
        raise ValueError("ours")
    with pytest.raises(JournalTrouble) as caught, Reading():
        raise ValueError("what is this")
    assert (caught.value.trouble, caught.value.detail) == (Trouble.DAMAGED, "what is this")
    with pytest.raises(JournalTrouble) as caught, Reading():
        raise sqlite3.OperationalError("Could not decode to UTF-8")
    assert caught.value.trouble is Trouble.DAMAGED
    with pytest.raises(KeyError), Reading():
        raise KeyError("ours")


def test_sealed_bytes_that_do_not_open_name_their_subject() -> None:
    """And nothing else."""
    for sealed in (b"", b"x" * 12, b"x" * 40):
        with pytest.raises(SealBroken) as caught:
            unseal(KEY, "A-1", sealed)
        assert str(caught.value) == "sealed bytes of A-1 cannot be opened"


def test_a_lock_that_cannot_be_had_or_written_is_let_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without locks is the environment's failure; a full disk leaves no lock of ours behind."""
    with files_end_at(0), pytest.raises(OSError, match="File too large"):
        FileLock(path)
    FileLock(path).release()

    def none(descriptor: int, how: int) -> None:
        del descriptor, how
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", none)
    with pytest.raises(JournalTrouble) as caught:
        open_journal(path, KEY, SANDBOX)
    assert caught.value.trouble is Trouble.IO
    monkeypatch.undo()
    open_journal(path, KEY, SANDBOX).close()


def test_a_place_without_a_write_ahead_log_is_no_place_for_a_journal() -> None:
    """As memory is, and some network folders."""
    with pytest.raises(JournalTrouble) as caught:
        connect(Path(":memory:"))
    assert (caught.value.trouble, caught.value.detail) == (
        Trouble.CANNOT_OPEN,
        "the file system allows no write-ahead log (memory)",
    )


def test_a_journal_that_a_power_cut_left_without_an_owner_is_given_one(path: Path, journal: Journal) -> None:
    """There is no event yet; with one, it would be damage."""
    journal.close()
    tamper(path, "DELETE FROM meta")
    again = open_journal(path, KEY, SANDBOX, installation_id="ABCDEFGH")
    assert again.installation_id == "ABCDEFGH"
    again.append([intent(1)])
    again.close()
    tamper(path, "DELETE FROM meta")
    with pytest.raises(JournalDamaged, match=r"^the journal does not say whose it is"):
        open_journal(path, KEY, SANDBOX)


def test_a_look_stopped_while_sqlite_checks_the_file_tells_of_no_damage(path: Path, journal: Journal) -> None:
    """It ends there."""
    fill(journal)
    looking = Inspection(path, Keys(KEY, SANDBOX), steps=1)
    pieces = looking.pieces()
    walked = 0
    while (piece := next(pieces)).rows or not walked:
        walked += piece.rows
    assert walked == journal.head()[0]
    looking.stop()
    assert list(pieces) == []


@pytest.mark.parametrize("events", [1, 2])
def test_an_identity_that_was_changed_is_not_taken_for_a_wrong_key(
    path: Path, journal: Journal, events: int
) -> None:
    """The events were written with ours."""
    for number in range(events):
        journal.append([intent(number + 1)])
    journal.close()
    tamper(path, "UPDATE meta SET tag = x'00'")
    with pytest.raises(JournalDamaged) as caught:
        open_journal(path, KEY, SANDBOX)
    assert caught.value.reason == "the journal's identity was changed"
