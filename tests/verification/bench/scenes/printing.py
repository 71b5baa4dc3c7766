"""Sales at a till with a printer, or without: when a result is painted, what its receipt takes, how the window is."""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import State
from pos_app.ui.paper.drawing import PaperDrawing
from tests.verification.bench.scenes.counter import Counter
from tests.verification.bench.watching import Painting

ARRIVED_MS, DRAWN_MS, BEAT_MS = 150, 500, 2
LATER = ("PIL.Image", "pos_app.ui.paper.raster", "pos_app.ui.paper.layout", "pos_app.ui.paper.pdf")
"""What only a paper needs."""


def play(window: QWidget, painting: Painting) -> None:
    """One sale for each line it is given, and says: ms from the ask to the painted PAID, of the pictures since the last
    sale, and of the longest stall once the result stood; and which of LATER were there before the first.
    """
    loaded = {name for name in LATER if name in sys.modules}
    pictures = _timed()
    counter = Counter(window, painting)
    counter.sign_in()
    while sys.stdin.readline():
        counter.charge_by_qr()
        counter.rest(300)
        counter.act("pay")
        if not pictures:
            loaded |= {name for name in LATER if name in sys.modules}
        drawn = len(pictures)
        result = _paid(counter)
        counter.rest(ARRIVED_MS)
        stall = _stall(counter)
        counter.finish()
        counter.tell(
            {"loaded": sorted(loaded), "result": result, "picture": pictures[drawn:], "stall": stall}
        )


def _timed() -> list[float]:
    """How long each picture takes on the printer's thread (ms), from now on."""
    took: list[float] = []
    draw = PaperDrawing.picture

    def timed(*told: Any) -> Any:
        start = time.perf_counter()
        try:
            return draw(*told)
        finally:
            took.append((time.perf_counter() - start) * 1000)

    PaperDrawing.picture = timed  # type: ignore[method-assign, assignment]
    return took


def _paid(counter: Counter) -> float:
    """From the ask to the painted PAID."""
    pressed = time.monotonic()
    counter.stage.key(Qt.Key.Key_F5)
    seen = counter.until_painted(lambda: counter.attempt is not None and counter.attempt.state is State.PAID)
    return (seen - pressed) * 1000


def _stall(counter: Counter) -> float:
    """The longest gap of a beat beyond its interval (ms), in the second in which a receipt is drawn and sent."""
    beats: list[float] = []
    timer = QTimer(counter.window)
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append(time.monotonic()))
    timer.start(BEAT_MS)
    counter.rest(DRAWN_MS)
    timer.stop()
    return max((after - before) * 1000 - BEAT_MS for before, after in pairwise(beats))
