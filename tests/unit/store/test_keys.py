"""The store's key: made once, whole, and never written over."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pos_app.store import keys


def test_a_key_that_was_cut_off_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, a power cut: the next init makes it, and finds nothing that looks like one."""
    file = tmp_path / "keys" / "store.key"

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="space"):
            keys.make(file)
    assert not file.exists()
    made = keys.make(file)
    assert keys.load(file).derived("page") == made.derived("page")
    assert [each.name for each in file.parent.iterdir()] == ["store.key"]
    assert os.name != "posix" or file.stat().st_mode & 0o777 == 0o600


def test_a_key_that_is_there_stays(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "store.key"
    made = keys.make(file)
    with pytest.raises(FileExistsError):
        keys.make(file)
    assert keys.load(file).derived("page") == made.derived("page")
    assert [each.name for each in file.parent.iterdir()] == ["store.key"]
