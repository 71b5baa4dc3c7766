"""Before a newer version changes a journal: a copy beside it, whole and proven, or nothing is changed."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import JournalDamaged, JournalTooNew, JournalTrouble, Trouble, left_behind, open_journal
from pos_app.journal.backup import backups
from pos_app.journal.reading import older_version
from pos_app.journal.schema import MIGRATIONS
from tests.support.builders import KEY, intent
from tests.support.owners_alone import is_owners_alone
from tests.unit.journal.test_kinds import WRITTEN
from tests.unit.journal.test_troubles import files_end_at

NOW = len(MIGRATIONS)
OLD_KEY = b"k" * 32


@pytest.fixture
def old(path: Path) -> Path:
    """A journal of the first version, as a shop's update finds it."""
    shutil.copy(WRITTEN, path)
    shutil.copy(WRITTEN.with_name(WRITTEN.name + ".anchor"), path.with_name(path.name + ".anchor"))
    return path


def update(path: Path) -> None:
    """This version's first start on it."""
    open_journal(path, OLD_KEY, Environment.SANDBOX, machine_id="a machine").close()


def copy_of(path: Path) -> Path:
    """Where the copy lies after this version's first start."""
    return path.with_name(f"journal.before-{NOW}.sqlite")


def version_of(path: Path) -> int:
    """As the file says it."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def events_of(path: Path) -> list[tuple[Any, ...]]:
    """All of them."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM event ORDER BY seq").fetchall()


def names(path: Path) -> set[str]:
    """What lies in the folder."""
    return {each.name for each in path.parent.iterdir()}


class TestCopy:
    """Where all goes well."""

    def test_it_is_the_journal_as_it_was_and_its_owners_alone(self, old: Path) -> None:
        before, version = events_of(old), version_of(old)
        assert older_version(old) == version
        update(old)
        copy = copy_of(old)
        assert (version_of(copy), version_of(old)) == (version, NOW)
        assert events_of(copy) == before
        assert is_owners_alone(copy)
        assert not [each for each in names(old) if each.endswith((".new", "sqlite-journal"))]
        assert older_version(old) == 0
        assert copy in left_behind(old)

    def test_the_older_program_could_go_on_in_it(self, old: Path) -> None:
        """No log belongs to it: it is one file, that opens by itself."""
        update(old)
        alone = old.with_name("elsewhere") / "journal.sqlite"
        alone.parent.mkdir()
        shutil.copy(copy_of(old), alone)
        shutil.copy(WRITTEN.with_name(WRITTEN.name + ".anchor"), alone.with_name("journal.sqlite.anchor"))
        with closing(open_journal(alone, OLD_KEY, Environment.SANDBOX)) as journal:
            assert journal.mended == ()
            assert journal.inspection().findings() == []

    def test_what_only_the_log_has_is_in_it(self, old: Path) -> None:
        """A till that was killed left its last payments there."""
        writer = sqlite3.connect(old)
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("INSERT INTO person VALUES ('late', 9, '{}')")
        writer.commit()
        shutil.copytree(old.parent, old.parent / "killed")
        writer.close()
        killed = old.parent / "killed" / old.name
        assert killed.with_name("journal.sqlite-wal").stat().st_size
        update(killed)
        with closing(sqlite3.connect(copy_of(killed))) as copy:
            assert copy.execute("SELECT count(*) FROM person WHERE person_id = 'late'").fetchone() == (1,)

    def test_none_of_a_new_journal_or_of_one_of_this_version(self, path: Path) -> None:
        for _ in range(2):
            open_journal(path, KEY, Environment.SANDBOX).close()
        assert backups(path) == []

    def test_the_two_newest_are_kept(self, old: Path) -> None:
        for number in (2, 3, 10):
            old.with_name(f"journal.before-{number}.sqlite").touch()
        old.with_name("journal.before-x.sqlite").touch()
        assert [each.name for each in backups(old)] == [
            f"journal.before-{each}.sqlite" for each in (10, 3, 2)
        ]
        old.with_name("journal.before-10.sqlite").unlink()
        update(old)
        assert [each.name for each in backups(old)] == [copy_of(old).name, "journal.before-3.sqlite"]
        assert old.with_name("journal.before-x.sqlite").exists()
        assert backups(old.parent / "nowhere" / "journal.sqlite") == []

    def test_the_copy_of_an_update_that_was_cut_off_is_made_anew(self, old: Path) -> None:
        copy_of(old).write_bytes(b"half")
        copy_of(old).with_name(f".{copy_of(old).name}.new").write_bytes(b"half")
        before = events_of(old)
        update(old)
        assert events_of(copy_of(old)) == before


