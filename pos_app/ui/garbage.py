"""Python's collector, on the window's thread alone.

By itself it runs on whatever thread happens to make the object too many: a window that waits to be taken away would be
taken away there, its event filters with it, in the middle of what Qt does with them on its own thread. The process
then ends with a segmentation fault.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

LOOK_MS = 1_000
"""How often it is looked whether there is enough to collect; what waits meanwhile is a few thousand objects."""


class GarbageCollector(QTimer):
    """Takes the place of the automatic one for as long as the process lives."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        gc.disable()
        # Together with the till's other looks: an idle processor is woken once for all.
        self.setTimerType(Qt.TimerType.VeryCoarseTimer)
        self.setInterval(LOOK_MS)
        self.timeout.connect(collect_what_is_due)
        self.start()


def collect_what_is_due() -> None:
    """What the automatic one would have collected by now: the oldest generation that is full, with all younger ones."""
    counts, limits = gc.get_count(), gc.get_threshold()
    full = [generation for generation in range(3) if counts[generation] > limits[generation]]
    if full:
        gc.collect(full[-1])


Asks = Callable[[Any, QObject, QEvent], bool]


def while_whole(asks: Asks) -> Asks:
    """For an event filter: False once Python's collector has emptied it.

    What is collected as a ring is emptied first and destroyed then, and Qt asks the filters of a window that is being
    destroyed: an emptied one knows nothing any more, not even what it watched.
    """

    @wraps(asks)
    def asked(self: Any, watched: QObject, event: QEvent) -> bool:
        return asks(self, watched, event) if vars(self) else False

    return asked
