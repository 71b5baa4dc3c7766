"""What of Qt papers are drawn with."""

from __future__ import annotations


def make_types() -> None:
    """On the window's thread, before a thread that draws papers begins.

    Qt for Python makes a type when it is first needed, and two threads that need one at once end the process with a
    segmentation fault: the window fills a box while the first paper is drawn.
    """
    # Needed while the arguments of a call are looked at; no module names them.
    from PySide6.QtCore import QByteArray  # noqa: F401
    from PySide6.QtGui import QGlyphRun, QGradient  # noqa: F401

    # Those that a module names are made while it is loaded.
    from pos_app.ui.paper import pdf, raster  # noqa: F401
