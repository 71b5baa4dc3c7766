"""The longest time the window's thread takes no event: idle, then while a payment is polled."""

from __future__ import annotations

import os
import time
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from tests.verification.bench.scenes.counter import Counter
from tests.verification.bench.watching import Painting

SECONDS = 8 if os.environ.get("BENCH_QUICK") else 60
BEAT_MS = 2


def play(window: QWidget, painting: Painting) -> None:
    """Says the longest and the 99.9th percentile of the gaps beyond the beat (ms) of both."""
    counter = Counter(window, painting)
    counter.sign_in()
    idle = _gaps(counter)
    counter.charge_by_qr()
    polling = _gaps(counter)
    counter.finish("reject")
    counter.tell({"idle": idle[-20:], "polling": polling[-20:]})


def _gaps(counter: Counter) -> list[float]:
    """All gaps, the shortest first."""
    beats: list[float] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(time.monotonic()))
    timer.start(BEAT_MS)
    counter.rest(SECONDS * 1000)
    timer.stop()
    return sorted((after - before) * 1000 - BEAT_MS for before, after in pairwise(beats))
