"""The kiosk's unit as systemd reads it: no mistake in it, and little left that it may do."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pos_app.bootstrap.errors import Exit
from tests.support.sandbox import REPOSITORY

KIOSK = REPOSITORY / "packaging" / "kiosk"
MOST_EXPOSED = 2.0

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """As the installer writes it, with the programs it names."""
    (tmp_path / "kiosk").mkdir()
    shutil.copy(KIOSK / "session", tmp_path / "kiosk" / "session")
    program = tmp_path / "pos-app"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = tmp_path / "pos-app-kiosk.service"
    text = (KIOSK / "pos-app-kiosk.service").read_text("utf-8")
    made.write_text(text.replace("@HOME@", str(tmp_path)), "utf-8")
    return made


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words], capture_output=True, text=True, timeout=60, check=False
    )


def test_there_is_no_mistake_in_the_unit(unit: Path) -> None:
    done = analyze("verify", "--recursive-errors=no", "--man=no", str(unit))
    assert (done.returncode, done.stderr) == (0, "")


def test_little_is_left_that_it_may_do(unit: Path) -> None:
    done = analyze(
        "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED * 10:.0f}", str(unit)
    )
    assert done.returncode == 0, done.stdout
    found = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert found is not None
    assert float(found[1]) <= MOST_EXPOSED


def test_only_an_end_that_was_asked_for_is_not_started_again(unit: Path) -> None:
    text = unit.read_text("utf-8")
    assert "Restart=on-failure" in text
    assert f"RestartPreventExitStatus={int(Exit.USAGE)} {int(Exit.LEFT)}" in text
    assert f"SuccessExitStatus={int(Exit.LEFT)}" in text
    assert "WatchdogSec=30s" in text


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="systemd is not installed")
def test_the_user_can_log_in_nowhere(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("root:x:0:\nlp:x:7:\n")
    (tmp_path / "etc" / "passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    done = subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", str(KIOSK / "pos-app-kiosk.sysusers")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    made = (tmp_path / "etc" / "passwd").read_text().splitlines()[-1].split(":")
    assert (made[0], made[5], made[6]) == ("pos-app", "/var/lib/pos-app", "/usr/sbin/nologin")
    assert "lp:x:7:pos-app" in (tmp_path / "etc" / "group").read_text()
