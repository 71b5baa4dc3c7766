"""Which version this is: what a builder wrote down, else the commit of a checkout as its own files say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.journal.schema import MIGRATIONS
from pos_app.system import version
from pos_app.system.version import Build
from tests.architecture.bundle_parts import part

COMMIT = "3f2a9c1d5e" * 4


def _checkout(root: Path, head: str) -> Path:
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text(f"{head}\n")
    return root


def test_the_number_of_the_journal_is_that_of_its_last_migration() -> None:
    """It is told without loading them: a migration of its own counts here too."""
    assert len(MIGRATIONS) == version.JOURNAL


def test_a_builder_says_which_commit_and_of_which_day(tmp_path: Path) -> None:
    """What the bundle's own step writes is what the program reads."""
    folder = tmp_path / "_internal" / "pos_app" / "resources"
    folder.mkdir(parents=True)
    part("finish")["note_build"](tmp_path, COMMIT, 1_795_359_600)
    assert version.build(folder / "build") == Build(COMMIT[:12], "2026-11-22")


def test_no_commit_is_said_where_nobody_knows_one(tmp_path: Path) -> None:
    """A wheel's own folder."""
    part("finish")["note_build"](tmp_path, "", 0)
    assert version.build(tmp_path / "build", tmp_path) == Build("", "source")


@pytest.mark.parametrize("told", ["", "3f2a9c1d5e", "a b c", "<script> 2026-11-22", "\xff\xfe"])
def test_a_note_that_is_none_names_no_commit(told: str, tmp_path: Path) -> None:
    note = tmp_path / "build"
    note.write_text(told, "latin-1")
    assert version.build(note, tmp_path).commit == ""


class TestCheckout:
    """Where git has the program's files."""

    def test_a_branch(self, tmp_path: Path) -> None:
        root = _checkout(tmp_path, "ref: refs/heads/main")
        (root / ".git" / "refs" / "heads").mkdir(parents=True)
        (root / ".git" / "refs" / "heads" / "main").write_text(f"{COMMIT}\n")
        assert version.build(tmp_path / "none", root) == Build(COMMIT[:12], "source")

    def test_a_branch_that_git_has_packed(self, tmp_path: Path) -> None:
        root = _checkout(tmp_path, "ref: refs/heads/main")
        packed = f"# pack-refs with: peeled\n{'0' * 40} refs/heads/other/main\n{COMMIT} refs/heads/main\n"
        (root / ".git" / "packed-refs").write_text(packed)
        assert version.build(tmp_path / "none", root).commit == COMMIT[:12]

    def test_a_branch_without_a_commit(self, tmp_path: Path) -> None:
        assert version.build(tmp_path / "none", _checkout(tmp_path, "ref: refs/heads/main")).commit == ""

    def test_a_commit_by_itself(self, tmp_path: Path) -> None:
        assert version.build(tmp_path / "none", _checkout(tmp_path, COMMIT)).commit == COMMIT[:12]

    def test_a_work_tree_beside_the_repository(self, tmp_path: Path) -> None:
        root = _checkout(tmp_path / "main", "ref: refs/heads/main")
        own = root / ".git" / "worktrees" / "own"
        own.mkdir(parents=True)
        (own / "HEAD").write_text("ref: refs/heads/own\n")
        (own / "commondir").write_text("../..\n")
        (root / ".git" / "refs" / "heads").mkdir(parents=True)
        (root / ".git" / "refs" / "heads" / "own").write_text(COMMIT)
        beside = tmp_path / "beside"
        beside.mkdir()
        (beside / ".git").write_text(f"gitdir: {own}\n")
        assert version.build(tmp_path / "none", beside).commit == COMMIT[:12]
