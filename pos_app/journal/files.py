"""The files of a journal as the file system sees them: still the same ones, and moved aside together."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from pos_app.journal.backup import backups
from pos_app.system.atomic_file import sync_folder

BESIDE = ("-wal", "-shm", ".found", ".anchor")
"""What belongs to a journal and moves with it; the lock stays where the next process looks for it."""


class FileIdentity:
    """Which files were opened. A file deleted or replaced under SQLite would take commits to nowhere."""

    def __init__(self, journal: Path) -> None:
        self._file = os.fspath(journal)
        self._log = self._file + "-wal"
        self._known = self._now()

    def _now(self) -> tuple[int, int, int, int]:
        file, log = os.stat(self._file), os.stat(self._log)  # noqa: PTH116 - before each commit
        return file.st_dev, file.st_ino, log.st_dev, log.st_ino

    def unmoved(self) -> bool:
        """Whether they still lie where they were opened. Raises OSError other than their absence."""
        try:
            return self._now() == self._known
        except FileNotFoundError:
            return False


def remains(journal: Path) -> bool:
    """Whether something of a journal lies there although the journal itself does not."""
    return not journal.exists() and any(
        journal.with_name(journal.name + ending).exists() for ending in BESIDE
    )


def left_behind(journal: Path) -> list[Path]:
    """What lies in a folder in which there has been a journal: it, what belongs to it, its lock, damaged ones."""
    names = [journal, *(journal.with_name(journal.name + ending) for ending in BESIDE)]
    lock = journal.with_name(journal.name + ".lock")
    return (
        [each for each in names if each.exists()]
        + ([] if is_empty(lock) else [lock])
        + set_aside(journal)
        + backups(journal)
    )


def is_empty(journal: Path) -> bool:
    """Whether there is no journal, or nothing in its file."""
    try:
        return journal.stat().st_size == 0
    except FileNotFoundError:
        return True


def found_path(journal: Path) -> Path:
    """Where it is written down that a running till found the journal damaged."""
    return journal.with_name(journal.name + ".found")


def set_aside(journal: Path) -> list[Path]:
    """The damaged journals that lie beside this one, newest first; of some only a part was there to be kept."""
    ours = re.compile(
        rf"({re.escape(journal.stem)}-damaged-[0-9]+{re.escape(journal.suffix)})(-wal|-shm|\..+)?"
    )
    try:
        names = [ours.fullmatch(each.name) for each in journal.parent.iterdir()]
    except FileNotFoundError:
        return []
    return [journal.with_name(name) for name in sorted({each[1] for each in names if each}, reverse=True)]


def move_aside(journal: Path, why: str = "") -> Path:
    """Renames the file and what belongs to it; nothing is ever deleted. Raises OSError.

    `why`: written down in its place where nothing is left of it, so that a start that is cut off now is followed
    by one that knows.
    """
    aside = _half_moved(journal) or _free_name(journal)
    parts = [ending for ending in ("", *BESIDE) if journal.with_name(journal.name + ending).exists()]
    # The anchor last: cut off in between, the next start still sees that there was a journal.
    for ending in parts:
        journal.with_name(journal.name + ending).rename(aside.with_name(aside.name + ending))
    if not parts:
        found_path(aside).write_text(f"{why or 'nothing was left of it'}\n", "utf-8")
    sync_folder(journal.parent)
    return aside


def _half_moved(journal: Path) -> Path | None:
    """Where a till that was killed while it moved a journal aside had begun to put it."""
    newest = next(iter(set_aside(journal)), None)
    anchor = journal.with_name(journal.name + ".anchor")
    if newest is None or not newest.exists() or journal.exists() or not anchor.exists():
        return None
    return None if newest.with_name(newest.name + ".anchor").exists() else newest


def _free_name(journal: Path) -> Path:
    stamp = time.time_ns() // 1_000_000
    taken = set_aside(journal)
    while (aside := journal.with_name(f"{journal.stem}-damaged-{stamp}{journal.suffix}")) in taken:
        stamp += 1
    return aside
