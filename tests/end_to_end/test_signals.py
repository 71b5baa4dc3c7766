"""An end by signal waits until nothing of the window is in hand."""

from __future__ import annotations

import os
import signal
from typing import Any

from pos_app.app.signals import Signals


def test_a_signal_in_mid_step_is_answered_by_the_loop_and_not_in_that_step(qtbot: Any) -> None:
    asked: list[str] = []
    signals = Signals(lambda: asked.append("end"))
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        # The handler has run by now; closing the window here would take it away under whoever paints it.
        in_mid_step = list(asked)
        qtbot.waitUntil(lambda: bool(asked))
    finally:
        signals.stop()
    assert (in_mid_step, asked) == ([], ["end"])
