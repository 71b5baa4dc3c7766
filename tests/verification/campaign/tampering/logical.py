"""What a journal says, read by SQLite alone: every row of every table, typed, and what SQLite thinks of the file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

TABLES = (
    "meta", "event", "sale", "attempt", "person", "otp_send", "other_event", "takings", "remark", "z_report",
    "print_job",
)  # fmt: skip


class _Text(bytes):
    """A text, so that a blob of the same bytes is another value."""

    def __repr__(self) -> str:
        return f"t{super().__repr__()}"


Dump = tuple[Any, ...]


def dump(path: Path) -> Dump | None:
    """None when SQLite cannot read it through."""
    connection = sqlite3.connect(path)
    connection.text_factory = _Text
    try:
        said = [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES]
        schema = connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
        ).fetchall()
        whole = connection.execute("PRAGMA integrity_check").fetchall()
        version = connection.execute("PRAGMA user_version").fetchall()
        return repr(said), repr(schema), whole == [(b"ok",)], version
    except sqlite3.Error:
        return None
    finally:
        connection.close()
