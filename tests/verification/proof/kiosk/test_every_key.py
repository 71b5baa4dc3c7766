"""A robot at a real X display sends every key with every modifier to every screen.

The long form of tests/integration/kiosk.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.kiosk.test_robot import SCREENS
from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import arguments, enrol
from tests.verification.proof.abilities import needs_an_ordinary_user
from tests.verification.proof.display import display
from tests.verification.proof.kiosk.account import as_nobody, give

# A robot that types as fast as a person, more than a thousand times.
LIMIT_S = 240

pytestmark = [
    pytest.mark.timeout(LIMIT_S),
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="xdotool is not installed"),
    needs_an_ordinary_user(),
]


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """A display without a window manager: no key is anybody else's."""
    with display(size="1366x768") as name:
        yield name


@pytest.mark.parametrize("shown", [*SCREENS, "sign-in"])
def test_no_key_opens_closes_or_starts_anything(shown: str, screen: str, tmp_path: Path) -> None:
    with Sandbox(config_dir=tmp_path / "config") as sandbox:
        enrol(arguments(tmp_path / "config", tmp_path / "data"))
        give(tmp_path)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "WAYLAND_"))}
        done = subprocess.run(
            as_nobody(
                [sys.executable, "-m", "tests.verification.proof.kiosk.on_display", str(tmp_path), shown]
            ),
            env=kept | {"DISPLAY": screen, "SANDBOX": json.dumps(sandbox.details)},
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            timeout=LIMIT_S - 20,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["keys"] > 900
    assert (told["failed"], told["heard"], told["stopped"]) == (0, True, True)
    assert (told["windows"], told["children"], told["cancels"]) == (0, 0, 0)
    assert told["size"] == [1366, 768]
