"""The installer under Wine, by what it ends with: done, refused over an open till or a newer one, gone again."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.windows.wine import LATER, Wine, built, missing, setup, version

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        bool(missing()), reason=f"the till for Windows is not tried here, without {missing()}"
    ),
]
OPEN, NEWER = 3, 4
SALE = ("pay", "--sandbox", "--amount", "7", "--push", "0771234567", "--customer", "approve", "--data-dir")


UNINSTALLER = ("C:\\Program Files\\pos-app\\uninstall.exe", "/S", "_?=C:\\Program", "Files\\pos-app")
"""Told its folder, last and without quotes (so in two words), it does not go on from a copy of itself."""


@pytest.fixture
def small(machine: Wine, tmp_path: Path) -> Iterator[Path]:
    """A folder of a few bytes in the till's place, for what asks for nothing inside; gone again behind."""
    folder = tmp_path / "small"
    (folder / "_internal").mkdir(parents=True)
    for name in ("pos-app.exe", "pos-app.com", "CONTENTS.sha256", "_internal/base_library.zip"):
        (folder / name).write_bytes(b"small")
    yield folder
    assert machine.run(*UNINSTALLER).code == 0


def test_installed_refused_while_open_or_newer_and_taken_away(
    machine: Wine, installed: Path, tmp_path: Path
) -> None:
    """One story: each step stands on what the one before left."""
    built()
    older, newer = setup(tmp_path, version()), setup(tmp_path, LATER)
    there = installed
    program = "C:\\Program Files\\pos-app\\pos-app.com"

    assert machine.run(newer, "/S").code == 0
    files = {path.relative_to(built()) for path in built().rglob("*") if path.is_file()}
    assert {path.relative_to(there) for path in there.rglob("*") if path.is_file()} == {
        *files,
        Path("uninstall.exe"),
    }
    assert all((there / each).read_bytes() == (built() / each).read_bytes() for each in files)
    assert (machine.c / "ProgramData" / "pos-app").is_dir()
    sold = machine.run(program, *SALE, "C:\\till")
    assert sold.code == 0, sold.said

    # An open till: any program of the folder that runs.
    till = machine.start(program, "sandbox", "--data-dir", "C:\\service")
    assert till.says("http://127.0.0.1"), till.said
    assert machine.run(newer, "/S").code == OPEN
    assert till.is_on()
    assert all((there / each).is_file() for each in files)
    till.kill()

    assert machine.run(older, "/S").code == NEWER
    assert machine.run(older, "/S", "/OLDER").code == 0
    assert machine.run(older, "/S").code == 0
    assert not (machine.c / "ProgramData" / "pos-app" / "pos-app.updating").exists()
    assert not there.with_name("pos-app.old").exists()
    assert not there.with_name("pos-app.new").exists()

    assert machine.run(*UNINSTALLER).code == 0
    assert not (there / "pos-app.exe").exists()
    assert list((machine.c / "till").rglob("journal.sqlite"))


def test_a_folder_with_something_else_in_it_stays_as_it_is(machine: Wine, tmp_path: Path) -> None:
    """The old version's folder is taken away at the end: another's must never be."""
    foreign = machine.c / "photos"
    foreign.mkdir()
    (foreign / "holiday.jpg").write_bytes(b"sun")
    assert machine.run(setup(tmp_path, version()), "/S", "/D=C:\\photos").code == 2
    assert [path.name for path in foreign.iterdir()] == ["holiday.jpg"]


def test_a_candidate_is_older_than_its_release(
    machine: Wine, installed: Path, small: Path, tmp_path: Path
) -> None:
    """And newer than the candidates before it: by their numbers, not by their letters."""
    for called, code in (
        ("98.0.0b2", 0),
        ("98.0.0rc2", 0),
        ("98.0.0rc10", 0),
        ("98.0.0rc2", NEWER),
        ("98.0.0b11", NEWER),
        ("98.0.0", 0),
        ("98.0.0rc10", NEWER),
        ("98.0.0", 0),
        ("98.0.1rc1", 0),
        ("98.0.0", NEWER),
    ):
        assert machine.run(setup(tmp_path, called, small), "/S").code == code, called
    assert (installed / "pos-app.exe").is_file()


def test_a_strangers_file_in_the_folder_stops_no_later_update(
    machine: Wine, installed: Path, small: Path, tmp_path: Path
) -> None:
    """It stays behind with the version it lay in; once the folder of that name could not be put aside any more."""
    update = setup(tmp_path, LATER, small)
    assert machine.run(update, "/S").code == 0
    left = installed.with_name("pos-app.old")
    for more in ("notes.txt", "", "more.txt", ""):
        if more:
            (installed / more).write_bytes(b"a stranger's")
        assert machine.run(update, "/S").code == 0
        assert (installed / "pos-app.exe").is_file()
    assert [each.name for each in left.iterdir()] == ["notes.txt"]
    beside = left.with_name("pos-app.old.1")
    assert [each.name for each in beside.iterdir()] == ["more.txt"]
    assert not left.with_name("pos-app.old.2").exists()
    for folder in (left, beside):
        shutil.rmtree(folder)
