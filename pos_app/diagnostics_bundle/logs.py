"""The last lines of the till's log and crash file, cleaned. Reads no other file."""

from __future__ import annotations

import os
from pathlib import Path

from pos_app.diagnostics_bundle.cleaning import Cleaner
from pos_app.log.start import CRASH_FILE, FILE
from pos_app.log.writing import OLD_FILES
from pos_app.system.plain_file import NotPlainError, open_plain

MOST_LINES = 2_000
MOST_BYTES = 1_000_000
_MOST_CRASH = 64 * 1024


def last_lines(folder: Path, cleaner: Cleaner) -> str:
    """Over the turned files, oldest first; a line that is none of ours is only counted."""
    lines: list[str] = []
    for number in range(OLD_FILES + 1):
        name = f"{FILE}.{number}" if number else FILE
        lines[:0] = _end_of(folder / name, MOST_BYTES).splitlines()
        if len(lines) >= MOST_LINES:
            break
    cleaned = [cleaner.log_line(line) for line in lines[-MOST_LINES:]]
    kept = [line for line in cleaned if line]
    left_out = len(cleaned) - len(kept)
    return "\n".join([*kept, *([f'{{"left_out": {left_out}}}'] if left_out else [])])


def crashes(folder: Path, cleaner: Cleaner) -> str:
    """Which functions were on when the process died; Python writes no values there."""
    return "\n".join(map(cleaner.anything, _end_of(folder / CRASH_FILE, _MOST_CRASH).splitlines()))


def _end_of(path: Path, most: int) -> str:
    try:
        with open_plain(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - most))
            return file.read(most).decode("ascii", "replace")
    except (OSError, NotPlainError):
        return ""
