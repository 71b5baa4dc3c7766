"""What the window's services do beside it is let go of by the window's thread: it knows objects of Qt's."""

from __future__ import annotations

import threading

from pos_app.app.background import Background
from tests.support.patience import PATIENCE_S


class Asking:
    """Stands for a dialog that asked for something and was closed before it was done."""

    def __init__(self, gone_on: list[threading.Thread], go_on: threading.Event) -> None:
        self._gone_on, self._go_on = gone_on, go_on

    def work(self) -> None:
        assert self._go_on.wait(PATIENCE_S)

    def __del__(self) -> None:
        self._gone_on.append(threading.current_thread())


def test_what_was_done_is_not_taken_away_by_the_thread_that_did_it() -> None:
    gone_on: list[threading.Thread] = []
    go_on = threading.Event()
    background = Background("asking")
    background.run(Asking(gone_on, go_on).work)
    go_on.set()
    background.stop(PATIENCE_S)
    assert not background.is_busy
    assert gone_on == []
    background.run(lambda: None)
    assert gone_on == [threading.current_thread()]
    background.stop(PATIENCE_S)
