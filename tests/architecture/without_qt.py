"""Runs the tests of everything below the window with PySide6 out of reach, even in processes they start."""

import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
QT = ("PySide6", "shiboken6")
# What needs a window or draws a paper, or judges the code instead of running it.
WITH_A_WINDOW = (
    "architecture",
    "attacks",
    "end_to_end",
    # A till is asked over Qt's local socket.
    "integration/cli/test_draining.py",
    "integration/cli/test_guides.py",
    "integration/cli/test_paper_of_verbs.py",
    "integration/cli/test_receipt_print.py",
    "integration/cli/test_receipts.py",
    "integration/kiosk",
    "integration/store/test_finding.py",
    "integration/store/test_phone_beside.py",
    "integration/tour",
    "unit/engine/test_print_cut.py",
    "unit/i18n/test_proof_words.py",
    "unit/training/phone",
    "unit/training/test_sandbox_rig.py",
    "unit/ui",
    "verification/bench",
    "verification/campaign",
    "verification/machine",
    "verification/proof",
)
# Without its plugin pytest does not know the settings that pyproject.toml has for Qt.
WITHOUT_THE_PLUGIN = ["-p", "no:pytest-qt", "-o", "strict_config=false"]
WITHOUT_THE_PLUGIN += ["-W", "ignore::pytest.PytestConfigWarning"]


def python(folder: Path) -> str:
    """This environment's Python in one of its own, in which stand-ins refuse to be imported as Qt.

    Not by PYTHONPATH: the till starts anew without it.
    """
    real, made = Path(sys.executable), folder / "bin" / Path(sys.executable).name
    packages = sysconfig.get_path("purelib", vars={"base": str(folder)})
    made.parent.mkdir(parents=True)
    made.symlink_to(real.resolve())
    # Without the second line what the machine happens to have installed would come along.
    cfg = f"home = {real.resolve().parent}\ninclude-system-site-packages = false\n"
    (folder / "pyvenv.cfg").write_text(cfg, encoding="utf-8")
    Path(packages).mkdir(parents=True)
    for name in QT:
        refusal = f"raise ModuleNotFoundError('{name} is out of reach here', name='{name}')\n"
        Path(packages, f"{name}.py").write_text(refusal, encoding="utf-8")
    rest = [*dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))]
    lines = [f"import site; site.addsitedir({path!r})\n" for path in rest] + [f"{ROOT}\n"]
    Path(packages, "the_rest.pth").write_text("".join(lines), encoding="utf-8")
    return str(made)


def folders() -> list[str]:
    """The folders of tests that run without a window."""
    tests = {file.parent for file in ROOT.glob("tests/*/**/test_*.py")}
    kept = [
        each for each in tests if not any(each.is_relative_to(ROOT / "tests" / one) for one in WITH_A_WINDOW)
    ]
    # One inside another is run with it, unless a folder beside it needs a window.
    return sorted({str(each.relative_to(ROOT)) for each in kept if each.parent not in kept})


def left_out() -> list[str]:
    """What lies inside a folder that runs, and needs a window."""
    return [f"--ignore=tests/{one}" for one in WITH_A_WINDOW]


def arguments_for(places: list[str]) -> list[str]:
    """Pytest's arguments for what runs without a window in these places."""
    return [*WITHOUT_THE_PLUGIN, *left_out(), *places]


def main() -> int:
    """Pytest's own exit code; everything it is given on the command line goes to it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [python(Path(folder)), "-m", "pytest", *arguments_for(folders()), *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
