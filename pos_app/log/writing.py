"""The thread and the files behind the log. Loaded when the log starts: logging.handlers is slow to import."""

from __future__ import annotations

import logging
import os
import queue
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from typing import Any

from pos_app.system.plain_file import open_to_append

MOST_BYTES = 1_000_000
OLD_FILES = 5
MOST_WAITING = 10_000
END_WITHIN_S = 2.0


class Poster(QueueHandler):
    """Formats in the caller's thread and never waits: a full queue loses the line, not the payment."""

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        """A record that holds its finished line and nothing else."""
        return logging.LogRecord(record.name, record.levelno, "", 0, self.format(record), None, None)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Logging's own would print the record, redacted or not, to the terminal."""


class PrivateFile(RotatingFileHandler):
    """Rotating files that only their owner may read. A disk that is full loses lines and says nothing."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=MOST_BYTES, backupCount=OLD_FILES, encoding="ascii")

    def _open(self) -> TextIOWrapper:
        return os.fdopen(open_to_append(Path(self.baseFilename)), "a", encoding="ascii")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Logging's own would print to the terminal."""


class Writer(QueueListener):
    """The writing thread. A daemon with a bounded end: a disk that hangs must not hold up the till."""

    def __init__(self, lines: queue.Queue[Any], file: logging.Handler) -> None:
        super().__init__(lines, file)
        self._lines = lines

    def stop(self) -> None:
        """Writes what waits, within END_WITHIN_S."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            self._lines.put(None, timeout=END_WITHIN_S)
        except queue.Full:
            return
        thread.join(END_WITHIN_S)


def open_writer(path: Path, formatter: logging.Formatter) -> tuple[Poster, Writer, PrivateFile]:
    """The handler to hang on the root logger, the thread behind it, and its file. Raises OSError."""
    file = PrivateFile(path)
    lines: queue.Queue[Any] = queue.Queue(MOST_WAITING)
    poster = Poster(lines)
    poster.setFormatter(formatter)
    return poster, Writer(lines, file), file
