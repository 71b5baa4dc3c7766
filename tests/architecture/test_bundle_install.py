"""The installer in a root of its own, with a bundle made of three small files."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.architecture.bundle_parts import BUNDLE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a script for Linux")
PLACES = ("usr/share/applications/pos-app.desktop", "usr/share/icons/hicolor/scalable/apps/pos-app.svg")


class Machine:
    """A root to install into and the folder a shop has fetched."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.home = self.root / "opt" / "pos-app"
        self.fetched = folder / "pos-app"
        self.root.mkdir()
        (self.fetched / "_internal").mkdir(parents=True)
        (self.fetched / "_internal" / "part").write_text("part")
        self.program("first")

    def program(self, version: str) -> None:
        """Makes the fetched folder one of this version."""
        (self.fetched / "pos-app").write_text(f"#!/bin/sh\necho {version}\n")
        for name in ("pos-app", "install.sh"):
            if name == "install.sh":
                shutil.copy(BUNDLE / name, self.fetched)
            (self.fetched / name).chmod(0o755)
        for name in ("pos-app.desktop", "pos-app.svg"):
            shutil.copy(BUNDLE / name, self.fetched)
        shutil.copytree(BUNDLE.parent / "kiosk", self.fetched / "kiosk", dirs_exist_ok=True)
        files = [path for path in sorted(self.fetched.rglob("*")) if path.is_file()]
        sums = [
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(self.fetched)}\n"
            for path in files
            if path.name != "CONTENTS.sha256"
        ]
        (self.fetched / "CONTENTS.sha256").write_text("".join(sums))

    def run(self, *words: str, script: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(script or self.fetched / "install.sh"), "--prefix", str(self.root), *words],
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def version(self) -> str:
        return subprocess.run(
            [self.home / "pos-app"], capture_output=True, text=True, check=True
        ).stdout.strip()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_it_puts_the_till_in_place(machine: Machine) -> None:
    """Program, menu entry, icon and command; nothing else."""
    result = machine.run()
    assert (result.returncode, result.stderr) == (0, "")
    assert machine.version() == "first"
    others = {name for name in machine.files() if not name.startswith("opt/pos-app/")}
    assert others == {*PLACES, "usr/local/bin/pos-app"}
    assert (machine.root / "usr/local/bin/pos-app").readlink() == Path("/opt/pos-app/pos-app")
    entry = (machine.root / PLACES[0]).read_text()
    assert "Exec=/opt/pos-app/pos-app\n" in entry
    assert "@" not in entry


def test_twice_is_once(machine: Machine) -> None:
    """The second time nothing is left over from the first."""
    machine.run()
    before = machine.files()
    assert machine.run().returncode == 0
    assert machine.files() == before


def test_an_update_takes_the_place_of_what_was_there(machine: Machine) -> None:
    """A file the new one does not have is gone; a half update that a power cut left does not stop it."""
    machine.run()
    (machine.home / "_internal" / "old-part").write_text("old")
    (machine.root / "opt" / "pos-app.new").mkdir()
    machine.program("second")
    assert machine.run().returncode == 0
    assert machine.version() == "second"
    assert not (machine.home / "_internal" / "old-part").exists()
    assert {path.name for path in (machine.root / "opt").iterdir()} == {"pos-app"}


def test_a_damaged_folder_is_not_installed(machine: Machine) -> None:
    """What is in place stays in place."""
    machine.run()
    machine.program("second")
    (machine.fetched / "_internal" / "part").write_text("other")
    result = machine.run()
    assert result.returncode == 1
    assert "damaged or missing" in result.stderr
    assert machine.version() == "first"


def test_an_open_till_is_not_replaced(machine: Machine) -> None:
    """It reads parts from its folder while it runs."""
    machine.run()
    shutil.copy(shutil.which("sleep") or "/bin/sleep", machine.home / "pos-app")
    with subprocess.Popen([machine.home / "pos-app", "60"]) as till:
        try:
            refused = [machine.run("install"), machine.run("uninstall")]
        finally:
            till.kill()
    assert [result.returncode for result in refused] == [1, 1]
    assert "the till is open" in refused[0].stderr
    assert (machine.home / "pos-app").exists()


def test_uninstall_takes_all_away_but_the_data(machine: Machine) -> None:
    """Also when it is the installed folder's own script that is run, and when it is run again."""
    data = machine.root / "var/lib/pos-app/journal.db"
    settings = machine.root / "etc/xdg/pos-app/config.toml"
    for file in (data, settings):
        file.parent.mkdir(parents=True)
        file.write_text("ours")
    machine.run()
    gone = machine.run("uninstall", script=machine.home / "install.sh")
    assert (gone.returncode, gone.stderr) == (0, "")
    assert machine.files() == {str(file.relative_to(machine.root)) for file in (data, settings)}
    assert "were not touched" in gone.stdout
    assert machine.run("uninstall").returncode == 0


def test_a_kiosk_is_put_in_place_kept_up_to_date_and_taken_away(machine: Machine) -> None:
    """Every file of packaging/kiosk has its place, with the till's folder written into it."""
    plain = machine.run().stdout
    before = machine.files()
    assert machine.run("--kiosk").returncode == 0
    placed = {machine.root / name for name in machine.files() - before}
    told = {path.name for path in (BUNDLE.parent / "kiosk").glob("pos-app-kiosk.*")}
    assert len(placed) == len(told)
    unit = machine.root / "etc/systemd/system/pos-app-kiosk.service"
    assert "ExecStart=/opt/pos-app/kiosk/session /opt/pos-app/pos-app --kiosk" in unit.read_text()
    assert os.access(machine.home / "kiosk" / "session", os.X_OK)
    assert [path for path in placed if "@HOME@" in path.read_text()] == []
    unit.write_text("of an older one")
    assert "kiosk's service" not in plain
    assert machine.run().returncode == 0
    assert "ExecStart=" in unit.read_text()
    machine.run("uninstall")
    assert machine.files() == set()


def test_what_it_does_not_know_it_does_not_do(machine: Machine) -> None:
    """Usage, exit code 2; a prefix that is not there is none."""
    assert machine.run("--purge").returncode == 2
    lost = subprocess.run(
        ["sh", str(machine.fetched / "install.sh"), "--prefix", str(machine.root / "nowhere")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert lost.returncode == 1
    assert machine.files() == set()
