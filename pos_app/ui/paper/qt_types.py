"""What of Qt papers are drawn with and no module names."""

from __future__ import annotations


def make_types() -> None:
    """On the window's thread, before a thread that draws papers begins.

    Qt for Python makes a type when it is first needed, these here while the arguments of a call are looked at, and two
    threads that need one at once end the process with a segmentation fault: the window fills a box while the first
    paper is drawn.
    """
    from PySide6.QtCore import QByteArray  # noqa: F401
    from PySide6.QtGui import QGlyphRun, QGradient  # noqa: F401
