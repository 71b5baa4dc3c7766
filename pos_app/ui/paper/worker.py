"""Draws papers beside the window's thread, one after the other. The first loads Pillow; nothing of it before."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from pos_app.domain.paper import Paper, text_of
from pos_app.ui.paper.pdf import Page, pdf_of
from pos_app.ui.paper.qt_types import make_types
from pos_app.ui.paper.raster import bitmap_of

STOP_MS = 3000


class PaperWorker(QThread):
    """`draw` is answered by `drawn(key, Bitmap)`, `save` by `saved(key, path, problem)`, in the order of asking."""

    drawn = Signal(str, object)
    saved = Signal(str, str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("paper")
        self._lock = threading.Lock()
        self._wanted: deque[Callable[[], None]] = deque()
        self.finished.connect(self._go_on)

    def draw(self, key: str, paper: Paper, width: int) -> None:
        """A picture so many dots wide."""
        self._want(lambda: self.drawn.emit(key, bitmap_of(paper, width)))

    def save(self, key: str, paper: Paper, path: Path, page: Page = Page.ROLL) -> None:
        """A PDF, and its text beside it; `problem` says why there is none."""
        self._want(lambda: self._save(key, paper, path, page))

    def stop(self) -> None:
        """What waits is dropped, what is under way is waited for; bounded, nothing follows."""
        with self._lock:
            self._wanted.clear()
        self.wait(STOP_MS)

    def run(self) -> None:
        """All that waits."""
        while True:
            with self._lock:
                if not self._wanted:
                    return
                do = self._wanted.popleft()
            do()

    def _want(self, do: Callable[[], None]) -> None:
        with self._lock:
            self._wanted.append(do)
        if not self.isRunning():
            make_types()
            self.start()

    def _go_on(self) -> None:
        """Something was wanted while the thread was on its way out."""
        with self._lock:
            waits = bool(self._wanted)
        if waits and not self.isRunning():
            self.start()

    def _save(self, key: str, paper: Paper, path: Path, page: Page) -> None:
        from pos_app.system.atomic_file import write_whole

        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(path.with_suffix(".txt"), text_of(paper).encode())
            write_whole(path, pdf_of(paper, page))
        except OSError as error:
            self.saved.emit(key, "", error.strerror or str(error))
        else:
            self.saved.emit(key, str(path), "")
