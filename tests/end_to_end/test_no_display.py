"""A till that is started where no window can be shown."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a session always has a display")
def test_without_a_display_a_start_says_so(tmp_path: Path) -> None:
    gone = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    left = {name: value for name, value in os.environ.items() if name not in gone}
    command = [sys.executable, "-m", "pos_app", "--data-dir", str(tmp_path)]
    done = subprocess.run(
        command, env=left, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("pos-app: no display: ")
    assert list(tmp_path.iterdir()) == []
