"""A copy that is put in the journal's place: looked over first, what it replaces is kept, wherever it is cut off."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import (
    JournalDamaged,
    JournalElsewhere,
    JournalKeyWrong,
    JournalTooNew,
    JournalTrouble,
    Keys,
    Trouble,
    open_journal,
    set_aside,
)
from pos_app.journal.backup import backup_path
from pos_app.journal.lock import FileLock
from pos_app.journal.restoring import KEPT, checked, copies, copy_at, put_back
from pos_app.journal.schema import MIGRATIONS
from tests.support.builders import KEY, intent
from tests.support.owners_alone import is_owners_alone
from tests.unit.journal.test_kinds import WRITTEN
from tests.unit.journal.test_troubles import files_end_at

NOW = len(MIGRATIONS)
KEYS = Keys(KEY, Environment.SANDBOX)


@pytest.fixture
def copy(path: Path, tmp_path: Path) -> Path:
    """A backup of a journal that has gone on since."""
    with closing(open_journal(path, KEY, Environment.SANDBOX)) as journal:
        journal.append([intent(1)])
    kept = tmp_path / "stick" / path.name
    kept.parent.mkdir()
    shutil.copy(path, kept)
    with closing(open_journal(path, KEY, Environment.SANDBOX)) as journal:
        journal.append([intent(2)])
        journal.append([intent(3)])
    return kept


def restore(copy: Path, path: Path, keys: Keys = KEYS) -> Path | None:
    """As the verb does it."""
    lock = FileLock(path)
    try:
        lock.hold(path)
        with checked(copy, path, keys) as found:
            return put_back(found, path, lock)
    finally:
        lock.release()


def events_of(path: Path) -> list[tuple[Any, ...]]:
    """All of them."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM event ORDER BY seq").fetchall()


def files_of(path: Path) -> dict[str, bytes]:
    """What lies in the folder; of SQLite's own log only what matters."""
    return {
        each.name: each.read_bytes()
        for each in path.parent.iterdir()
        if each.is_file() and not each.name.endswith(("-shm", ".lock"))
    }


def test_it_takes_the_place_of_the_journal_which_is_kept(copy: Path, path: Path) -> None:
    newer, older = events_of(path), events_of(copy)
    kept = restore(copy, path)
    assert kept is not None
    assert kept.name.startswith(KEPT)
    assert events_of(path) == older
    assert events_of(kept / path.name) == newer
    assert is_owners_alone(path)
    assert is_owners_alone(kept / path.name)
    assert not list(path.parent.glob(".restore-*"))
    assert events_of(copy) == older


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")
def test_who_puts_one_back_takes_nothing_from_under_another_who_looks(copy: Path, path: Path) -> None:
    """A copy that was being looked over was taken for one that a killed process left: whoever looked was told that
    their copy cannot be read."""
    left = path.parent / ".restore-left"
    left.mkdir()
    with checked(copy, path, KEYS) as found:
        restore(copy, path)
        assert events_of(found.whole) == events_of(copy)
        assert not left.exists()
    assert not list(path.parent.glob(".restore-*"))


