"""The lock's file taken away from a till at work: a second one is kept off the journal, the first one notices."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.journal import Journal, JournalInUse, JournalTrouble, Trouble, open_journal
from pos_app.journal.lock import FileLock, is_held
from tests.support.builders import KEY, intent
from tests.unit.journal.test_processes import ROOT, said, till
from tests.verification.proof.abilities import UNSHARE, needs_a_view_of_its_own

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there the journal's own file is locked")


def _removed(lock: Path) -> None:
    lock.unlink()


def _renamed(lock: Path) -> None:
    lock.rename(lock.with_name("kept"))


def _replaced(lock: Path) -> None:
    other = lock.with_name("other")
    other.touch()
    other.replace(lock)


def _a_copy(lock: Path) -> None:
    """With its holder's number in it, so that it looks the same."""
    copy = lock.with_name("copy")
    shutil.copy2(lock, copy)
    copy.replace(lock)


def _a_link(lock: Path) -> None:
    """To the very file: a name of the same file, and not the name."""
    lock.rename(lock.with_name("kept"))
    lock.symlink_to("kept")


WAYS = [_removed, _renamed, _replaced, _a_copy, _a_link]
taken_away = pytest.mark.parametrize("take", WAYS, ids=lambda take: take.__name__.strip("_"))


@taken_away
def test_the_till_that_lost_its_lock_writes_no_more(
    path: Path, journal: Journal, take: Callable[[Path], None]
) -> None:
    """Also when all is put back: another till may have come and gone meanwhile."""
    journal.append([intent(1)])
    assert journal.keeps_its_lock()
    lock = path.with_name("journal.sqlite.lock")
    identity = lock.with_name("identity")
    os.link(lock, identity)
    take(lock)
    for _ in range(2):
        assert not journal.keeps_its_lock()
        with pytest.raises(JournalTrouble) as caught:
            journal.append([intent(2)])
        assert caught.value.trouble is Trouble.LOCK_LOST
        if identity.exists():
            identity.replace(lock)
    assert journal.head()[0] == 1


# A link there is refused for what it is, see below.
@pytest.mark.parametrize("take", WAYS[:-1], ids=lambda take: take.__name__.strip("_"))
def test_a_second_till_is_refused_all_the_same(
    path: Path, journal: Journal, take: Callable[[Path], None]
) -> None:
    """In another process, before it has changed anything; what the first wrote stays whole."""
    journal.append([intent(1)])
    take(path.with_name("journal.sqlite.lock"))
    with till(path, 3) as other:
        assert said(other).startswith("in use by")
    assert journal.head()[0] == 1
    assert not journal.verify().broken_at


@pytest.mark.parametrize("how", ["hard link", "folder linked"])
def test_the_same_journal_by_another_path_is_refused(path: Path, journal: Journal, how: str) -> None:
    """With a lock file of its own beside it: what counts is the journal's file."""
    journal.append([intent(1)])
    other = path.parent / "other"
    if how == "hard link":
        other.mkdir()
        os.link(path, other / path.name)
    else:
        other.symlink_to(path.parent)
    with till(other / path.name, 3) as second:
        assert said(second).startswith("in use by")
    journal.append([intent(2)])
    assert not journal.verify().broken_at


def test_closing_lets_the_next_in_though_its_lock_was_lost(path: Path, journal: Journal) -> None:
    """Restarting is what the till says to do."""
    path.with_name("journal.sqlite.lock").unlink()
    journal.close()
    with till(path, 1) as other:
        assert said(other) == "open"


def _open_files() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def _taken_away(monkeypatch: pytest.MonkeyPatch, lock: Path, times: int) -> list[int]:
    """Somebody removes the file between its opening and its locking, so many times; grows with each locking."""
    locks = fcntl.flock
    seen: list[int] = []

    def removed(descriptor: int, how: int) -> None:
        seen.append(descriptor)
        if len(seen) <= times:
            lock.unlink()
        locks(descriptor, how)

    monkeypatch.setattr("fcntl.flock", removed)
    return seen


@pytest.mark.parametrize("times", [1, 99])
def test_a_lock_that_was_taken_away_while_it_was_taken_is_taken_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Between opening the file and locking it; nobody else would have found what we then held."""
    before = _open_files()
    seen = _taken_away(monkeypatch, path.with_name("journal.sqlite.lock"), times)
    lock = FileLock(path)
    assert len(seen) == times + 1
    assert _open_files() == before + 1
    assert lock.kept()
    with pytest.raises(JournalInUse):
        FileLock(path)
    lock.release()


def test_a_lock_that_is_taken_away_for_ever_is_not_had(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does that is at work there; the till does not start, and holds nothing."""
    before = _open_files()
    seen = _taken_away(monkeypatch, path.with_name("journal.sqlite.lock"), 1_000)
    with pytest.raises(JournalInUse) as caught:
        open_journal(path, KEY, Environment.SANDBOX)
    assert caught.value.holder == ""
    assert len(seen) == 100
    assert _open_files() == before
    assert not path.exists()


