"""The set-up script asks for Debian packages as it should, tried with stand-ins for the system's commands."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the script is for Debian")

INSTALL = "apt-get install -y --no-install-recommends libglib2.0-0"
NEEDED = ["sh", "dirname", "cat", "sha256sum", "cut", "grep", "mkdir", "tail", "env", "rm"]


class Machine:
    """A checkout with a made environment, and a PATH of stand-ins that write down how they were called."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "till"
        self.bin = folder / "bin"
        self.calls = folder / "calls"
        shutil.copytree(ROOT / "packaging", self.root / "packaging")
        shutil.copy(ROOT / "pyproject.toml", self.root)
        self.languages = self.root / "resources" / "languages"
        self.languages.mkdir(parents=True)
        (self.languages / "ta.po").touch()
        (self.languages / "ta.mo").touch()
        # In place of Babel's work, which has tests of its own.
        (self.root / "hatch_build.py").write_text('open("resources/languages/ta.mo", "w").write("built")')
        self.bin.mkdir()
        for name in NEEDED:
            (self.bin / name).symlink_to(shutil.which(name) or name)
        (self.root / ".venv-run" / "bin").mkdir(parents=True)
        (self.root / ".venv-run" / "bin" / "python").symlink_to(sys.executable)
        self.stand_in("apt-get", f'echo "apt-get $*" >> {self.calls}')

    def stand_in(self, name: str, script: str) -> None:
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def account(self, number: int) -> None:
        self.stand_in("id", f"echo {number}")

    def packages(self, *, installed: bool) -> None:
        self.stand_in("dpkg-query", "echo installed" if installed else "exit 1")

    def stamp(self) -> None:
        """Marks the environment as installed, by asking the script what it would write."""
        made_by = ("packaging/locks/run.txt", "pyproject.toml", "packaging/bootstrap.sh")
        content = b"".join((self.root / name).read_bytes() for name in made_by)
        digest = subprocess.run(["sha256sum"], input=content, capture_output=True, check=True)
        text = f"{self.root} {digest.stdout.decode().split()[0]}\n"
        (self.root / ".venv-run" / ".installed").write_text(text)

    def bootstrap(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "packaging/bootstrap.sh", "run"],
            cwd=self.root,
            env={"PATH": str(self.bin), "PIP_NO_INDEX": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.stamp()
    return machine


def test_account_without_rights_is_told_the_line(machine: Machine) -> None:
    """It stops before anything else and prints what to type as root."""
    machine.account(1000)
    machine.packages(installed=False)
    result = machine.bootstrap()
    assert result.returncode == 1
    assert f"    apt-get update && {INSTALL} " in result.stderr
    assert machine.called() == []


def test_root_installs_what_is_missing(machine: Machine) -> None:
    """Lists first, then the packages, in one go."""
    machine.account(0)
    machine.packages(installed=False)
    result = machine.bootstrap()
    assert result.returncode == 0, result.stderr
    update, install = machine.called()
    assert update == "apt-get update"
    assert install.startswith(f"{INSTALL} ")


def test_account_with_sudo_installs_through_it(machine: Machine) -> None:
    """Only if sudo asks for no password, as nobody is there to type one."""
    machine.account(1000)
    machine.packages(installed=False)
    machine.stand_in("sudo", f'[ "$1" = -n ] && exit 0; echo "sudo $*" >> {machine.calls}; exec "$@"')
    assert machine.bootstrap().returncode == 0
    assert machine.called()[0] == "sudo env DEBIAN_FRONTEND=noninteractive apt-get update"
    assert machine.called()[3].startswith(INSTALL)


def test_install_that_fails_stops_with_its_own_words(machine: Machine) -> None:
    """The last lines of apt-get's log are shown, then the line that failed."""
    machine.account(0)
    machine.packages(installed=False)
    machine.stand_in("apt-get", '[ "$1" = update ] || { echo "E: no such package"; exit 100; }')
    result = machine.bootstrap()
    assert result.returncode == 1
    assert "E: no such package" in result.stderr
    assert f"Failed: {INSTALL}" in result.stderr


def test_second_run_does_nothing(machine: Machine) -> None:
    """With all packages there and the stamp in place nothing is called and nothing said."""
    machine.account(1000)
    machine.packages(installed=True)
    result = machine.bootstrap()
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert machine.called() == []


@pytest.mark.parametrize("missing", [True, False])
def test_languages_that_a_change_brought_are_built(machine: Machine, missing: bool) -> None:
    """A checkout speaks what its translators' files say, whichever of its environments made them last."""
    machine.packages(installed=True)
    built = machine.languages / "ta.mo"
    if missing:
        built.unlink()
    else:
        os.utime(built, (0, 0))
    assert machine.bootstrap().returncode == 0
    assert built.read_text() == "built"
    built.write_text("stays")
    assert machine.bootstrap().returncode == 0
    assert built.read_text() == "stays"


def test_environment_that_was_renewed_by_half_is_not_taken_for_the_old_one(machine: Machine) -> None:
    """A change of the lock that the network cut off, and back to the commit before: some packages are new by then."""
    machine.packages(installed=True)
    python = machine.root / ".venv-run" / "bin" / "python"
    python.unlink()
    machine.stand_in("python", 'case "$*" in *install*) echo "no network" >&2; exit 1 ;; esac')
    (machine.bin / "python").rename(python)
    lock = machine.root / "packaging" / "locks" / "run.txt"
    before = lock.read_bytes()
    lock.write_bytes(before + b"# newer\n")
    assert machine.bootstrap().returncode == 1
    lock.write_bytes(before)
    again = machine.bootstrap()
    assert (again.returncode, "no network" in again.stderr) == (1, True)


def test_environment_that_was_moved_is_made_anew(machine: Machine) -> None:
    """Its scripts name the old place; without a Python to make it with, the script says so."""
    machine.account(1000)
    machine.packages(installed=True)
    (machine.root / ".venv-run" / ".installed").write_text("/elsewhere 0\n")
    result = machine.bootstrap()
    assert result.returncode == 1
    assert "Python 3.11 or newer was not found" in result.stderr


def test_a_newer_release_of_what_is_locked_changes_nothing(tmp_path: Path) -> None:
    """A new environment gets what the lock has, also where one package asks for another of it with an extra."""
    root, wheels = tmp_path / "till", tmp_path / "wheels"
    (root / "packaging" / "locks").mkdir(parents=True)
    shutil.copy(ROOT / "packaging" / "bootstrap.sh", root / "packaging")
    shutil.copy(ROOT / "pyproject.toml", root)
    wheels.mkdir()
    locked = [_wheel(wheels, "asking", "1.0", "asked[more]>=1.0"), _wheel(wheels, "asked", "1.0")]
    _wheel(wheels, "asked", "1.1")
    (root / "packaging" / "locks" / "docs.txt").write_text(
        "".join(
            f"{name}=={version} --hash=sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}\n"
            for file in locked
            for name, version in [file.name.split("-")[:2]]
        )
    )
    result = subprocess.run(
        ["sh", "packaging/bootstrap.sh", "docs"],
        cwd=root,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "PYTHON": sys.executable,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    got = sorted(path.name for path in (root / ".venv-docs").rglob("ask*.dist-info"))
    assert got == ["asked-1.0.dist-info", "asking-1.0.dist-info"]


def _wheel(folder: Path, name: str, version: str, needs: str = "") -> Path:
    """A package with nothing inside but its name, and the extra `more`, which asks for nothing."""
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nProvides-Extra: more\n"
    info = f"{name}-{version}.dist-info"
    file = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr(f"{info}/METADATA", about + (f"Requires-Dist: {needs}\n" if needs else ""))
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return file
