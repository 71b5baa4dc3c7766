"""Takes a picture of each exhibit, at its own size, without a screen. Keeps no exhibit afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QEventLoop, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pos_app.gallery.exhibit import Exhibit, Stand
from pos_app.gallery.sections import sections
from pos_app.ui.language import set_language
from pos_app.ui.till.payment.qr_encoder import QrEncoder

_READY_MS = 5_000
_LOOK_MS = 10
_LAYOUT_ROUNDS = 3


def picture(exhibit: Exhibit) -> QImage:
    """The exhibit as it looks now, in the theme and language that are on."""
    made = Stand(exhibit)
    # Shown, so that layouts and states are those of a real window; nowhere, so that nothing steals the focus.
    made.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    made.show()
    since = QElapsedTimer()
    since.start()
    while not exhibit.ready(made.made) and since.elapsed() < _READY_MS:
        loop = QEventLoop()
        QTimer.singleShot(_LOOK_MS, loop.quit)
        loop.exec()
    for _ in range(_LAYOUT_ROUNDS):
        QApplication.processEvents()
    taken = made.grab().toImage()
    made.close()
    made.deleteLater()
    return taken


def pictures(encoder: QrEncoder, only: str | None) -> Iterator[tuple[str, QImage]]:
    """Those of one section, or all of them, by "section/name"."""
    for section, exhibits in sections(encoder).items():
        for exhibit in exhibits if only in (None, section) else ():
            yield f"{section}/{exhibit.name}", picture(exhibit)


def save(folder: Path, language: str, only: str | None = None) -> int:
    """Writes them as PNG into a folder for each section; how many. Raises OSError."""
    set_language(language)
    encoder = QrEncoder()
    count = 0
    try:
        for name, taken in pictures(encoder, only):
            path = folder / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            if not taken.save(str(path)):
                raise OSError(0, "cannot be written", str(path))
            count += 1
    finally:
        encoder.stop()
    return count
