"""A file is written whole or not at all, lasts, is private, and follows no link."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.system.atomic_file import WholeFile, make_last, write_whole


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _refusing(number: int) -> Callable[..., None]:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"before")
    return file


def test_it_is_private_unless_told_otherwise(tmp_path: Path) -> None:
    """Whatever mask the process was started with, and whatever the file before it allowed."""
    old = os.umask(0)
    try:
        write_whole(tmp_path / "key", b"k")
        write_whole(tmp_path / "shown", b"s", mode=0o644)
        (tmp_path / "was-open").touch(0o666)
        write_whole(tmp_path / "was-open", b"k")
    finally:
        os.umask(old)
    assert [_mode(tmp_path / name) for name in ("key", "shown", "was-open")] == [0o600, 0o644, 0o600]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_nothing_but_a_file_is_replaced(tmp_path: Path) -> None:
    """Root's /dev/null was gone, put aside for a bundle of diagnostics or the store's export with --force."""
    pipe, link, folder = tmp_path / "pipe", tmp_path / "link", tmp_path / "folder"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    folder.mkdir()
    for path, told in ((pipe, "it is no file"), (link, "it is no file"), (folder, "it is a folder")):
        with pytest.raises(OSError, match=told):
            write_whole(path, b"data")
        with pytest.raises(OSError, match=told), WholeFile(path, replace=True):
            pass
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert {each.name for each in tmp_path.iterdir()} == {"pipe", "link", "folder"}


@pytest.mark.skipif(os.name != "posix", reason="no such links there")
def test_a_link_that_leads_nowhere_is_replaced(tmp_path: Path) -> None:
    for link, leads_to in ((tmp_path / "round", "round"), (tmp_path / "nowhere", "gone")):
        link.symlink_to(leads_to)
        write_whole(link, b"data")
        assert (link.is_symlink(), link.read_bytes()) == (False, b"data")


def test_it_lasts_before_it_is_said_to_be_there(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes before they get their name, the name before it returns."""
    seen: list[tuple[str, bytes]] = []
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        synced = Path(f"/proc/self/fd/{descriptor}").readlink()
        seen.append(("folder" if synced == file.parent else synced.name, file.read_bytes()))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(file, b"after")
    (first, before), (second, after) = seen
    assert first.startswith(".settings.toml.")
    assert (before, second, after) == (b"before", "folder", b"after")


def test_what_somebody_else_wrote_is_made_last_and_stays(file: Path) -> None:
    """Also on Windows, which syncs no file that is only read: there no journal could be brought to a new version."""
    make_last(file)
    assert file.read_bytes() == b"before"


@pytest.mark.parametrize("new", [False, True])
def test_a_full_disk_leaves_what_was_there_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch, new: bool
) -> None:
    monkeypatch.setattr(os, "fsync", _refusing(errno.ENOSPC))
    with pytest.raises(OSError, match="No space left"):
        write_whole(file.with_name("other") if new else file, b"after", new=new)
    assert [(each.name, each.read_bytes()) for each in file.parent.iterdir()] == [(file.name, b"before")]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_a_folder_that_knows_no_sync_is_used_and_a_broken_one_is_told(
    file: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            _refusing(number)()
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    if number == errno.EIO:
        with pytest.raises(OSError, match="Input/output error"):
            write_whole(file, b"after")
    else:
        write_whole(file, b"after")
    assert file.read_bytes() == b"after"


@pytest.mark.parametrize("new", [False, True])
def test_no_link_is_followed(file: Path, new: bool) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    if new:
        with pytest.raises(FileExistsError):
            write_whole(link, b"after", new=True)
    else:
        write_whole(link, b"after")
    assert link.is_symlink() is new
    assert file.read_bytes() == b"before"


@pytest.mark.parametrize("with_links", [True, False])
def test_a_new_file_takes_nobodys_place(
    file: Path, monkeypatch: pytest.MonkeyPatch, with_links: bool
) -> None:
    """Also on a stick whose file system knows no links."""
    if not with_links:
        monkeypatch.setattr(os, "link", _refusing(errno.EPERM))
    with pytest.raises(FileExistsError):
        write_whole(file, b"after", new=True)
    write_whole(file.with_name("other"), b"after", new=True)
    assert {each.name: each.read_bytes() for each in file.parent.iterdir()} == {
        file.name: b"before",
        "other": b"after",
    }


def test_what_a_killed_writer_left_is_taken_away_by_the_next(file: Path) -> None:
    """It may hold a secret that was revoked since. What another writer is at just now is let be."""
    left, under_way, another = (
        file.with_name(name)
        for name in (".settings.toml.0badcafe.new", ".settings.toml.1badcafe.new", ".other.0badcafe.new")
    )
    for each in (left, under_way, another):
        each.write_bytes(b"half")
    long_ago = time.time() - 3600
    os.utime(left, (long_ago, long_ago))
    os.utime(another, (long_ago, long_ago))
    write_whole(file, b"after")
    assert sorted(each.name for each in file.parent.iterdir()) == sorted(
        [another.name, under_way.name, file.name]
    )
