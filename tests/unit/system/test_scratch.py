"""Folders to work in: whose are cleared, and whose are not."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.system.one_at_a_time import hold, let_go
from pos_app.system.scratch import clear_scratch, scratch_folder
from tests.support.owners_alone import is_owners_alone

LOCKED = pytest.mark.skipif(os.name != "posix", reason="folders cannot be locked")


def behind_the_making(monkeypatch: pytest.MonkeyPatch, act: Callable[[Path], None]) -> list[Path]:
    """Somebody else acts each time a folder was made, before it is held. The folders."""
    mkdtemp, made = tempfile.mkdtemp, list[Path]()

    def overtaken(**named: str) -> str:
        name: str = mkdtemp(**named)
        made.append(Path(name))
        act(Path(name))
        return name

    monkeypatch.setattr(tempfile, "mkdtemp", overtaken)
    return made


def test_it_is_its_owners_and_goes_with_the_work(tmp_path: Path) -> None:
    around = tmp_path / "around"
    with contextlib.suppress(ZeroDivisionError), scratch_folder(around, "sheets-") as folder:
        assert folder.name.startswith("sheets-")
        assert is_owners_alone(folder)
        assert is_owners_alone(around)
        (folder / "1.xml").touch()
        raise ZeroDivisionError
    assert list(around.iterdir()) == []


@LOCKED
def test_nobody_clears_what_another_works_in(tmp_path: Path) -> None:
    with scratch_folder(tmp_path, "sheets-") as folder:
        clear_scratch(tmp_path, "sheets-")
        assert folder.exists()


def test_what_was_left_is_cleared_and_neither_ones_own_nor_what_has_another_name(tmp_path: Path) -> None:
    for name in ("sheets-left", "sheets-own", "notes"):
        (tmp_path / name).mkdir()
    (tmp_path / "sheets-left" / "1.xml").touch()
    clear_scratch(tmp_path, "sheets-", but=(tmp_path / "sheets-own").resolve())
    assert {each.name for each in tmp_path.iterdir()} == {"sheets-own", "notes"}


def test_what_is_taken_for_left_before_it_is_held_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clears_the_first(folder: Path) -> None:
        if len(made) == 1:
            folder.rmdir()

    made = behind_the_making(monkeypatch, clears_the_first)
    with scratch_folder(tmp_path, "sheets-") as folder:
        assert folder.exists()
    assert len(made) == 2


def test_a_folder_around_that_goes_while_it_is_looked_at_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was there and is no folder: an export was told that its file has that name already."""
    mkdir, around = os.mkdir, tmp_path / "around"
    around.mkdir()

    def overtaken(path: Path, mode: int) -> None:
        try:
            mkdir(path, mode)
        except FileExistsError:
            around.rmdir()
            raise

    monkeypatch.setattr(os, "mkdir", overtaken)
    with scratch_folder(around, "sheets-") as folder:
        assert folder.parent == around


def test_what_is_no_folder_is_said(tmp_path: Path) -> None:
    around = tmp_path / "around"
    around.touch()
    with pytest.raises(OSError, match="around"), scratch_folder(around, "sheets-"):
        pass


@LOCKED
def test_what_another_holds_who_takes_it_for_left_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = list[int | None]()

    def holds_the_first(folder: Path) -> None:
        if len(made) == 1:
            held.append(hold(folder))

    made = behind_the_making(monkeypatch, holds_the_first)
    with scratch_folder(tmp_path, "sheets-") as folder:
        assert folder == made[1]
        let_go(held[0])


def test_where_every_one_is_taken_away_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    around = tmp_path / "around"
    made = behind_the_making(monkeypatch, lambda _folder: shutil.rmtree(around))
    with pytest.raises(FileNotFoundError, match="around"), scratch_folder(around, "sheets-"):
        pass
    assert len(made) > 1
