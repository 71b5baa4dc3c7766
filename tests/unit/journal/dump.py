"""The tables that the events made true, as they lie in the file: for comparing, never for looking things up."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pos_app.journal.projections import TABLES


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Each table's rows in the order of their keys."""
    connection = sqlite3.connect(path)
    try:
        return {
            table: sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr)
            for table in TABLES
        }
    finally:
        connection.close()
