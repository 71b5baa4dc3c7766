"""The finished folder for Windows, under Wine: it sells, takes its tour, and each of its files is what it should be."""

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from tests.architecture.bundle_parts import part
from tests.verification.proof.tour.test_languages_and_themes import CODES, SHOWN
from tests.verification.proof.windows.wine import BUILD, MADE, Wine, built, missing

pytestmark = [
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        bool(missing()), reason=f"the till for Windows is not tried here, without {missing()}"
    ),
]
TOUR_LIMIT_S = 900
"""68 s on two idle cores; other proofs have them too."""


def test_a_payment_is_taken_without_a_window(machine: Wine, till: str) -> None:
    """In letters of all kinds on a pipe, from a folder named in three scripts."""
    sale = ("pay", "--sandbox", "--amount", "12.50", "--push", "0771234567", "--customer", "approve")
    done = machine.run(f"{till}\\pos-app.com", *sale)
    assert done.code == 0, done.said
    assert "· Paid" in done.said


def test_the_doctor_says_that_wine_is_no_windows(machine: Wine, till: str) -> None:
    """And finds the key store. What SQLite makes beside the journal Wine leaves open: it passes nothing on to it."""
    done = machine.run(f"{till}\\pos-app.com", "doctor", "--sandbox")
    assert "note     proof: this version was tried under Wine, not on Windows" in done.said
    assert "ok       key store: " in done.said
    assert [
        line for line in done.said.splitlines() if line.startswith("PROBLEM") and "permissions" not in line
    ] == []


def test_the_tour_comes_to_its_end(machine: Wine, till: str) -> None:
    """Every scene, with a picture of each screen, and codes that can be scanned."""
    done = machine.run(f"{till}\\pos-app.com", "tour", "--screenshots", "C:\\tour", limit_s=TOUR_LIMIT_S)
    assert done.code == 0, done.said
    pictures = {path.stem.partition("-")[2]: path for path in (machine.c / "tour").glob("*.png")}
    assert set(SHOWN) <= set(pictures)
    for name in CODES:
        assert zxingcpp.read_barcodes(Image.open(pictures[name])), name


def test_nothing_of_wine_and_no_more_of_qt_than_is_named() -> None:
    """What the folder needs of a Windows, every Windows 10 has: packaging/windows/seal.py refused all else."""
    kept = part("kept")
    qt = built() / "_internal" / "PySide6"
    assert {path.stem for path in qt.glob("*.pyd")} == kept["QT_MODULES"]
    plugins = {path.relative_to(qt / "plugins").as_posix() for path in qt.glob("plugins/*/*.dll")}
    assert plugins == kept["QT_PLUGINS_WINDOWS"]
    assert [path for path in built().rglob("*") if kept["gpl_only"](path.name)] == []
    packages = MADE / "python" / "Lib" / "site-packages"
    changed = [
        path
        for path in qt.rglob("*.dll")
        if "Qt6" in path.name and _sum(path) != _sum(packages / "PySide6" / path.relative_to(qt))
    ]
    assert changed == []


def test_the_list_of_files_is_right() -> None:
    """And it has every one."""
    said = (built() / "CONTENTS.sha256").read_text(encoding="utf-8").splitlines()
    listed = {name: summed for summed, _, name in (line.partition("  ") for line in said)}
    there = {path.relative_to(built()).as_posix(): path for path in built().rglob("*") if path.is_file()}
    own = {"CONTENTS.sha256", "CONTENTS.sha256.sig"}
    assert {name: _sum(path) for name, path in there.items() if name not in own} == listed


def test_each_part_is_named_and_its_licence_given() -> None:
    listed = (built() / "THIRD-PARTY.txt").read_text(encoding="utf-8").splitlines()
    named = {line.split()[0].lower().replace("_", "-") for line in listed}
    assert {"python", "pyside6-essentials", "shiboken6", "keyring", "fonts-noto-core", "pyinstaller"} <= named
    texts = (built() / "LICENCES.txt").read_text(encoding="utf-8")
    for sign in (
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "SIL Open Font License",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
    ):
        assert sign in texts


def test_nothing_of_the_machine_it_was_built_on() -> None:
    """No path of the build, as Linux and as Wine writes it."""
    here = str(Path.cwd()).encode()
    signs = (here, here.replace(b"/", b"\\"))
    assert [
        path for path in built().rglob("*") if path.is_file() and any(s in path.read_bytes() for s in signs)
    ] == []


def test_two_installers_of_one_folder_are_equal(tmp_path: Path) -> None:
    assert built().is_dir()
    made, environment = [], {**os.environ, "COMPRESS": "zlib"}
    for name in ("one.exe", "two.exe"):
        made.append(tmp_path / name)
        subprocess.run(
            [*BUILD, "--installer", str(made[-1])], check=True, stdin=subprocess.DEVNULL, env=environment
        )
        # Nothing that an earlier build left is a part of it, and nothing that this one leaves of the next.
        (MADE / "pos-app.ico").unlink()
    assert _sum(made[0]) == _sum(made[1])


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