def test_what_a_killed_one_left_is_no_reason_that_there_is_no_room(
    copy: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as large as the journal: each later restore said that there is no room, and cleared nothing."""
    usage, left = shutil.disk_usage, path.parent / ".restore-left"
    left.mkdir()
    (left / path.name).write_bytes(b"half of it")

    def full(folder: Path) -> Any:
        return usage(folder)._replace(free=0) if left.exists() else usage(folder)

    monkeypatch.setattr(shutil, "disk_usage", full)
    with checked(copy, path, KEYS) as found:
        assert events_of(found.whole) == events_of(copy)


def test_what_a_killed_one_left_can_be_put_back(copy: Path, path: Path) -> None:
    left, older = path.parent / ".restore-left", events_of(copy)
    left.mkdir()
    copy.rename(left / path.name)
    restore(left / path.name, path)
    assert events_of(path) == older


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")
def test_one_that_is_taken_away_before_it_is_held_is_made_anew(
    copy: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdtemp = tempfile.mkdtemp

    def overtaken(**named: Any) -> str:
        monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
        made = str(mkdtemp(**named))
        restore(copy, path)
        return made

    monkeypatch.setattr(tempfile, "mkdtemp", overtaken)
    with checked(copy, path, KEYS) as found:
        assert events_of(found.whole) == events_of(copy)
    assert not list(path.parent.glob(".restore-*"))


def test_only_who_holds_the_lock_puts_a_copy_back(copy: Path, path: Path) -> None:
    before = files_of(path)
    lock = FileLock(path)
    lock.release()
    with (
        checked(copy, path, KEYS) as found,
        pytest.raises(ValueError, match="by who holds the journal's lock"),
    ):
        put_back(found, path, lock)
    assert files_of(path) == before


def test_the_next_start_finds_it_older_than_it_should_be_and_begins_anew(copy: Path, path: Path) -> None:
    """So that the service is asked about what is not in it (rule 12)."""
    older = events_of(copy)
    restore(copy, path)
    with pytest.raises(JournalDamaged, match="older than last known"):
        open_journal(path, KEY, Environment.SANDBOX)
    assert events_of(set_aside(path)[0]) == older


def test_the_one_that_was_kept_goes_back_the_same_way(copy: Path, path: Path) -> None:
    """Put back before a till was started: nothing is missing, and the till goes on in it."""
    newer = events_of(path)
    kept = restore(copy, path)
    assert kept is not None
    restore(kept / path.name, path)
    with closing(open_journal(path, KEY, Environment.SANDBOX)) as journal:
        assert journal.mended == ()
    assert events_of(path)[: len(newer)] == newer


def test_what_only_the_copys_log_has_is_put_back_too(path: Path, tmp_path: Path) -> None:
    """The backup of a till that was killed; nothing of it is changed."""
    journal = open_journal(path, KEY, Environment.SANDBOX)
    journal.append([intent(1)])
    killed = tmp_path / "killed"
    shutil.copytree(path.parent, killed, ignore=lambda *_: ["killed"])
    journal.close()
    copy = killed / path.name
    assert copy.with_name(f"{copy.name}-wal").stat().st_size
    before = files_of(copy)
    restore(copy, path)
    assert files_of(copy) == before
    assert len(events_of(path)) == 1


def test_where_the_journal_is_gone_there_is_nothing_to_keep(copy: Path, path: Path) -> None:
    path.unlink()
    lock = FileLock(path)
    with checked(copy, path, KEYS) as found:
        assert put_back(found, path, lock) is None
    lock.release()
    assert events_of(path) == events_of(copy)


def test_one_of_an_older_version_is_put_back_as_it_is(path: Path) -> None:
    """What an update laid beside it: the older program goes on with it."""
    old = b"k" * 32
    shutil.copy(WRITTEN, path)
    shutil.copy(WRITTEN.with_name(WRITTEN.name + ".anchor"), path.with_name(path.name + ".anchor"))
    open_journal(path, old, Environment.SANDBOX, machine_id="a machine").close()
    copy = backup_path(path, NOW)
    version = copy_at(copy)
    assert version is not None
    restore(copy, path, Keys(old, Environment.SANDBOX))
    put = copy_at(path)
    assert put is not None
    assert (put.version, put.events) == (version.version, version.events)
    assert put.version < NOW


def test_those_that_lie_here_are_listed(copy: Path, path: Path) -> None:
    assert copies(path) == []
    shutil.copy(copy, backup_path(path, NOW))
    backup_path(path, NOW - 1).write_bytes(b"no journal")
    kept = restore(copy, path)
    assert kept is not None
    listed = copies(path)
    assert [each.file for each in listed] == [backup_path(path, NOW), kept / path.name]
    assert [(each.version, each.events) for each in listed] == [(NOW, 1), (NOW, 3)]
    assert all(each.last for each in listed)
    assert copy_at(path.with_name("nowhere.sqlite")) is None


class TestRefused:
    """Nothing is changed."""

    @pytest.fixture(autouse=True)
    def unchanged(self, copy: Path, path: Path) -> Iterator[None]:
        assert copy.exists()
        before = files_of(path)
        yield
        assert files_of(path) == before
        assert not list(path.parent.glob(".restore-*"))
        assert not list(path.parent.glob(f"{KEPT}*"))

    def test_a_newer_journal(self, copy: Path, path: Path) -> None:
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(f"PRAGMA user_version = {NOW + 1}")
        with pytest.raises(JournalTooNew, match="written by a newer till"):
            restore(copy, path)

    def test_another_tills(self, copy: Path, path: Path) -> None:
        with pytest.raises(JournalKeyWrong):
            restore(copy, path, Keys(b"x" * 32, Environment.SANDBOX))
        with pytest.raises(JournalElsewhere):
            restore(copy, path, Keys(KEY, Environment.LIVE))

    def test_one_changed_letter(self, copy: Path, path: Path) -> None:
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("DROP TRIGGER event_is_never_changed")
            connection.execute("UPDATE event SET actor = actor || 'x' WHERE seq = 1")
            connection.commit()
        with pytest.raises(JournalTrouble, match="event 1") as refused:
            restore(copy, path)
        assert refused.value.trouble is Trouble.DAMAGED

    @pytest.mark.parametrize("what", ["empty", "text", "half", "another database", "a torn page"])
    def test_what_is_no_journal(self, copy: Path, path: Path, what: str) -> None:
        whole = copy.read_bytes()
        match what:
            case "empty":
                copy.write_bytes(b"")
            case "text":
                copy.write_bytes(b"these are not the pages you look for\n" * 400)
            case "half":
                copy.write_bytes(whole[: len(whole) // 2])
            case "a torn page":
                copy.write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])
            case _:
                copy.unlink()
                with closing(sqlite3.connect(copy)) as connection:
                    connection.execute("CREATE TABLE other (x)")
        with pytest.raises(JournalTrouble) as refused:
            restore(copy, path)
        assert refused.value.trouble is Trouble.DAMAGED

    def test_no_room(self, copy: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 20))
        with pytest.raises(JournalTrouble, match="no room to put a journal back") as refused:
            restore(copy, path)
        assert refused.value.trouble is Trouble.DISK_FULL

    def test_a_disk_that_fills_up_while_it_copies(self, copy: Path, path: Path) -> None:
        with files_end_at(20_000), pytest.raises(JournalTrouble):
            restore(copy, path)


AT = (
    "while it is looked over",
    "before anything is kept",
    "while it is kept",
    "when it is kept",
    "before it has its name",
    "when it has its name",
)

_DIES = """
import os, signal, sys
from pathlib import Path
from pos_app.domain.attempt import Environment
from pos_app.journal import Keys, restoring
from pos_app.journal.lock import FileLock
copy, path, at, key = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], bytes.fromhex(sys.argv[4])
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
def behind(name):
    right = getattr(restoring, name)
    setattr(restoring, name, lambda *a: (right(*a), die()))
