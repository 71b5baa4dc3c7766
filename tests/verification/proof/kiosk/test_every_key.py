"""A robot at real X displays sends every key with every modifier to every screen.

The long form of tests/integration/kiosk.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.integration.kiosk.test_robot import SCREENS
from tests.support.sandbox import REPOSITORY, Sandbox
from tests.support.till import arguments, enrol
from tests.verification.proof.abilities import needs_an_ordinary_user
from tests.verification.proof.display import display
from tests.verification.proof.kiosk.account import as_nobody, give

# A robot that types as fast as a person, more than a thousand times, and waits for a busy machine.
LIMIT_S = 600
HARMLESS = {"hurried": [], "windows": 0, "children": 0, "cancels": 0, "size": [1366, 768], "stopped": True}

SERVERS = {
    f"{held}+{key}"
    for held in ("ctrl+alt", "ctrl+alt+super")
    for key in (*(f"F{at}" for at in range(1, 13)), "KP_Add")
}
"""The X server's own: another console, another resolution. No window hears them."""

pytestmark = [
    pytest.mark.timeout(LIMIT_S + 60),
    pytest.mark.skipif(
        shutil.which("xdotool") is None or shutil.which("xmodmap") is None,
        reason="xdotool or xmodmap is not installed",
    ),
    needs_an_ordinary_user(),
]


@contextmanager
def robot(folder: Path, shown: str) -> Iterator[subprocess.Popen[str]]:
    """A till of its own at this screen, and the robot before it, on a display where no key is anybody else's."""
    folder.mkdir()
    with display(size="1366x768") as name, Sandbox(config_dir=folder / "config") as sandbox:
        enrol(arguments(folder / "config", folder / "data"))
        give(folder)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("QT_", "WAYLAND_"))}
        with (folder / "said").open("w") as said:
            running = subprocess.Popen(
                as_nobody(
                    [sys.executable, "-m", "tests.verification.proof.kiosk.on_display", str(folder), shown]
                ),
                env=kept | {"DISPLAY": name, "SANDBOX": json.dumps(sandbox.details)},
                cwd=REPOSITORY,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        try:
            yield running
        finally:
            running.kill()
            running.communicate()


def test_no_key_opens_closes_or_starts_anything(tmp_path: Path) -> None:
    """All screens at once: a robot that types as a person does mostly waits for its next key."""
    with ExitStack() as stack:
        robots = {
            shown: stack.enter_context(robot(tmp_path / shown, shown)) for shown in (*SCREENS, "sign-in")
        }
        for shown, running in robots.items():
            told, _ = running.communicate(timeout=LIMIT_S)
            assert running.returncode == 0, (shown, (tmp_path / shown / "said").read_text()[-3000:])
            seen = json.loads(told.splitlines()[-1])
            keys, heard, taken = (seen.pop(name) for name in ("keys", "heard", "taken"))
            assert set(taken) <= SERVERS, shown
            assert keys == heard + len(taken) > 900, shown
            assert seen == HARMLESS, shown
