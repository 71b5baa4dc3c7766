"""Before a Debian package's files come: a kiosk whose till was ended is kept ended, one that goes on is left alone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a script for Linux")
SERVICE = "pos-app-kiosk.service"


class Machine:
    """Processes of a till that can be counted, and a service manager that begins them again as systemd does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.till = folder / "till"
        self.said = folder / "said"
        self.process = folder / "process"
        shutil.copy(shutil.which("sleep") or "/bin/sleep", self.till)
        (folder / "systemd").mkdir()
        begin = f"{self.till} 60 >/dev/null 2>&1 & echo $! >{self.process}"
        end = f"kill $(cat {self.process})"
        self.script(
            "systemctl",
            f"""
echo "$@" >>{self.said}
case "$*" in
    is-active*) [ "$(cat {folder}/state)" = active ] ;;
    show*ActiveState*) cat {folder}/state ;;
    show*) cat {self.process} ;;
    stop*) {end} ;;
esac
""",
        )
        (folder / "state").write_text("active\n")
        # A till that was drained ends; a second later its service has begun it again.
        self.script("drains", f"{end}; {begin}; exit 0")
        # No till at all: its screen says why, and gives way to the update in the same way.
        self.script("has_none", f"{end}; {begin}; exit 69")
        self.script("goes_on", "exit 0")
        self.script("is_open", "exit 75")
        self.first = subprocess.Popen([self.till, "60"])
        self.process.write_text(f"{self.first.pid}")

    def script(self, name: str, text: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / name).chmod(0o755)

    def update(self, drain: str) -> subprocess.CompletedProcess[str]:
        """What stands in the package's script, with this machine's places in it, and a second where it has ten."""
        text = (ROOT / "packaging" / "deb" / "no_till.sh").read_text()
        for there, here in (
            ("/usr/lib/pos-app/pos-app", str(self.till)),
            ("/usr/bin/pos-app", str(self.folder / drain)),
            ("/run/systemd/system", str(self.folder / "systemd")),
            ("/run/pos-app.", f"{self.folder}/"),
            ("left=10", "left=1"),
            ("gone_within 10", "gone_within 1"),
        ):
            assert there in text
            text = text.replace(there, here)
        return subprocess.run(
            ["sh", "-e", "-c", f"{text}\nno_till"],
            env={"PATH": f"{self.folder}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def runs(self) -> bool:
        try:
            return Path(f"/proc/{self.process.read_text().strip()}/exe").readlink() == self.till
        except OSError:
            return False

    def end(self) -> None:
        if self.runs():
            os.kill(int(self.process.read_text()), signal.SIGKILL)
        self.first.kill()
        self.first.wait()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.end()


@pytest.mark.parametrize("state", ["active", "activating"])
@pytest.mark.parametrize("drain", ["drains", "has_none"])
def test_a_kiosk_that_was_drained_is_not_begun_again_before_the_files_lie_there(
    machine: Machine, drain: str, state: str
) -> None:
    """Nor one that was just coming up."""
    (machine.folder / "state").write_text(f"{state}\n")
    assert machine.runs()
    done = machine.update(drain)
    assert (done.returncode, done.stderr) == (0, "")
    assert not machine.runs()
    assert f"stop {SERVICE}" in machine.said.read_text().splitlines()
    assert (machine.folder / "updating").exists()
    assert (machine.folder / "kiosk-again").exists(), "postinst begins it again"


@pytest.mark.parametrize(
    ("drain", "why"), [("goes_on", "the till is open"), ("is_open", "payments are open")]
)
def test_one_that_goes_on_is_not_stopped(machine: Machine, drain: str, why: str) -> None:
    """Whatever was said of it: a payment may be under way there."""
    done = machine.update(drain)
    assert done.returncode == 1
    assert why in done.stderr
    assert machine.runs()
    assert f"stop {SERVICE}" not in machine.said.read_text().splitlines()
    assert not (machine.folder / "updating").exists()


@pytest.mark.parametrize(
    ("state", "code"), [("active", 1), ("activating", 1), ("deactivating", 1), ("inactive", 0), ("failed", 0)]
)
def test_the_unit_is_not_taken_from_under_a_till(machine: Machine, state: str, code: int) -> None:
    """One that is coming up may have a payment to take up again."""
    (machine.folder / "state").write_text(f"{state}\n")
    text = (ROOT / "packaging" / "deb" / "pos-app-kiosk.prerm").read_text()
    done = subprocess.run(
        ["sh", "-c", text.replace("/run/systemd/system", str(machine.folder / "systemd")), "prerm", "remove"],
        env={"PATH": f"{machine.folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "the till is open" in done.stderr) == (code, bool(code))
