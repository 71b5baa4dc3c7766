"""The wait of the tests' own: it leaves nothing behind, also where it ends ahead of its time."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QDeadlineTimer, QTimer

from tests.support.living import let_live


def test_a_till_that_ends_in_the_middle_of_a_wait_ends_the_wait(qapp: Any) -> None:
    """What a guard looks for then (tests/guards/leaks.py) is what the till left, and no timer of the wait's."""
    QTimer.singleShot(0, qapp, lambda: qapp.exit(0))
    waited = QDeadlineTimer(60_000)
    let_live(60_000)
    assert not waited.hasExpired()
