"""Modules planted where Python looks first: the working folder, PYTHONPATH, a sitecustomize."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from tests.attacks.trap import Trap
from tests.support.sandbox import REPOSITORY

ANEW = "not taken from the environment: PYTHON"


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def test_a_trap_works(trap: Trap) -> None:
    """Without any care each of these is loaded; a trap that cannot spring proves nothing."""
    done = trap.start([sys.executable, "-c", "import json, msgspec"], {"PYTHONPATH": str(trap.folder)})
    assert (done.returncode, trap.sprung) == (0, {"sitecustomize", "json", "msgspec"})


def test_modules_in_the_working_folder_are_not_the_tills(trap: Trap, tmp_path: Path) -> None:
    """Neither by the till nor by the sandbox it starts."""
    done = trap.run("--sandbox", "--data-dir", str(tmp_path / "data"), "doctor")
    assert "connection: http://127.0.0.1" in done.stdout, done.stderr
    assert trap.sprung == set()


def test_the_installed_command_begins_with_the_isolation(trap: Trap) -> None:
    """The script a package installer makes: in a folder of its own, which Python puts first."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"pos-app": "pos_app.__main__:main"}
    script = trap.folder.parent / "pos-app"
    script.write_text("import sys\nfrom pos_app.__main__ import main\nsys.exit(main())\n")
    done = trap.start([sys.executable, str(script), "--help"], {"PYTHONWARNINGS": "error"})
    assert done.returncode == 0
    assert ANEW + "WARNINGS" in done.stderr
    assert trap.sprung == set()


@pytest.mark.parametrize(
    "name", ["PYTHONPATH", "PYTHONPYCACHEPREFIX", "PYTHONINSPECT", "PYTHONOPTIMIZE", "PYTHONBREAKPOINT"]
)
def test_a_variable_of_python_makes_it_start_anew(trap: Trap, name: str) -> None:
    """It is said, and what it named is not what the till runs on."""
    done = trap.run("--help", variables={name: str(trap.folder)})
    assert done.returncode == 0, done.stderr
    assert f"pos-app: {ANEW}{name.removeprefix('PYTHON')}\n" == done.stderr
    assert done.stdout.startswith("usage: pos-app")
    # What runs before the first line of any program cannot be kept from running (see pos_app/system/isolation.py).
    assert trap.sprung <= {"sitecustomize", "usercustomize"}


def test_what_a_sitecustomize_did_ends_with_the_first_process(trap: Trap) -> None:
    """It may change any module of its own process; the till's is another."""
    trap.folder.joinpath("sitecustomize.py").write_text(
        "import argparse\nargparse.ArgumentParser.parse_args = lambda *_: print('taken over')\n"
    )
    done = trap.run("--help", variables={"PYTHONPATH": str(trap.folder)})
    assert "taken over" not in done.stdout
    assert done.stdout.startswith("usage: pos-app")


def test_an_isolated_python_does_not_start_anew(trap: Trap) -> None:
    """It never looked: one process, nothing to be told but that the variable was there."""
    done = trap.run("--help", python=("-I",), variables={"PYTHONPATH": str(trap.folder)})
    assert (done.returncode, trap.sprung) == (0, set())


def test_harmless_variables_of_python_cost_nothing(trap: Trap) -> None:
    """Containers set them; a second start of Python would be wasted."""
    kept = {"PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
    done = trap.run("--help", variables=kept, python=("-v",))
    assert done.returncode == 0
    assert "not taken" not in done.stderr
    assert done.stderr.count("import 'pos_app.system.isolation'") == 1
