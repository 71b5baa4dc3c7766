"""The till's memory: an append-only, chained event table in SQLite and the tables it makes true. Decides nothing."""

from pos_app.journal.errors import (
    JournalDamaged,
    JournalError,
    JournalInUse,
    JournalRefused,
    JournalTrouble,
)
from pos_app.journal.opening import open_journal, read_only
from pos_app.journal.queries import Cursor, PageFilter, Queries
from pos_app.journal.store import Journal

__all__ = [
    "Cursor",
    "Journal",
    "JournalDamaged",
    "JournalError",
    "JournalInUse",
    "JournalRefused",
    "JournalTrouble",
    "PageFilter",
    "Queries",
    "open_journal",
    "read_only",
]
