"""Everything below the window is imported, and the command line answers, with PySide6 out of reach."""

import subprocess
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, sources
from tests.architecture.without_qt import python

BELOW = ("domain", "services", "journal", "engine", "devices", "sandbox", "i18n", "system")
ROOTS = ("bootstrap", "cli", "settings", "secrets", "log", "doctor", "diagnostics_bundle")


def modules() -> list[str]:
    """Every module that is to do without Qt."""
    dotted = [source.path.removesuffix(".py").replace("/", ".") for source in sources("pos_app")]
    wanted = [name.removesuffix(".__init__") for name in dotted if name.split(".")[1] in BELOW + ROOTS]
    return [name for name in wanted if not name.endswith("__main__")]


@pytest.mark.parametrize("layer", [*BELOW, *ROOTS])
def test_layer_is_imported_without_qt(layer: str, tmp_path: Path) -> None:
    """Each module of it, in a fresh interpreter."""
    wanted = [name for name in modules() if name.split(".")[1] == layer]
    assert wanted, f"pos_app.{layer} has no modules"
    code = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"
    result = run(code, tmp_path, *wanted)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", ["PySide6", "PySide6.QtCore", "shiboken6"])
@pytest.mark.parametrize("how", [(), ("-I",)])
def test_qt_is_out_of_reach(name: str, how: tuple[str, ...], tmp_path: Path) -> None:
    """Otherwise the test above could not fail; isolated too, as the till starts its own processes."""
    result = run(f"import {name}", tmp_path, how=how)
    assert result.returncode == 1
    assert "out of reach" in result.stderr


def run(code: str, folder: Path, *args: str, how: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python(folder), *how, "-W", "error", "-c", code, *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
