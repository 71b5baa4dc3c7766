"""The till's memory: an append-only, chained event table in SQLite and the tables it makes true. Decides nothing."""

from pos_app.domain.search import Cursor
from pos_app.journal.chain import Keys
from pos_app.journal.errors import (
    JournalDamaged,
    JournalElsewhere,
    JournalError,
    JournalInUse,
    JournalKeyWrong,
    JournalRefused,
    JournalTooNew,
    JournalTrouble,
    Trouble,
)
from pos_app.journal.exporting import Exporting, Numbers
from pos_app.journal.files import left_behind, set_aside
from pos_app.journal.opening import open_journal
from pos_app.journal.pages import PageFilter
from pos_app.journal.queries import Queries
from pos_app.journal.reading import read_only
from pos_app.journal.store import Journal

__all__ = [
    "Cursor",
    "Exporting",
    "Journal",
    "JournalDamaged",
    "JournalElsewhere",
    "JournalError",
    "JournalInUse",
    "JournalKeyWrong",
    "JournalRefused",
    "JournalTooNew",
    "JournalTrouble",
    "Keys",
    "Numbers",
    "PageFilter",
    "Queries",
    "Trouble",
    "left_behind",
    "open_journal",
    "read_only",
    "set_aside",
]
