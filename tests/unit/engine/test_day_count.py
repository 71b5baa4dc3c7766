"""The count of a closing answers whatever it meets: a day that is being counted waits for it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pos_app.engine.connection.calls import DayCounted
from pos_app.engine.core.mailbox import Message
from pos_app.engine.core.watchers import DayCounter
from pos_app.journal.recounting import Recounting


def test_a_fault_in_the_count_is_an_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The thread ended with it, and the closing stood at "counting" until the till was started again."""
    met: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda told: met.append(told.exc_type))
    monkeypatch.setattr(Recounting, "agrees", lambda _self: 1 // 0)
    posted: list[Message] = []
    counter = DayCounter(Recounting(tmp_path / "journal.sqlite"), posted.append)
    counter.count()
    counter.stop()
    assert posted == [DayCounted(None)]
    assert met == [ZeroDivisionError], "it is not hidden"
