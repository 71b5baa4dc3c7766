"""What a paper is drawn with is made before its thread begins: two threads that made a type at once ended the till."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.sandbox import REPOSITORY

DRAWN = """
import enum, sys, threading
from pathlib import Path

# A type of Qt is made with the enums in it.
made = []
create = enum.EnumType._create_

def noted(cls, name, *what, **more):
    if threading.current_thread() is not threading.main_thread():
        made.append(name)
    return create(cls, name, *what, **more)

enum.EnumType._create_ = noted

from PySide6.QtCore import QEventLoop, QTimer
from pos_app.ui.paper.worker import PaperWorker
from pos_app.ui.theme import theme
from tests.unit.ui.paper_cases import KINDS, paper

application = theme.application()
worker, loop = PaperWorker(), QEventLoop()
left = [*KINDS]
language, folder = sys.argv[1:]

def saved(kind, path, problem):
    left.remove(kind)
    if not left:
        loop.quit()

worker.saved.connect(saved)
for kind in KINDS:
    worker.draw(kind, paper(kind, language), 576)
    worker.save(kind, paper(kind, language), Path(folder, kind + ".pdf"))
QTimer.singleShot(60_000, loop.quit)
loop.exec()
worker.stop()
print(left, made)
"""


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
def test_no_type_of_qt_is_made_on_the_papers_thread(language: str, tmp_path: object) -> None:
    """In a process of its own: a type is made once."""
    done = subprocess.run(
        [sys.executable, "-c", DRAWN, language, str(tmp_path)],
        cwd=REPOSITORY,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[] []\n"
