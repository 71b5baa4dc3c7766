"""The built till on machines with nothing on them: off-screen, on a display, as a kiosk's only window."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.verification.proof.abilities import needs_a_view_of_its_own
from tests.verification.proof.bundle.machine import LIMIT_S, Machine

# Whichever test comes first may have the bundle built for it: that is none of its time.
pytestmark = [pytest.mark.timeout(LIMIT_S + 60, func_only=True), needs_a_view_of_its_own()]
NOBODY = 65534


def _pictures(folder: Path) -> set[str]:
    made = {path.name.partition("-")[2] for path in folder.glob("*.png") if path.stat().st_size > 4000}
    assert len(made) > 30
    return made


def test_the_tour_needs_nothing_but_the_folder(machine: Machine, tmp_path: Path) -> None:
    """No Python, no source, no font; in a folder that was moved and renamed."""
    done = machine.run(machine.program, "tour", "--language", "si", "--screenshots", str(tmp_path / "shots"))
    assert done.returncode == 0, done.stderr
    assert "not taken from the environment" not in done.stderr
    assert "paid.png" in _pictures(tmp_path / "shots")


@pytest.mark.parametrize(("language", "font"), [("si", "Sinhala"), ("ta", "Tamil"), ("ar", "Arabic")])
def test_each_language_has_its_letters(machine: Machine, language: str, font: str) -> None:
    """On a machine without a font the bundle's own are found, by fontconfig as Qt asks it."""
    fonts = machine.bundle / "_internal" / "pos_app" / "resources" / "fonts" / "fonts.conf"
    # By a format of ours: as a pattern, which is what it prints of itself, a path comes with its "_" and "-" escaped.
    found = machine.run("fc-match", "--format=%{file}", f":lang={language}", FONTCONFIG_FILE=str(fonts))
    assert found.stdout == str(fonts.with_name(f"NotoSans{font}-Regular.ttf")), found.stderr
    assert machine.run("fc-list").stdout == ""


def test_doctor_finds_all_in_order(machine: Machine) -> None:
    """Versions of the parts, the sandbox as a process of its own, the connection to it."""
    done = machine.run(machine.program, "doctor", "--sandbox", "--json")
    assert done.returncode == 0, done.stderr
    findings = {each["about"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert {each["verdict"] for each in findings.values()} <= {"ok", "warning"}
    assert "pos-app 0." in findings["version"]["text"]
    assert findings["connection"]["verdict"] == "ok"


def test_a_payment_is_taken_without_a_window(machine: Machine) -> None:
    """The command line in the bundle is the whole one; exit code 0 is PAID."""
    words = ["pay", "--sandbox", "--json", "--amount", "12.50", "--qr", "--customer", "approve"]
    done = machine.run(machine.program, *words)
    assert done.returncode == 0, done.stderr
    assert '"PAID"' in done.stdout.splitlines()[-1]


def test_the_tour_on_a_display(machine: Machine, tmp_path: Path) -> None:
    """Under Xvfb, through the platform that most desktops have."""
    done = machine.run(
        "xvfb-run",
        "-a",
        "-s",
        "-screen 0 1920x1080x24",
        machine.program,
        "tour",
        "--language",
        "ta",
        "--theme",
        "dark",
        "--screenshots",
        str(tmp_path / "shots"),
        QT_QPA_PLATFORM="xcb",
    )
    assert done.returncode == 0, done.stderr
    _pictures(tmp_path / "shots")


@pytest.fixture
def nobodys() -> Iterator[Path]:
    """A folder of somebody who may do nothing: cage starts for no administrator."""
    with tempfile.TemporaryDirectory(prefix="pos-app-nobody-") as folder:
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield Path(folder)


def test_the_tour_as_a_kiosks_only_window(machine: Machine, nobodys: Path) -> None:
    """Under cage without a screen, through Wayland."""
    variables = {
        "HOME": str(nobodys),
        "QT_QPA_PLATFORM": "wayland",
        "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1",
        "WLR_RENDERER": "pixman",
        "XDG_RUNTIME_DIR": str(nobodys),
    }
    done = subprocess.run(
        [
            "cage",
            "-d",
            "--",
            machine.program,
            "tour",
            "--language",
            "ar",
            "--screenshots",
            str(nobodys / "shots"),
        ],
        env=machine.variables(variables),
        user=NOBODY if os.geteuid() == 0 else None,
        group=NOBODY if os.geteuid() == 0 else None,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    _pictures(nobodys / "shots")


def test_installed_it_runs_and_leaves_nothing_but_data(machine: Machine, tmp_path: Path) -> None:
    """The whole way of a shop: fetched, installed, used, removed."""
    root = tmp_path / "root"
    root.mkdir()
    installer = str(machine.bundle / "install.sh")
    installed = machine.run("sh", installer, "--prefix", str(root))
    assert installed.returncode == 0, installed.stderr
    assert "Not on this machine" not in installed.stdout
    assert machine.run(str(root / "opt/pos-app/pos-app"), "doctor", "--sandbox").returncode == 0
    assert machine.run("sh", installer, "uninstall", "--prefix", str(root)).returncode == 0
    assert [path for path in root.rglob("*") if not path.is_dir()] == []
    assert list((machine.home / ".local/share/pos-app").iterdir()) != []
