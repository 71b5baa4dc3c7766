"""A journal that somebody damages, and the fresh one that is begun beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pos_app.domain.attempt import Environment
from pos_app.engine.core.rebuild import records_of
from pos_app.journal import Journal, JournalDamaged
from pos_app.journal.salvage import salvage

KEY = b"k" * 32
Opens = Callable[[], Journal]


def harm(path: Path, *statements: str) -> None:
    """Past the triggers that guard the events."""
    connection = sqlite3.connect(path, isolation_level=None)
    for trigger in ("event_is_never_changed", "event_is_never_deleted"):
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def begun_anew(opens: Opens) -> Journal:
    """Opened, found damaged, put aside; what it still says is written first."""
    with pytest.raises(JournalDamaged) as caught:
        opens()
    journal = opens()
    now = 1_700_000_000_000
    wall = datetime.fromtimestamp(now // 1_000, UTC)
    aside = caught.value.moved_to
    journal.append(records_of(salvage(aside, KEY, Environment.SANDBOX), aside.name, now, wall))
    return journal
