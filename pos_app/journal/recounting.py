"""Counts the open period's payments one by one beside the till that goes on selling: before a Z believes its sums."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from pos_app.journal.connections import open_to_read
from pos_app.journal.errors import Reading
from pos_app.journal.queries import Queries

WAIT_S = 1.0


class Recounting:
    """One journal's roll-up against its payments, as of one moment. Any thread; decides and mends nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def agrees(self) -> bool:
        """Whether they agree. Raises JournalTrouble when the environment fails."""
        with Reading(), closing(open_to_read(self._path, wait_s=WAIT_S)) as connection:
            connection.execute("BEGIN")
            return Queries(connection).takings_agree()
