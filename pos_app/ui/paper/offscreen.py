"""What drawing needs where there is no window: an application without a display, with its fonts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QLoggingCategory
from PySide6.QtGui import QGuiApplication


@contextmanager
def drawing() -> Iterator[None]:
    """Papers can be drawn inside, on this thread. Nothing is shown, and no display is asked for."""
    if QGuiApplication.instance() is not None:
        yield
        return
    if sys.platform == "linux":
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    # Qt says of each font that it lacks the other scripts; another font has them.
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    application = QGuiApplication(["pos-app"])
    try:
        yield
    finally:
        application.shutdown()
