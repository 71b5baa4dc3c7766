"""A theme is put on while parts of windows wait to be collected: none is told that is no longer there."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support.sandbox import REPOSITORY

DRESSED = """
import gc
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel
from pos_app.ui.theme import theme

class Listening(QObject):
    def eventFilter(self, watched, event):
        self.made = [[each] for each in range(50)]
        return False

application = QApplication(["till"])
listening = Listening()
application.installEventFilter(listening)
gc.set_threshold(50, 2, 2)
for colours, percent in (("light", 100), ("dark", 125), ("light", 150)):
    for put_on in (theme.apply, theme.dress):
        gc.disable()
        for _ in range(300):
            # Only the collector takes it away: it holds itself.
            part = QLabel("a part")
            part.itself = part
            del part
        gc.enable()
        put_on(application, colours, percent)
        assert gc.isenabled()
print("dressed")
"""


def test_nothing_is_collected_while_all_are_told_of_a_theme() -> None:
    """In a process of its own, which ended with a segmentation fault."""
    done = subprocess.run(
        [sys.executable, "-c", DRESSED],
        cwd=REPOSITORY,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "dressed\n"), done.stderr
