"""Counts the open period's payments one by one beside the till that goes on selling: before a Z believes its sums."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from pos_app.journal.errors import Reading
from pos_app.journal.queries import Queries

WAIT_S = 1.0


class Recounting:
    """One journal's roll-up against its payments, as of one moment. Any thread; decides and mends nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def agrees(self) -> bool:
        """Whether they agree. Raises JournalTrouble when the environment fails."""
        with Reading():
            uri = f"{self._path.resolve().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=WAIT_S)) as connection:
                connection.execute("BEGIN")
                return Queries(connection).takings_agree()
