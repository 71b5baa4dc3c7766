"""The built folder, made anew where it is missing or older than the code; `make bundle` is what a person types."""

import fcntl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.architecture.sources import ROOT

BUILT = ROOT / "dist" / "pos-app"
STAMP = ROOT / "build" / "bundle" / "pos-app.log"
INSIDE = BUILT / "_internal"
QT = INSIDE / "PySide6"
TOOLS = ROOT / ".venv-bundle" / "bin" / "python"


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """While it lasts no other worker builds the folder or packs it; not to be entered twice."""
    STAMP.parent.mkdir(parents=True, exist_ok=True)
    with STAMP.with_name("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def built() -> Path:
    """The folder; the first question may take two minutes. Nothing changes it after that: whoever has it may read."""
    with one_at_a_time():
        if not (BUILT / "pos-app").exists() or not STAMP.exists() or STAMP.stat().st_mtime < _newest():
            subprocess.run(["make", "bundle"], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    return BUILT


def _newest() -> float:
    places = (ROOT / "pos_app", ROOT / "resources", ROOT / "packaging")
    files = (path for place in places for path in place.rglob("*") if path.suffix not in {".pyc", ".po"})
    return max(path.stat().st_mtime for path in files if path.is_file())


def files() -> Iterator[Path]:
    """Each file of the folder that is no link."""
    return (path for path in sorted(built().rglob("*")) if path.is_file() and not path.is_symlink())


@cache
def modules(needle: str = "") -> frozenset[str]:
    """The modules packed into the program; with a needle, those whose code holds these bytes."""
    script = Path(__file__).with_name("packed.py")
    done = subprocess.run(
        [TOOLS, "-I", script, built() / "pos-app", needle], capture_output=True, text=True, check=True
    )
    return frozenset(done.stdout.split())
