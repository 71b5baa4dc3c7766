"""What is written as it comes is there whole or not at all; a killed writer's part goes, a living one's stays."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from pos_app.system.atomic_file import WholeFile, WriteTrouble, clear_part, part_of, write_trouble
from tests.support.owners_alone import is_owners_alone


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_it_has_its_name_once_it_is_whole_and_tells_what_lies_there(tmp_path: Path) -> None:
    path = tmp_path / "day.csv"
    with WholeFile(path) as whole:
        whole.file.write(b"one")
        assert names(tmp_path) == [".day.csv.part"]
        assert is_owners_alone(part_of(path))
        whole.file.write(b"two")
    assert names(tmp_path) == ["day.csv"]
    assert path.read_bytes() == b"onetwo"
    assert whole.sha256 == hashlib.sha256(b"onetwo").hexdigest()


def test_left_by_an_error_there_is_nothing(tmp_path: Path) -> None:

    def broken_off() -> None:
        with WholeFile(tmp_path / "day.csv") as whole:
            whole.file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert names(tmp_path) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_refuses_at_the_end_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "day.csv"
    path.write_bytes(b"before")

    def refuse(_descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match=r".") as failed, WholeFile(path, replace=True) as whole:
        whole.file.write(b"half")
    assert failed.value.errno == number
    assert names(tmp_path) == ["day.csv"]
    assert path.read_bytes() == b"before"


def test_a_name_that_is_taken_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "day.csv"
    path.write_bytes(b"before")
    with pytest.raises(FileExistsError), WholeFile(path):
        pytest.fail("it was begun")
    # Also one that was taken while it was being written, on a stick without links as well.
    other = tmp_path / "other.csv"

    def overtaken() -> None:
        with WholeFile(other) as whole:
            whole.file.write(b"ours")
            other.write_bytes(b"theirs")

    with pytest.raises(FileExistsError):
        overtaken()
    assert other.read_bytes() == b"theirs"
    with WholeFile(path, replace=True) as whole:
        whole.file.write(b"after")
    assert (path.read_bytes(), names(tmp_path)) == (b"after", ["day.csv", "other.csv"])


def test_a_part_that_nobody_writes_goes_and_one_that_is_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "day.csv"
    part_of(path).write_bytes(b"left by a kill")
    with WholeFile(path) as whole:
        whole.file.write(b"new")
        with pytest.raises(BlockingIOError), WholeFile(path):
            pytest.fail("two at once")
        with pytest.raises(BlockingIOError):
            clear_part(part_of(path))
    assert path.read_bytes() == b"new"
    clear_part(part_of(path))
    part_of(path).write_bytes(b"left by a kill")
    clear_part(part_of(path))
    assert names(tmp_path) == ["day.csv"]


@pytest.mark.skipif(os.name != "posix", reason="nothing is locked")
def test_where_nothing_can_be_locked_a_part_that_nobody_goes_on_writing_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On some networks' folders; the name of a file that was once broken off was never to be had again."""
    import fcntl

    def no_locks(_descriptor: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    path = tmp_path / "day.csv"
    part = part_of(path)
    part.write_bytes(b"half")
    with pytest.raises(BlockingIOError), WholeFile(path):
        pytest.fail("another may be writing it")
    assert part.read_bytes() == b"half"
    an_hour_ago = time.time() - 3600
    os.utime(part, (an_hour_ago, an_hour_ago))
    with WholeFile(path) as whole:
        whole.file.write(b"whole")
    assert names(tmp_path) == ["day.csv"]


@pytest.mark.skipif(os.name != "posix", reason="Windows lets nobody take away what is open")
def test_of_two_at_once_the_one_whose_part_was_taken_away_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between being made and being held a part looks like a leftover. Its writer then took away the other's in turn,
    or gave it the name while it was half written: both ended with an error, and a file was there that nobody wrote.
    """
    import fcntl

    path = tmp_path / "day.csv"
    others = WholeFile(path)
    flock = fcntl.flock

    def overtaken(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", flock)
        others.__enter__()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", overtaken)
    with pytest.raises(BlockingIOError), WholeFile(path):
        pytest.fail("two at once")
    others.file.write(b"whole")
    assert names(tmp_path) == [".day.csv.part"]
    others.__exit__(None, None, None)
    assert path.read_bytes() == b"whole"
    assert names(tmp_path) == ["day.csv"]


def test_of_many_at_once_one_gets_the_name_and_what_is_there_is_its_own(tmp_path: Path) -> None:
    for round_ in range(50):
        path = tmp_path / f"{round_}.csv"
        together = Barrier(4)

        def write(text: bytes, path: Path = path, together: Barrier = together) -> bytes | None:
            together.wait()
            try:
                with WholeFile(path) as whole:
                    whole.file.write(text)
            except (BlockingIOError, FileExistsError):
                return None
            return text

        with ThreadPoolExecutor(4) as pool:
            written = list(filter(None, pool.map(write, [b"1" * 9, b"2" * 99, b"3" * 999, b"4" * 9_999])))
        assert written == [path.read_bytes()]
    assert len(names(tmp_path)) == 50


@pytest.mark.skipif(os.name != "posix", reason="Windows lets nobody take away what is open")
def test_one_that_has_its_name_leaves_the_part_of_the_next_writer_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Put in the place of what was there it has no part any more. Another began one before the first had looked whether
    anything was left of its own: it took the other's away, who was told that its folder is gone.
    """
    path = tmp_path / "day.csv"
    next_one = WholeFile(path, replace=True)
    replace = Path.replace

    def overtaken(part: Path, target: Path) -> None:
        monkeypatch.setattr(Path, "replace", replace)
        replace(part, target)
        next_one.__enter__()

    monkeypatch.setattr(Path, "replace", overtaken)
    with WholeFile(path, replace=True) as whole:
        whole.file.write(b"first")
    assert path.read_bytes() == b"first"
    assert names(tmp_path) == [".day.csv.part", "day.csv"]
    next_one.file.write(b"next")
    next_one.__exit__(None, None, None)
    assert path.read_bytes() == b"next"
    assert names(tmp_path) == ["day.csv"]


def test_of_many_at_once_that_may_replace_each_ends_well_or_is_told_that_it_is_being_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "day.csv"
    together = Barrier(4)

    def write(text: bytes) -> bytes | None:
        together.wait()
        for _ in range(50):
            try:
                with WholeFile(path, replace=True) as whole:
                    whole.file.write(text)
            except BlockingIOError:
                continue
        return text

    texts = [b"1" * 9, b"2" * 99, b"3" * 999, b"4" * 9_999]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(write, texts)) == texts
    assert path.read_bytes() in texts
    assert names(tmp_path) == ["day.csv"]


