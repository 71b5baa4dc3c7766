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

_log = logging.getLogger("pos_app")

MOST_BYTES = 1_000_000
OLD_FILES = 5
MOST_UNTURNED = MOST_BYTES * (OLD_FILES + 1)
"""A file that cannot be renamed begins anew there: as much as all of them may be."""

TURN_AGAIN_BYTES = MOST_BYTES // 10
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
    """Rotating files that only their owner may read. A disk that is full loses lines and says nothing.

    Where the file cannot be renamed, the lines go on into the same one, and that is said.
    """

    def __init__(self, path: Path, formatter: logging.Formatter) -> None:
        """`formatter`: of what the file itself has to say; the lines come finished."""
        super().__init__(path, maxBytes=MOST_BYTES, backupCount=OLD_FILES, encoding="ascii")
        self._own = formatter

    def _open(self) -> TextIOWrapper:
        return os.fdopen(open_to_append(Path(self.baseFilename)), "a", encoding="ascii")

    def doRollover(self) -> None:  # noqa: N802 - logging's name
        """The file is kept as the one before, and a new one begun; or it is gone on with."""
        # Whatever fails here: None is opened again with the next line, a closed one never.
        stream, self.stream = self.stream, None
        self.maxBytes = MOST_BYTES
        problem: OSError | None = None
        try:
            if stream is not None:
                # Windows renames no open file.
                stream.close()
            _turn(Path(self.baseFilename))
        except OSError as error:
            problem = error
        self.stream = self._open()
        if problem is not None:
            self._go_on(self.stream, problem)

    def _go_on(self, stream: TextIOWrapper, problem: OSError) -> None:
        has = os.fstat(stream.fileno()).st_size
        if has + TURN_AGAIN_BYTES > MOST_UNTURNED:
            stream.truncate(0)
        else:
            self.maxBytes = has + TURN_AGAIN_BYTES
        text = "the log cannot be renamed, and goes on in the same file: %s"
        said = _log.makeRecord(_log.name, logging.WARNING, __file__, 0, text, (problem.strerror,), None)
        stream.write(self._own.format(said) + "\n")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Logging's own would print to the terminal."""


def _turn(base: Path) -> None:
    """Only as far as the first name that is free: where the newest cannot be renamed, no older one is pushed out."""
    names = [base, *(base.with_name(f"{base.name}.{number}") for number in range(1, OLD_FILES + 1))]
    free = next((number for number in range(1, OLD_FILES) if not names[number].exists()), OLD_FILES)
    for number in range(free, 0, -1):
        names[number - 1].replace(names[number])


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
    file = PrivateFile(path, formatter)
    lines: queue.Queue[Any] = queue.Queue(MOST_WAITING)
    poster = Poster(lines)
    poster.setFormatter(formatter)
    return poster, Writer(lines, file), file
