"""What lies in the built folder: Qt as it came and no part of it under the GPL alone, nothing of the builder's."""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.architecture.bundle_parts import part
from tests.architecture.sources import ROOT
from tests.verification.proof.bundle.built import (
    BUILT,
    INSIDE,
    QT,
    TOOLS,
    built,
    files,
    modules,
    one_at_a_time,
)

pytestmark = pytest.mark.timeout(1800)
KEPT = part("kept")
_RUNPATH = re.compile(r"^\s+(?:RUNPATH|RPATH)\s+(\S+)$", re.MULTILINE)


def test_no_module_of_qt_under_the_gpl_alone() -> None:
    """By the names of all files, whoever brought them; and no module that is not on the list."""
    assert [path for path in files() if KEPT["gpl_only"](path.name)] == []
    assert {path.name.removesuffix(".abi3.so") for path in QT.glob("Qt*.abi3.so")} <= KEPT["QT_MODULES"]
    plugins = QT / "Qt" / "plugins"
    assert {str(each.relative_to(plugins)) for each in plugins.rglob("*.so")} == KEPT["QT_PLUGINS"]


def test_qt_is_as_it_came_and_can_be_replaced() -> None:
    """LGPL: files of their own, not a byte of them changed from the package they came in."""
    built()
    asked = [str(TOOLS), "-I", "-c", "import PySide6; print(PySide6.__file__)"]
    wheels = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout).parents[1]
    libraries = [path for folder in (QT, INSIDE / "shiboken6") for path in folder.rglob("*.so*")]
    libraries = [path for path in libraries if not path.is_symlink()]
    assert len(libraries) > 15
    changed = [path for path in libraries if _sum(path) != _sum(wheels / path.relative_to(INSIDE))]
    assert changed == []


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_nothing_of_the_machine_it_was_built_on() -> None:
    """No path of the build, packed or not; and no library looks for others outside the folder."""
    here = str(ROOT)
    assert [path for path in files() if here.encode() in path.read_bytes()] == []
    assert modules(here) == modules(str(Path(sys.prefix))) == frozenset()
    libraries = [str(path) for path in files() if ".so" in path.name or path.name == "pos-app"]
    read = subprocess.run(["objdump", "-p", *libraries], capture_output=True, text=True, check=True).stdout
    searched = {place for line in _RUNPATH.findall(read) for place in line.split(":")}
    assert {place for place in searched if not place.startswith("$ORIGIN")} == set()


def test_no_tools_no_tests_and_no_source() -> None:
    """What a shop does not need it does not get; what it needs it gets."""
    packed = modules()
    tops = {name.partition(".")[0] for name in packed}
    assert tops.isdisjoint(
        {"PyInstaller", "babel", "hatchling", "mypy", "pip", "pytest", "rich", "setuptools", "tests"}
    )
    assert {"pos_app.sandbox.server", "pos_app.tour.day", "pos_app.training.phone.window"} <= packed
    assert [path for path in files() if path.suffix in {".py", ".pyi", ".po", ".c", ".h"}] == []
    assert (INSIDE / "certifi" / "cacert.pem").is_file()
    resources = INSIDE / "pos_app" / "resources"
    assert {path.name for path in (resources / "fonts").glob("*.ttf")} == set(KEPT["FONTS"])
    assert {path.stem for path in (resources / "languages").glob("*.mo")} >= {"ar", "si", "ta"}


def test_qt_for_python_need_not_unpack_its_own_modules() -> None:
    """They lie there compiled; it would unpack and compile them at each start."""
    compiled = {path.stem for path in (INSIDE / "shiboken6" / "files.dir" / "shibokensupport").rglob("*.pyc")}
    assert {"feature", "loader", "mapping", "parser"} <= compiled


def test_each_part_is_named_and_its_licence_given() -> None:
    """The list names every package with a module inside; the texts of LGPL, OFL and Python are there whole."""
    listed = (built() / "THIRD-PARTY.txt").read_text()
    named = {line.split()[0].lower().replace("_", "-") for line in listed.splitlines() if line}
    assert {"python", "pyside6-essentials", "shiboken6", "httpx", "cryptography", "keyring"} <= named
    assert {"fonts-noto-core", "libssl3", "pyinstaller", "uvicorn"} <= named
    texts = (BUILT / "LICENCES.txt").read_text()
    for sign in (
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "SIL Open Font License",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
        "Bootloader Exception",
    ):
        assert sign in texts
    assert str(Path.home()) not in texts + listed


def test_the_list_of_files_is_right() -> None:
    """What the installer checks before it puts anything in place."""
    listed = "".join(
        line for line in (built() / "CONTENTS.sha256").read_text().splitlines(keepends=True) if line[0] != "#"
    )
    subprocess.run(["sha256sum", "-c", "--quiet", "-"], input=listed, text=True, cwd=BUILT, check=True)
    # A release's folder is signed.
    own = {"CONTENTS.sha256", "CONTENTS.sha256.sig"}
    assert len(listed.splitlines()) == len([each for each in files() if each.name not in own])


def test_a_second_build_is_the_same_in_every_file() -> None:
    """Elsewhere, side by side, and from a copy: others read the folder in `dist` meanwhile. What differs is printed."""
    with one_at_a_time(), tempfile.TemporaryDirectory(prefix="pos-app-again-") as folder:
        for each in ("pos_app", "resources", "packaging"):
            shutil.copytree(ROOT / each, Path(folder, each))
        Path(folder, ".venv-bundle").symlink_to(ROOT / ".venv-bundle")
        command = ["sh", f"{folder}/packaging/bundle/build.sh", "--again"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Two builds are the same in every file.\n", "")
