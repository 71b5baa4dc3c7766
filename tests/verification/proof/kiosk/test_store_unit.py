"""The store's unit as systemd reads it: no mistake in it, little left that it may do, options that there are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.support.sandbox import REPOSITORY
from tests.verification.proof.kiosk.test_units import MOST_EXPOSED, analyze

UNIT = REPOSITORY / "packaging" / "store" / "pos-app-store.service"
PROGRAM = "/opt/pos-app-store/bin/pos-app"

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """With a program in the place of the one that it names."""
    program = tmp_path / "pos-app"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = UNIT.read_text("utf-8")
    assert PROGRAM in text
    made = tmp_path / UNIT.name
    # A user of the system's own: the store's is made when it is installed.
    text = text.replace(PROGRAM, str(program)).replace("=pos-app-store\nGroup=pos-app-store", "=nobody")
    made.write_text(text, "utf-8")
    return made


def test_there_is_no_mistake_in_the_unit(unit: Path) -> None:
    done = analyze("verify", "--recursive-errors=no", "--man=no", str(unit))
    said = [line for line in done.stderr.splitlines() if "nobody" not in line]
    assert (done.returncode, said) == (0, [])


def test_little_is_left_that_it_may_do(unit: Path) -> None:
    done = analyze("security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found[1]) <= MOST_EXPOSED


def test_it_starts_what_there_is() -> None:
    (line,) = [each for each in UNIT.read_text("utf-8").splitlines() if each.startswith("ExecStart=")]
    guide = (REPOSITORY / "docs" / "store-service.md").read_text("utf-8")
    for option in re.findall(r"--[a-z-]+", line):
        assert option in guide, option
    assert line.startswith(f"ExecStart={PROGRAM} store run ")
