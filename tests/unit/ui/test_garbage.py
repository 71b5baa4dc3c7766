"""Whatever thread makes the garbage: a window is taken away on the thread on which Qt has it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.ui.garbage import GarbageCollector
from tests.support.sandbox import REPOSITORY

DRESSED = """
import gc
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLabel
from pos_app.ui.theme import theme

class Listening(QObject):
    def eventFilter(self, watched, event):
        self.made = [[each] for each in range(50)]
        return False

application = theme.application()
listening = Listening()
application.installEventFilter(listening)
gc.set_threshold(50, 2, 2)
for colours, percent in (("light", 100), ("dark", 125), ("light", 150)):
    for put_on in (theme.apply, theme.dress):
        for _ in range(300):
            part = QLabel("a part")
            part.itself = part
            del part
        put_on(application, colours, percent)
print("dressed")
"""
"""Qt goes through a list of all widgets and tells each, and event filters of ours hear it: a widget that is taken away
meanwhile would be told too."""

COLLECTED = """
import gc, sys, threading, weakref
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel
from pos_app.ui.theme import theme

application = theme.application()
gc.set_threshold(50, 2, 2)
where = []
for _ in range(300):
    # Only the collector takes it away: it holds itself.
    part = QLabel("a part")
    part.itself = part
    weakref.finalize(part, lambda: where.append(threading.current_thread() is threading.main_thread()))
    del part

def works():
    while len(where) < 300 and not ended.is_set():
        kept = []
        kept.append(kept)

ended = threading.Event()
worker = threading.Thread(target=works)
worker.start()
watch = QTimer()
watch.timeout.connect(lambda: len(where) == 300 and application.quit())
watch.start(10)
QTimer.singleShot(60_000, application.quit)
application.exec()
ended.set()
worker.join()
print(len(where), all(where))
"""


def played(program: str) -> str:
    """What it said. In a process of its own: with the automatic collector it ended with a segmentation fault."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=REPOSITORY,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_windows_are_collected_on_their_own_thread() -> None:
    assert played(COLLECTED) == "300 True\n"


def test_nothing_is_collected_while_all_are_told_of_a_theme() -> None:
    assert played(DRESSED) == "dressed\n"


def test_no_thread_of_a_test_takes_a_window_away_either(qapp: QApplication) -> None:
    """A till's poller collected what another test had left, and stood still together with the window."""
    assert qapp.findChildren(GarbageCollector)
    assert not gc.isenabled()


def test_a_window_of_a_test_is_closed_before_it_is_collected(
    qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    """A wizard that nobody held any more was emptied unclosed, and called by the application it still listened to."""
    gone: list[str] = []

    def opened() -> None:
        window = QWidget()
        # A ring, as of a window and what it listens to.
        vars(window)["itself"] = window
        window.destroyed.connect(lambda: gone.append("window"))
        qtbot.addWidget(window)

    opened()
    gc.collect()
    assert gone == []
    (is_held,) = (each() is not None for each, _ in request.node.qt_widgets)
    assert is_held