def test_a_link_in_the_parts_place_is_not_followed(tmp_path: Path) -> None:
    aim = tmp_path / "aim"
    aim.write_bytes(b"somebody's")
    part_of(tmp_path / "day.csv").symlink_to(aim)
    with pytest.raises(OSError, match=r"."), WholeFile(tmp_path / "day.csv"):
        pytest.fail("it was followed")
    assert aim.read_bytes() == b"somebody's"


@pytest.mark.parametrize(
    ("number", "trouble"),
    [
        (errno.ENOSPC, WriteTrouble.FULL),
        (errno.EDQUOT, WriteTrouble.FULL),
        (errno.EFBIG, WriteTrouble.TOO_BIG),
        (errno.EIO, WriteTrouble.GONE),
        (errno.ENOENT, WriteTrouble.GONE),
        (errno.EROFS, WriteTrouble.READ_ONLY),
        (errno.EACCES, WriteTrouble.NOT_ALLOWED),
        (errno.EEXIST, WriteTrouble.EXISTS),
        (errno.EAGAIN, WriteTrouble.BEING_WRITTEN),
        (errno.ENAMETOOLONG, WriteTrouble.OTHER),
    ],
)
def test_what_a_disk_says_is_what_a_person_can_do_something_about(number: int, trouble: WriteTrouble) -> None:
    assert write_trouble(OSError(number, os.strerror(number))) is trouble
