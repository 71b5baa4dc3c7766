"""Between the window's thread and the till's: both of the till's end, also where one never came to its work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QThread

from pos_app.domain.attempt import Environment
from pos_app.domain.views import Block, Terminal
from pos_app.journal import open_journal
from pos_app.ui.bridge import Bridge
from tests.unit.engine.test_cannot_begin import made


def test_a_window_whose_engine_cannot_begin_leaves_no_thread(qtbot: Any, tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal.sqlite", b"k" * 32, Environment.SANDBOX)
    bridge = Bridge(lambda mailbox, publish: made(journal, publish, mailbox))
    engine, poller = bridge.findChildren(QThread)
    told: list[Any] = []
    bridge.published.connect(told.append)
    with qtbot.captureExceptions() as met:
        with qtbot.waitSignal(engine.finished):
            bridge.start()
        # Else the window gets ready for ever.
        qtbot.waitUntil(
            lambda: [each.block for each in told if isinstance(each, Terminal)] == [Block.ENGINE_HALTED]
        )
        assert bridge.stop()
    journal.close()
    assert [kind for kind, *_ in met] == [RuntimeError]
    assert not poller.isRunning()
