"""Beside a window manager and a program that wants the screen: the till comes back, and nothing else is seen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import arguments, enrol
from tests.verification.proof.abilities import needs_an_ordinary_user
from tests.verification.proof.display import display
from tests.verification.proof.kiosk.account import as_nobody, give

pytestmark = [
    pytest.mark.skipif(
        shutil.which("xdotool") is None or shutil.which("openbox") is None,
        reason="xdotool or openbox is missing",
    ),
    needs_an_ordinary_user(),
]


@pytest.fixture
def desktop() -> Iterator[str]:
    """A display with a window manager."""
    with display(size="1366x768") as name:
        manager = subprocess.Popen(["openbox"], env=os.environ | {"DISPLAY": name}, stderr=subprocess.DEVNULL)
        try:
            yield name
        finally:
            manager.terminate()
            manager.wait(20)


def told(module: str, shown: str, folder: Path) -> dict[str, object]:
    """What the program saw on that display."""
    with Sandbox(config_dir=folder / "config") as sandbox:
        enrol(arguments(folder / "config", folder / "data"))
        give(folder)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "WAYLAND_"))}
        done = subprocess.run(
            as_nobody([sys.executable, "-m", f"tests.verification.proof.kiosk.{module}", str(folder)]),
            env=kept | {"DISPLAY": shown, "SANDBOX": json.dumps(sandbox.details)},
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    seen: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return seen


def test_it_comes_back_from_all_that_others_do(desktop: str, tmp_path: Path) -> None:
    seen = told("in_front", desktop, tmp_path)
    assert all(seen.values()), seen


@pytest.mark.skipif(shutil.which("xrandr") is None, reason="xrandr is missing")
def test_it_follows_displays_that_come_and_go_and_leaves_no_gap(tmp_path: Path) -> None:
    with display(size="2390x1024") as name:
        seen = told("displays", name, tmp_path)
    assert all(seen.values()), seen