class TestRefused:
    """Nothing is changed: the older program goes on with its journal."""

    def test_no_room(self, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        before = old.read_bytes()
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 20))
        with pytest.raises(JournalTrouble, match="no room for a copy") as refused:
            update(old)
        assert refused.value.trouble is Trouble.DISK_FULL
        assert (old.read_bytes(), backups(old)) == (before, [])

    def test_a_disk_that_fills_up_while_it_copies(self, old: Path) -> None:
        before = events_of(old)
        with files_end_at(20_000), pytest.raises(JournalTrouble):
            update(old)
        assert (version_of(old) < NOW, events_of(old), backups(old)) == (True, before, [])
        assert not [each for each in names(old) if each.endswith(".new")]
        update(old)
        assert events_of(copy_of(old)) == before

    @pytest.mark.parametrize("place", [0.1, 0.3, 0.5, 0.7, 0.9])
    def test_flipped_bits_in_the_copy(self, old: Path, place: float, monkeypatch: pytest.MonkeyPatch) -> None:
        """On their way to the disk. A page of it is no page any more."""
        right = os.fsync
        flipped: list[int] = []

        def wrong(number: int) -> None:
            name = Path(f"/proc/self/fd/{number}").resolve().name
            if name.endswith(".sqlite.new") and not flipped:
                new = old.with_name(name)
                at = int(new.stat().st_size * place) // 4096 * 4096
                with new.open("r+b") as file:
                    file.seek(at)
                    whole = file.read(4096)
                    file.seek(at)
                    file.write(bytes(each ^ 0x10 for each in whole))
                flipped.append(at)
            right(number)

        monkeypatch.setattr(os, "fsync", wrong)
        version = version_of(old)
        with pytest.raises(JournalTrouble, match="not what was copied"):
            update(old)
        assert flipped
        assert (version_of(old), backups(old)) == (version, [])

    def test_one_flipped_bit_in_an_event_of_the_copy(
        self, old: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """SQLite's own check does not see it: no structure is hurt."""
        right = os.fsync

        def wrong(number: int) -> None:
            name = Path(f"/proc/self/fd/{number}").resolve().name
            if name.endswith(".sqlite.new"):
                new = old.with_name(name)
                whole = new.read_bytes()
                assert b"STATUS_ANSWERED" in whole
                new.write_bytes(whole.replace(b"STATUS_ANSWERED", b"STATUS_ANSWEREE", 1))
            right(number)

        monkeypatch.setattr(os, "fsync", wrong)
        with pytest.raises(JournalTrouble, match="not what was copied"):
            update(old)
        assert backups(old) == []

    def test_a_journal_that_is_itself_damaged(self, old: Path) -> None:
        """Moved aside as ever; a copy of it would prove nothing."""
        with old.open("r+b") as file:
            file.seek(3 * 4096)
            file.write(b"\xff" * 4096)
        with pytest.raises(JournalDamaged):
            update(old)
        assert backups(old) == []

    def test_a_newer_journal_is_told_in_words(self, path: Path, opened: Callable[[], Any]) -> None:
        opened().close()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA user_version = {NOW + 92}")
        said = rf"^{path}: this journal was written by a newer till \(journal {NOW + 92}; "
        said += rf"this one reads up to {NOW}\)\. Nothing was changed"
        for look in (opened, lambda: older_version(path)):
            with pytest.raises(JournalTooNew, match=said):
                look()
        assert backups(path) == []

    def test_no_journal_of_any_version(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE other (x)")
        assert older_version(path) == 0


def test_a_copy_put_in_the_place_of_the_journal_is_found_out(old: Path) -> None:
    """What was sold since is not in it: it is a damaged journal, and the service is asked about the gap (rule 12)."""
    with closing(open_journal(old, OLD_KEY, Environment.SANDBOX, machine_id="a machine")) as journal:
        journal.append([intent(50)])
    for ending in ("-wal", "-shm"):
        old.with_name(old.name + ending).unlink(missing_ok=True)
    shutil.copy(copy_of(old), old)
    with pytest.raises(JournalDamaged, match="older than last known"):
        update(old)


AT = ("before it is copied", "while it is copied", "before it has its name", "before the tables are changed")

_DIES = """
import os, signal, sys
from pathlib import Path
from pos_app.domain.attempt import Environment
from pos_app.journal import backup, open_journal, opening
at = sys.argv[2]
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
if at == "before it is copied": backup._copy = die
elif at == "while it is copied":
    backup._PAGES = 1
    import sqlite3
    class Dying(sqlite3.Connection):
        def backup(self, target, *, pages): super().backup(target, pages=pages, progress=lambda *_: die())
    right = sqlite3.connect
    sqlite3.connect = lambda *a, **k: right(*a, **{"factory": Dying, **k})
elif at == "before it has its name": backup._prove = die
else: opening.migrate = die
open_journal(Path(sys.argv[1]), b"k" * 32, Environment.SANDBOX, machine_id="a machine")
"""


@pytest.mark.parametrize("at", AT)
def test_killed(old: Path, at: str) -> None:
    """The journal is as it was, and the next start makes the copy and goes on."""
    before, version = events_of(old), version_of(old)
    process = subprocess.run([sys.executable, "-c", _DIES, str(old), at], check=False)
    assert process.returncode == -signal.SIGKILL
    assert version_of(old) == version
    update(old)
    assert events_of(copy_of(old)) == before
    assert version_of(old) == NOW
    assert not [each for each in names(old) if each.endswith(".new")]
