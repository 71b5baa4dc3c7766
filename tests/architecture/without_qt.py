"""Runs the tests of everything below the window with PySide6 out of reach, even in processes they start."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
QT = ("PySide6", "shiboken6")
# Each folder of tests that needs a window, or judges the code instead of running it.
WITH_A_WINDOW = {
    "architecture",
    "bench",
    "campaign",
    "end_to_end",
    "guards",
    "phone",
    "support",
    "tour",
    "ui",
}
# Without its plugin pytest does not know the settings that pyproject.toml has for Qt.
WITHOUT_THE_PLUGIN = ["-p", "no:pytest-qt", "-o", "strict_config=false"]
WITHOUT_THE_PLUGIN += ["-W", "ignore::pytest.PytestConfigWarning"]


def environment(folder: Path) -> dict[str, str]:
    """This environment with stand-ins in the folder that refuse to be imported as Qt."""
    for name in QT:
        refusal = f"raise ModuleNotFoundError('{name} is out of reach here', name='{name}')\n"
        (folder / f"{name}.py").write_text(refusal, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def folders() -> list[str]:
    """The folders of tests that run without a window."""
    names = {file.relative_to(ROOT / "tests").parts[0] for file in ROOT.glob("tests/*/**/test_*.py")}
    return [f"tests/{name}" for name in sorted(names - WITH_A_WINDOW)]


def main() -> int:
    """Pytest's own exit code; everything it is given on the command line goes to it."""
    command = [sys.executable, "-m", "pytest", *WITHOUT_THE_PLUGIN, *sys.argv[1:], *folders()]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(command, cwd=ROOT, env=environment(Path(folder)), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