def put():
    if at == "while it is looked over": restoring.verify.verify = die
    elif at == "before anything is kept": restoring._kept = die
    elif at == "while it is kept": restoring.make_last = lambda file: die() if restoring.KEPT in str(file) else None
    elif at == "when it is kept": behind("_kept")
    elif at == "before it has its name": type(path).replace = die
    else:
        right = type(path).replace
        type(path).replace = lambda *a: (right(*a), die())
put()
lock = FileLock(path)
lock.hold(path)
with restoring.checked(copy, path, Keys(key, Environment.SANDBOX)) as found:
    restoring.put_back(found, path, lock)
"""


@pytest.mark.parametrize("at", AT)
def test_killed(copy: Path, path: Path, at: str) -> None:
    """There is a journal, the one or the other; what it replaced is whole in its folder; the next try does it."""
    older, newer = events_of(copy), events_of(path)
    process = subprocess.run([sys.executable, "-c", _DIES, str(copy), str(path), at, KEY.hex()], check=False)
    assert process.returncode == -signal.SIGKILL
    done = at == AT[-1]
    assert events_of(path) == (older if done else newer)
    if at in AT[3:]:
        (kept,) = path.parent.glob(f"{KEPT}*")
        assert events_of(kept / path.name) == newer
    restore(copy, path)
    assert events_of(path) == older
    assert not list(path.parent.glob(".restore-*"))
    assert any(events_of(each / path.name) == newer for each in path.parent.glob(f"{KEPT}*"))


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_a_name_that_leads_elsewhere_is_read_and_never_written(
    copy: Path, path: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(copy)
    before = copy.read_bytes()
    restore(link, path)
    assert copy.read_bytes() == before
    assert not path.is_symlink()
