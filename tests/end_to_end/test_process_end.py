"""Once a window's verb is over its process ends, whatever would still be waited for in it."""

import subprocess
import sys

import pytest

NEVER = "threading.Event().wait"


@pytest.mark.parametrize("stays", [f"atexit.register({NEVER})", f"threading.Thread(target={NEVER}).start()"])
def test_nothing_that_never_ends_keeps_the_process_of_a_window(stays: str) -> None:
    # On Wayland Qt's own end may wait for ever for its thread: that stands behind `atexit` too.
    start = f"import atexit, sys, threading; import PySide6.QtGui; {stays}; "
    start += "sys.argv = ['pos-app', 'completion', 'bash']; "
    start += "from pos_app.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", start], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "complete -F" in done.stdout
