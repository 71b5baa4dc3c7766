"""Every branch of flow, journal and wire parser is taken by their own tests.

python -m tests.verification.mutants.coverage
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from tests.verification.mutants.areas import AREAS, KEPT
from tests.verification.mutants.workshop import environment

REPORT = KEPT / "coverage.json"
SETTINGS = """\
[run]
branch = true
[report]
exclude_also =
    if sys.platform == .win32.:
    if sys.platform != .linux.:
    if os.name != .posix.:
partial_also =
    if sys.platform == .linux.:
"""
"""What another system does cannot be taken on this one."""


class _File(msgspec.Struct):
    missing_lines: list[int]
    missing_branches: list[tuple[int, int]]
    summary: dict[str, Any]


class _Report(msgspec.Struct):
    files: dict[str, _File]


def main() -> int:
    """0 when nothing of the three is left out. Further arguments are pytest's."""
    KEPT.mkdir(parents=True, exist_ok=True)
    settings = KEPT / "coverage.ini"
    settings.write_text(SETTINGS)
    tests = [argument for area in AREAS for argument in area.tests if not argument.startswith("--deselect")]
    packages = ("pos_app.domain", "pos_app.journal", "pos_app.services")
    command = [
        *(sys.executable, "-m", "pytest", "-q", *tests, *sys.argv[1:]),
        *(f"--cov={package}" for package in packages),
        *(f"--cov-config={settings}", "--cov-report=", f"--cov-report=json:{REPORT}"),
    ]
    ended = subprocess.run(command, env=environment(COVERAGE_FILE=str(KEPT / "coverage")), check=False)
    if ended.returncode:
        return ended.returncode
    report = msgspec.json.decode(REPORT.read_bytes(), type=_Report)
    wanted = [str(module) for area in AREAS for module in area.modules(Path())]
    missing = [line for module in wanted for line in _missing(module, report.files.get(module))]
    branches = sum(report.files[name].summary["num_branches"] for name in wanted if name in report.files)
    print(*missing, sep="\n")
    print(f"coverage: {len(wanted)} modules, {branches} branches, {len(missing)} lines or branches not taken")
    return 1 if missing else 0


def _missing(module: str, told: _File | None) -> list[str]:
    if told is None:
        return [f"{module}: no test loads it"]
    lines = [f"{module}:{line}: not run" for line in told.missing_lines]
    # An exit is told as minus the line where the function begins.
    jumps = [
        f"{module}:{start}: never goes on at {'the end' if end < 0 else end}"
        for start, end in told.missing_branches
        if start not in told.missing_lines and end not in told.missing_lines
    ]
    return lines + jumps


if __name__ == "__main__":
    sys.exit(main())
