"""`make test`: what needs no window runs with PySide6 out of reach, beside what needs one; each test once.

python -m tests.both_halves [what pytest takes]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.architecture.without_qt import ROOT, WITH_A_WINDOW, arguments_for, folders, python

JUDGES = "verification"
"""Tests of what judges the till: `make test-verification`."""
ENDS_WITHIN_S = 30
MOST_WORKERS = {"with a window": 7, "below": 4}
"""The half with a window waits more, for windows and services, and would be left alone at the end."""


def with_a_window() -> list[str]:
    """Pytest's arguments for the half that has PySide6."""
    places = [f"tests/{each}" for each in WITH_A_WINDOW if each.partition("/")[0] != JUDGES]
    return [*places, f"--maxprocesses={MOST_WORKERS['with a window']}"]


def without() -> list[str]:
    """Pytest's arguments for the other half."""
    places = [each for each in folders() if not each.startswith(f"tests/{JUDGES}")]
    own = ["-o", "cache_dir=build/pytest-without-qt", f"--maxprocesses={MOST_WORKERS['below']}"]
    return [*arguments_for(places), *own]


def main() -> int:
    """0 when both halves passed, else pytest's exit code of one that did not. The command line goes to both."""
    given = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as told:
        # Into a file: the points of two runs on one screen tell of neither.
        beside = subprocess.Popen(
            [python(Path(folder)), "-m", "pytest", *without(), *given],
            cwd=ROOT,
            stdout=told,
            stderr=subprocess.STDOUT,
        )
        try:
            here = [sys.executable, "-m", "pytest", *with_a_window(), *given]
            window = subprocess.run(here, cwd=ROOT, check=False).returncode
            below = beside.wait()
        finally:
            _end(beside)
        told.seek(0)
        sys.stdout.write("\nBelow the window, with PySide6 out of reach:\n")
        sys.stdout.write(told.read().decode(errors="replace"))
    return window or below


def _end(process: subprocess.Popen[bytes]) -> None:
    """It was interrupted as this one was, and puts its things away; it may hang."""
    try:
        process.wait(ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
