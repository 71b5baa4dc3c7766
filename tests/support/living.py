"""Lets the windows of this process live for a moment, and its threads beside them; decides no deadline."""

from __future__ import annotations

from PySide6.QtCore import QEventLoop, QTimer


def let_live(milliseconds: int) -> None:
    """Events, timers and signals for so long.

    QTest.qWait keeps Python's lock all the while: a thread gets it for a moment between two waits, and gives it up
    with the next file it opens. Loading the HTTP library took ten times as long, more than a request may wait.
    """
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
