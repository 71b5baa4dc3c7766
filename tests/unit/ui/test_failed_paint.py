"""A window that fails while it paints: the error is in the log, and the process lives on to say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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
