"""A copy of the code and the tests below build/, where changing them harms nobody. Must not touch the work tree."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from tests.verification.mutants.areas import Area

COPIED = ("pos_app", "tests", "resources")
# Windows are no part of this; without their tests a copy is made faster. The simulation draws paper, by the code of ui.
LEFT_OUT = {"__pycache__", "phone", "tour"}
LEFT_OUT_OF_TESTS = LEFT_OUT | {"ui"}
DIGEST = "tests.digest"
STATISTICS = "mutants/mutmut-stats.json"

_MEMORY = Path("/dev/shm")

_PROJECT = """\
[tool.pytest.ini_options]
pythonpath = ["."]
addopts = ["--import-mode=importlib", "-p", "no:randomly", "-p", "no:pytest-qt", "-p", "no:cacheprovider"]
filterwarnings = ["error", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]
markers = ["slow: as in pyproject.toml", "expects_log(pattern): as there"]

[tool.mutmut]
source_paths = ["pos_app"]
only_mutate = {files}
also_copy = ["resources"]
pytest_add_cli_args = ["-p", "no:xdist", "-p", "no:cov", "-p", "no:timeout"]
pytest_add_cli_args_test_selection = {tests}
use_git_change_detection = false
on_dependency_change = "ignore"
timeout_multiplier = 10.0
timeout_constant = 2.0
"""


def environment(**more: str) -> dict[str, str]:
    """Of a process that runs tests here: their folders lie in memory, so that no test waits for a disk."""
    memory = {"TMPDIR": str(_MEMORY)} if _MEMORY.is_dir() else {}
    return {**os.environ, **memory, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1", **more}


def prepare(area: Area, *, resume: bool, source: Path = Path()) -> bool:
    """Brings the copy up to date, from nothing unless `resume`. Says whether the tests are other ones than before."""
    if not resume:
        shutil.rmtree(area.place, ignore_errors=True)
    for folder in COPIED:
        _sync(source / folder, area.place / folder)
    project = _PROJECT.format(files=json.dumps(area.files), tests=json.dumps(area.tests))
    (area.place / "pyproject.toml").write_text(project)
    digest = _digest(area.place / "tests")
    kept = area.place / DIGEST
    if kept.exists() and kept.read_text() == digest:
        return False
    kept.write_text(digest)
    # Which test runs which function has to be found out anew.
    (area.place / STATISTICS).unlink(missing_ok=True)
    shutil.rmtree(area.place / "mutants" / "tests", ignore_errors=True)
    return True


def _files(root: Path) -> dict[Path, Path]:
    found = (path for path in root.rglob("*") if path.is_file())
    left_out = LEFT_OUT_OF_TESTS if root.name == "tests" else LEFT_OUT
    return {
        path.relative_to(root): path
        for path in found
        if not left_out.intersection(path.relative_to(root).parts)
    }


def _sync(source: Path, copy: Path) -> None:
    """Only what differs is written: the age of a file says whether its mutants are still those of the code."""
    wanted = _files(source)
    for name, path in wanted.items():
        target = copy / name
        content = path.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for name in _files(copy).keys() - wanted.keys():
        (copy / name).unlink()
        (copy.parent / "mutants" / copy.name / name).unlink(missing_ok=True)


_MAY_DECIDE = ("unit/domain/", "unit/journal/", "unit/services/", "support/", "guards/", "conftest.py")


def _digest(tests: Path) -> str:
    """Of everything that may decide whether a mutant is noticed, but for the tests of other areas."""
    digest = hashlib.sha256()
    for name, path in sorted(_files(tests).items()):
        if str(name).startswith(_MAY_DECIDE):
            digest.update(str(name).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
