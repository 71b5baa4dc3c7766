"""A window that fails while it paints: the error is in the log, and the process lives on to say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sandbox import REPOSITORY

TIMES = 5
FAILING = f"""
import gc, sys
from pathlib import Path
from PySide6.QtCore import QEvent
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pos_app.log import start_log, writing
from pos_app.log.hooks import without_a_log

class Failing(QWidget):
    def paintEvent(self, event):
        painter = QPainter(self)
        painter.fillRect(0, 0, 3, 3, 0)
        raise KeyError("what it says")

application = QApplication([])
# All of it is to be read afterwards, however long the machine takes to write it.
writing.END_WITHIN_S = 30
log = start_log(Path(sys.argv[1]), "info") if sys.argv[1] else without_a_log()
for _ in range({TIMES}):
    window = Failing()
    window.show()
    application.processEvents()
    window.deleteLater()
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    del window
    gc.collect()
    application.processEvents()
log()
print("alive")
"""

FAILING_WIZARD = f"""
import gc, os, signal, sys, threading
from pathlib import Path
from PySide6.QtGui import QPainter
from pos_app.app import run_till
from pos_app.bootstrap.options import Options
from pos_app.ui.dialogs.set_up.wizard import Wizard

SAYS = "access_token=canary-9 for +94771234567"
painted = []

def fails(self, event):
    painter = QPainter(self)
    painter.fillRect(0, 0, 3, 3, 0)
    painted.append(1)
    if len(painted) == {TIMES}:
        thread = threading.Thread(target=lambda: [][len(SAYS)])
        thread.start()
        thread.join()
        gc.collect()
        os.kill(os.getpid(), signal.SIGTERM)
    self.update()
    raise KeyError(SAYS)

Wizard.paintEvent = fails
hook = sys.excepthook
code = run_till(Options(data_dir=Path(sys.argv[1])))
assert sys.excepthook is hook
print("alive", code, flush=True)
os._exit(0)
"""
"""A counter that is not set up: nothing has a log before its journal."""

FALLING_WIZARD = """
import os, sys
from pathlib import Path
from pos_app.app import run_till
from pos_app.bootstrap.options import Options
from pos_app.ui.dialogs.set_up.wizard import Wizard

def falls(self, event):
    os.abort()

Wizard.paintEvent = falls
run_till(Options(data_dir=Path(sys.argv[1])))
"""


def failing(log: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", FAILING, log],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
    assert "QPaintDevice" not in done.stderr
    return done


def test_an_error_in_a_painting_does_not_kill_the_process(tmp_path: Path) -> None:
    """A painter kept with the error would paint on a window that is gone."""
    failing(str(tmp_path / "log"))
    lines = [json.loads(line) for line in (tmp_path / "log" / "pos-app.log").read_text().splitlines()]
    told = [json.dumps(line) for line in lines if line["message"] == "unexpected error"]
    assert len(told) >= TIMES
    assert all("KeyError" in line and "paintEvent" in line for line in told)


def test_nor_does_it_where_no_log_can_be_written() -> None:
    """And what the error says is not written to where nothing takes secrets out."""
    done = failing("")
    assert done.stderr.count("unexpected KeyError") >= TIMES
    assert "what it says" not in done.stderr


def not_set_up(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, str(folder / "data")],
        env=os.environ
        | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.skipif(os.name != "posix", reason="nobody ends a till by a signal there")
def test_nor_does_it_before_there_can_be_a_log(tmp_path: Path) -> None:
    """The first set-up, the safe screen and a till until its first paint ended with the process, and what the error
    said stood in the system's journal."""
    done = not_set_up(FAILING_WIZARD, tmp_path)
    assert (done.returncode, done.stdout) == (0, "alive 0\n"), done.stderr
    assert done.stderr.count("unexpected KeyError; no log is on") >= TIMES
    assert "unexpected IndexError" in done.stderr
    assert "<string>:" in done.stderr, "where it was"
    assert "QPaintDevice" not in done.stderr
    for canary in ("canary-9", "771234567", "Traceback"):
        assert canary not in done.stderr


def test_a_process_that_dies_before_there_can_be_a_log_says_where(tmp_path: Path) -> None:
    """There is no crash file then: a library that fell at the start left nothing at all."""
    done = not_set_up(FALLING_WIZARD, tmp_path)
    assert done.returncode != 0
    assert "Fatal Python error: Aborted" in done.stderr
    assert "in falls" in done.stderr
