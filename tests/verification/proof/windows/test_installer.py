"""The installer under Wine, by what it ends with: done, refused over an open till or a newer one, gone again."""

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.windows.wine import LATER, UNINSTALLER, Wine, built, missing, setup, version

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        bool(missing()), reason=f"the till for Windows is not tried here, without {missing()}"
    ),
]
COULD_NOT, OPEN, NEWER = 2, 3, 4
SALE = ("pay", "--sandbox", "--amount", "7", "--push", "0771234567", "--customer", "approve", "--data-dir")


@pytest.fixture
def small(machine: Wine, tmp_path: Path) -> Iterator[Path]:
    """A folder of a few bytes in the till's place, for what asks for nothing inside; gone again behind."""
    yield small_folder(tmp_path)
    assert machine.run(*UNINSTALLER).code == 0


def small_folder(to: Path) -> Path:
    folder = to / "small"
    (folder / "_internal").mkdir(parents=True)
    for name in ("pos-app.exe", "pos-app.com", "CONTENTS.sha256", "_internal/base_library.zip"):
        (folder / name).write_bytes(b"small")
    return folder


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


STAYS_OPEN = """
#include <windows.h>
#include <string.h>
int main(int count, char **words) {
    const char *left = count > 1 && !strcmp(words[1], "drain") ? "C:\\\\asked" : "C:\\\\opened";
    CloseHandle(CreateFileA(left, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
    Sleep(INFINITE);
}
"""
"""A till that never closes. It leaves a file when it is open, and another when it is asked to close."""


@pytest.fixture
def open_till(machine: Wine, tmp_path: Path) -> Iterator[Path]:
    """A small folder with programs that run; they are ended behind the test."""
    folder, source = small_folder(tmp_path), tmp_path / "till.c"
    source.write_text(STAYS_OPEN)
    compiler = ["x86_64-w64-mingw32-gcc", "-Os", "-s", str(source), "-o"]
    subprocess.run([*compiler, str(folder / "pos-app.com")], check=True)
    shutil.copy(folder / "pos-app.com", folder / "pos-app.exe")
    yield folder
    machine.stop()
    for left in ("opened", "asked"):
        (machine.c / left).unlink(missing_ok=True)


def opened(machine: Wine, program: str) -> None:
    till = machine.start(program)
    while not (machine.c / "opened").exists():
        assert till.is_on(), till.said


def test_what_a_full_disk_did_not_take_leaves_the_till_its_room(
    machine: Wine, installed: Path, small: Path, tmp_path: Path
) -> None:
    """The half of a new folder kept the last byte of the disk from the till that was to go on selling."""
    assert machine.run(setup(tmp_path, version(), small), "/S").code == 0
    (small / "_internal" / "base_library.zip").write_bytes(random.Random(1).randbytes(3_000_000))
    assert machine.run(setup(tmp_path, LATER, small), "/S", most=1_000_000).code == COULD_NOT
    assert (installed / "_internal" / "base_library.zip").read_bytes() == b"small"
    assert not installed.with_name("pos-app.new").exists()
    assert not flag(machine).exists(), (
        "its process has gone, and Windows gives the number to another one soon"
    )


def flag(machine: Wine) -> Path:
    return machine.c / "ProgramData" / "pos-app" / "pos-app.updating"


def test_a_second_installer_beside_one_that_is_at_work(
    machine: Wine, installed: Path, open_till: Path, tmp_path: Path
) -> None:
    """A fleet's tool, and a person: both wrote the same new folder, and took it away under each other."""
    update = setup(tmp_path, version(), open_till)
    assert machine.run(update, "/S").code == 0
    opened(machine, "C:\\Program Files\\pos-app\\pos-app.com")
    first = machine.start(update, "/S")
    while not (machine.c / "asked").exists():
        assert first.is_on(), first.said
    named = flag(machine).read_bytes()
    assert machine.run(update, "/S").code == COULD_NOT
    assert machine.run(*UNINSTALLER).code == COULD_NOT
    assert flag(machine).read_bytes() == named
    assert (installed / "pos-app.exe").is_file()


def test_it_is_installed_in_one_place(machine: Wine, installed: Path, small: Path, tmp_path: Path) -> None:
    """A till of the folder before would be started from an old link, and seen by no update."""
    assert machine.run(setup(tmp_path, version(), small), "/S").code == 0
    assert machine.run(setup(tmp_path, LATER, small), "/S", "/D=C:\\elsewhere").code == COULD_NOT
    assert not (machine.c / "elsewhere").exists()
    assert (installed / "pos-app.exe").is_file()


def test_what_lies_in_the_way_of_the_new_folder_does_not_go_into_the_till_s(
    machine: Wine, installed: Path, small: Path, tmp_path: Path
) -> None:
    """On another disk than Windows' everybody may lay it there: a library, say, that a program finds beside itself."""
    assert machine.run(setup(tmp_path, version(), small), "/S").code == 0
    stranger = installed.with_name("pos-app.new")
    stranger.mkdir()
    (stranger / "version.dll").write_bytes(b"a stranger's")
    assert machine.run(setup(tmp_path, LATER, small), "/S").code == COULD_NOT
    assert [each.name for each in stranger.iterdir()] == ["version.dll"]
    assert not (installed / "version.dll").exists()
    assert not flag(machine).exists()
    shutil.rmtree(stranger)


def test_a_program_that_no_installer_laid_is_not_asked(
    machine: Wine, open_till: Path, tmp_path: Path
) -> None:
    """Whoever laid it would have it run as the administrator."""
    planted = machine.c / "planted"
    shutil.copytree(open_till, planted)
    opened(machine, "C:\\planted\\pos-app.com")
    assert machine.run(setup(tmp_path, version(), open_till), "/S", "/D=C:\\planted").code == OPEN
    assert not (machine.c / "asked").exists()
    machine.stop()
    shutil.rmtree(planted)