def test_two_locks_of_one_file_by_two_names_are_not_both_had(path: Path) -> None:
    """Each has a lock file of its own beside it; the second holds on to nothing of the journal's file."""
    path.touch()
    other = path.with_name("other.sqlite")
    os.link(path, other)
    first, second = FileLock(path), FileLock(other)
    first.hold(path)
    before = _open_files()
    first.hold(path)
    with pytest.raises(JournalInUse):
        second.hold(other)
    assert _open_files() == before
    first.release()
    second.hold(other)
    second.release()


def test_where_a_file_cannot_be_locked_for_itself_the_one_beside_it_counts(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network folders: the till sells, and a second one is refused by the file beside it."""

    def none(*wanted: object) -> None:
        del wanted
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr("fcntl.fcntl", none)
    path.touch()
    lock = FileLock(path)
    before = _open_files()
    lock.hold(path)
    assert _open_files() == before
    assert lock.kept()
    lock.release()
    journal = open_journal(path, KEY, Environment.SANDBOX)
    assert journal.append([intent(1)]) == 1
    with pytest.raises(JournalInUse):
        open_journal(path, KEY, Environment.SANDBOX)
    journal.close()


def test_a_planted_link_is_not_emptied(path: Path) -> None:
    """The lock's file is written by whoever takes it; what a link of its name leads to is not."""
    victim = path.with_name("victim")
    victim.write_text("mine")
    path.with_name("journal.sqlite.lock").symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        FileLock(path)
    with pytest.raises(JournalTrouble):
        open_journal(path, KEY, Environment.SANDBOX)
    assert victim.read_text() == "mine"


def test_readers_and_other_descriptors_do_not_end_it(path: Path, journal: Journal) -> None:
    """A lock of a process would be gone as soon as it closed any descriptor of the file."""
    for _ in range(3):
        path.read_bytes()
        looking = journal.inspection()
        assert looking.findings() == []
    path.with_name("journal.sqlite.lock").unlink()
    with till(path, 1) as other:
        assert said(other).startswith("in use by")


def test_a_damaged_journal_is_moved_aside_and_let_go(path: Path) -> None:
    """The lock of its own file goes with it; the fresh one has its own."""
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(Exception, match="moved to"):
        open_journal(path, KEY, Environment.SANDBOX)
    journal = open_journal(path, KEY, Environment.SANDBOX)
    with pytest.raises(JournalInUse):
        open_journal(path, KEY, Environment.SANDBOX)
    journal.append([intent(1)])
    journal.close()


MOUNT = """
import subprocess, sys
from pathlib import Path
from pos_app.domain.attempt import Environment
from pos_app.journal import JournalInUse, JournalTrouble, open_journal
from tests.support.builders import KEY, intent
path, what = Path(sys.argv[1]), sys.argv[2]
lock = path.with_name("journal.sqlite.lock")
cover = path.with_name("cover")
cover.touch()
def covered():
    subprocess.run(["mount", "--bind", cover, lock], check=True)
if what == "first":
    journal = open_journal(path, KEY, Environment.SANDBOX)
    journal.append([intent(1)])
    covered()
    try:
        journal.append([intent(2)])
        print("it sold on")
    except JournalTrouble as trouble:
        print(trouble.trouble)
else:
    covered()
    try:
        open_journal(path, KEY, Environment.SANDBOX)
        print("it opened")
    except JournalInUse:
        print("in use")
"""


@needs_a_view_of_its_own()
@pytest.mark.parametrize(("who", "says"), [("first", "lock_removed_or_replaced"), ("second", "in use")])
def test_a_mount_over_the_lock_is_seen_or_of_no_use(
    path: Path, opened: Callable[[], Journal], who: str, says: str
) -> None:
    """A second till in a view of the files of its own meets the journal's own lock; the first sees its own."""
    if who == "second":
        opened()
    done = subprocess.run(
        [*UNSHARE, sys.executable, "-c", MOUNT, str(path), who],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.stdout.strip() == says, done.stderr


def test_whoever_looks_whether_a_till_has_the_journal_keeps_none_from_it(path: Path) -> None:
    """An update asks before it replaces anything; a till that starts at that moment must not meet its lock."""
    assert not is_held(path)
    with closing(open_journal(path, KEY, Environment.SANDBOX)):
        looks = "import sys; from pathlib import Path; from pos_app.journal.lock import is_held; "
        looks += "print(is_held(Path(sys.argv[1])))"
        asks = [sys.executable, "-c", looks, str(path)]
        found = subprocess.run(asks, capture_output=True, text=True, check=True, cwd=ROOT)
        assert found.stdout == "True\n"
    assert not is_held(path)
    lock = path.with_name(path.name + ".lock")
    before = lock.read_bytes()
    for _ in range(3):
        is_held(path)
        open_journal(path, KEY, Environment.SANDBOX).close()
    assert lock.read_bytes() == before
