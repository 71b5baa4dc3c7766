"""A minute at the counter: nothing to do, one payment polled, then sales; says when each part begins."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QWidget

from tests.verification.bench.scenes.counter import Counter
from tests.verification.bench.usage import IDLE_S, POLLING_S, USE_S
from tests.verification.bench.watching import Painting


def play(window: QWidget, painting: Painting) -> None:
    """The parts in their order; the process that listens looks at the clock of the processor."""
    counter = Counter(window, painting)
    began = time.monotonic()
    counter.sign_in()
    counter.rest(2_000)
    counter.tell("idle")
    counter.rest(IDLE_S * 1000)
    counter.charge_by_qr()
    counter.rest(1_000)
    counter.tell("polling")
    counter.rest(POLLING_S * 1000)
    counter.finish()
    while time.monotonic() - began < USE_S:
        counter.charge_by_qr()
        counter.rest(1_000)
        counter.finish()
        counter.rest(500)
    counter.tell("used")
