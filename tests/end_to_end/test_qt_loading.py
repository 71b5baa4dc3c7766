"""How Qt for Python is loaded: none of it that the till does not want, and nothing of it lost."""

from __future__ import annotations

import builtins
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pos_app.app.qt_loading import LATER

# The last line: which import is in force, and of how many of our modules the source was read and kept.
LOADED = """
import builtins, linecache
import pos_app.app.session
ours = [name for name in linecache.cache if "pos_app" in name]
print(builtins.__import__.__name__, len(ours))
"""
PLAINLY = "from pos_app.app.qt_loading import load_qt; load_qt()\n"


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_module_is_read_through_for_qts_sake() -> None:
    assert run(PLAINLY + LOADED).split() == ["__import__", "0"]


def test_qt_for_python_would_do_so() -> None:
    """As long as it does there is something to prevent; when it no longer does, that part of qt_loading.py can go."""
    name, read = run("import PySide6.QtCore" + LOADED).split()
    assert name != "__import__"
    assert int(read) > 50


def test_the_tests_themselves_are_loaded_plainly(qapp: Any) -> None:
    assert qapp is not None
    assert builtins.__import__.__name__ == "__import__"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A beginning of a program for which Qt for Python's own modules are files, as in the till's environment.

    That of the tests has them in an archive, as pip leaves them: from there they are loaded at once or never.
    """
    folder = tmp_path_factory.mktemp("qt")
    for name in ("PySide6", "shiboken6"):
        found = importlib.util.find_spec(name)
        assert found is not None
        assert found.origin is not None
        if name == "PySide6":
            (folder / name).symlink_to(Path(found.origin).parent)
        else:
            shutil.copytree(Path(found.origin).parent, folder / name)
    here = f"import os, sys; sys.path.insert(0, {str(folder)!r})\n"
    run(here + "os.environ['SBK_EMBED'] = '0'; import PySide6.QtCore")
    return here + PLAINLY


def test_what_explains_calls_is_loaded_by_the_first_wrong_one(unpacked: str) -> None:
    said = run(
        unpacked
        + """
from PySide6.QtCore import QTimer
parser = sys.modules["shibokensupport.signature.parser"]
print("pyside_type_init" in vars(parser), "inspect" in sys.modules)
try:
    QTimer().start("soon")
except TypeError as error:
    print(str(error).replace(chr(10), " "))
print(type(parser).__name__, "pyside_type_init" in vars(parser))
"""
    )
    before, error, after = said.splitlines()
    assert before.startswith("False")
    assert "QTimer.start(str)" in error
    assert "Supported signatures" in error
    assert after == "module True"


def test_all_of_it_is_there_once_a_window_stands(unpacked: str) -> None:
    said = run(
        unpacked
        + """
import pos_app.app.run as run
from PySide6.QtWidgets import QApplication
from pos_app.bootstrap.options import Options
os.environ["QT_QPA_PLATFORM"] = "offscreen"
app = run.App(QApplication([]), Options())
names = [name for name in sys.modules if name.startswith("shibokensupport.signature.")]
kinds = lambda: {type(sys.modules[name]).__name__ for name in names}
before = kinds()
app.stands.emit()
print(sorted(before), sorted(kinds()))
"""
    )
    assert said.strip() == "['_Later', 'module'] ['module']"


def test_each_of_them_is_there(unpacked: str) -> None:
    """One that Qt for Python gave another name would be loaded at each start again, and nobody would know."""
    said = run(unpacked + f"print(*[type(sys.modules[name]).__name__ for name in {sorted(LATER)}])\n")
    assert set(said.split()) == {"_Later"}
