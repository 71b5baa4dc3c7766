"""The learners' results on the disk: kept whole, moved aside when they cannot be read, a full disk is told."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pos_app.training.course.progress import Register
from pos_app.training.course.run import Outcome
from pos_app.training.learners_file import ASIDE, NAME, LearnersFile

AT = "2026-01-31T14:05:00+05:30"
REGISTER = Register().marked("Asha", "late", Outcome.RIGHT, AT)


def _full(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    assert LearnersFile(tmp_path).load() == Register()
    assert LearnersFile(tmp_path).save(REGISTER) == ""
    assert LearnersFile(tmp_path).load() == REGISTER
    assert [each.name for each in tmp_path.iterdir()] == [NAME]


def test_what_cannot_be_read_is_moved_aside_and_never_deleted(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"{half")
    assert LearnersFile(tmp_path).load() == Register()
    assert (tmp_path / ASIDE).read_bytes() == b"{half"
    assert LearnersFile(tmp_path).save(REGISTER) == ""


def test_a_disk_that_does_not_give_it_keeps_it_all_the_same(tmp_path: Path) -> None:
    """Its place is not for the next learner to write over: whoever mends the disk finds it aside."""
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "inside").write_bytes(b"x")
    assert LearnersFile(tmp_path).load() == Register()
    assert (tmp_path / ASIDE / "inside").read_bytes() == b"x"
    assert LearnersFile(tmp_path).save(REGISTER) == ""
    assert LearnersFile(tmp_path).load() == REGISTER


def test_what_cannot_be_written_is_told_and_the_old_results_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = LearnersFile(tmp_path)
    file.save(REGISTER)
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", _full)
        assert file.save(Register()) == "No space left on device"
    assert file.load() == REGISTER


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    assert LearnersFile(tmp_path).load() == Register()
    assert LearnersFile(tmp_path).save(REGISTER) == ""
    assert LearnersFile(tmp_path).load() == REGISTER
