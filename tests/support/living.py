"""Lets the windows of this process live for a moment, and its threads beside them; decides no deadline."""

from __future__ import annotations

from PySide6.QtCore import QEventLoop, QTimer


def let_live(milliseconds: int) -> None:
    """Events, timers and signals for so long.

    QTest.qWait keeps Python's lock all the while: a thread gets it for a moment between two waits, and gives it up
    with the next file it opens. Loading the HTTP library took ten times as long, more than a request may wait.
    """
    loop, timer = QEventLoop(), QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(loop.quit)
    timer.start(milliseconds)
    loop.exec()
    # A till that asks Qt to end ends this loop ahead of its time: what is left of that is nobody's.
    timer.stop()
