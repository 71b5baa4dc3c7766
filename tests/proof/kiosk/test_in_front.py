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

from tests.end_to_end.front import arguments, enrol
from tests.proof.display import display
from tests.proof.kiosk.account import as_nobody, give
from tests.support.sandbox import REPOSITORY, Sandbox

pytestmark = pytest.mark.skipif(
    shutil.which("xdotool") is None or shutil.which("openbox") is None, reason="xdotool or openbox is missing"
)


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


def test_it_comes_back_from_all_that_others_do(desktop: str, tmp_path: Path) -> None:
    with Sandbox(config_dir=tmp_path / "config") as sandbox:
        enrol(arguments(tmp_path / "config", tmp_path / "data"))
        give(tmp_path)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "WAYLAND_"))}
        done = subprocess.run(
            as_nobody([sys.executable, "-m", "tests.proof.kiosk.in_front", str(tmp_path)]),
            env=kept | {"DISPLAY": desktop, "SANDBOX": json.dumps(sandbox.details)},
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert all(told.values()), told
