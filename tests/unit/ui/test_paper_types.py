"""What a paper is drawn with is made before its thread begins: two threads that made a type at once ended the till."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sandbox import REPOSITORY
from tests.support.types_of_qt import made_elsewhere

NOTED = """
import sys, threading
from pathlib import Path
from tests.support.types_of_qt import note

language, folder, types = sys.argv[1:]
note(Path(types))
"""

BY_THE_WINDOWS_WORKER = """
from PySide6.QtCore import QEventLoop, QTimer
from pos_app.ui.paper.worker import PaperWorker
from pos_app.ui.theme import theme
from tests.unit.ui.paper_cases import KINDS, paper

application = theme.application()
worker, loop = PaperWorker(), QEventLoop()
left = [*KINDS]

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
print(left)
"""


BY_THE_PRINTERS_THREAD = """
from pos_app.domain.attempt import Environment
from pos_app.domain.print_job import PaperKind, PrintJob
from pos_app.domain.receipt import Letterhead
from pos_app.engine.printing.content import PaperContent
from pos_app.ui.paper.drawing import PaperDrawing
from pos_app.ui.paper.qt_types import make_types
from pos_app.ui.theme import theme
from tests.unit.ui.paper_cases import KINDS, paper

application = theme.application()
left = [PaperKind.TEST, *KINDS]

def draw():
    drawing = PaperDrawing(Letterhead())
    job = PrintJob(number=1, paper=PaperKind.TEST, language=language)
    content = PaperContent(environment=Environment.SANDBOX, printed="")
    drawing.picture(job, content), drawing.pdf(job, content)
    left.remove(PaperKind.TEST)
    from pos_app.ui.paper.pdf import pdf_of
    from pos_app.ui.paper.raster import bitmap_of
    for kind in KINDS:
        bitmap_of(paper(kind, language), 576), pdf_of(paper(kind, language))
        left.remove(kind)

make_types()
thread = threading.Thread(target=draw)
thread.start()
thread.join()
print(left)
"""


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
@pytest.mark.parametrize("drawn", [BY_THE_WINDOWS_WORKER, BY_THE_PRINTERS_THREAD], ids=["worker", "printer"])
def test_no_type_of_qt_is_made_on_the_papers_thread(drawn: str, language: str, tmp_path: Path) -> None:
    """In a process of its own: a type is made once. In a whole till: tests/integration/tour."""
    types = tmp_path / "types"
    done = subprocess.run(
        [sys.executable, "-c", NOTED + drawn, language, str(tmp_path), str(types)],
        cwd=REPOSITORY,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"
    assert made_elsewhere(types) == []
