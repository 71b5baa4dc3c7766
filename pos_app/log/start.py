"""Starts and ends the log. The composition roots' alone; whoever logs uses logging.getLogger."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from pos_app.domain.secret import Secret
from pos_app.system.file_permissions import make_owners_alone

FILE = "pos-app.log"
CRASH_FILE = "crash.log"
# At INFO httpx tells addresses, at DEBUG httpcore tells headers.
_TALKATIVE = ("httpx", "httpcore", "asyncio", "PIL", "keyring")


class Log:
    """A log that is on; calling it ends it, once."""

    def __init__(self, end: Callable[[], None], learn: Callable[[Iterable[Secret]], None]) -> None:
        self._end = end
        self.learn = learn
        """Secrets that came since the start; for any thread."""
        self._ended = False

    def __call__(self) -> None:
        if not self._ended:
            self._ended = True
            self._end()


def start_log(folder: Path, level: str, secrets: Iterable[Secret] = ()) -> Log:
    """Logs from `level` ("debug" … "error") into `folder`, 0700 whatever it was; the result ends it within seconds.

    Raises OSError when the folder cannot be written (the till goes on without a log), ValueError for a
    level that is none.
    """
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise ValueError(f"{level!r} is no log level")
    from pos_app.log.hooks import set_hooks
    from pos_app.log.lines import LineFormatter
    from pos_app.log.redaction import Redactor
    from pos_app.log.writing import open_writer

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_owners_alone(folder)
    redact = Redactor(secrets)
    poster, writer, file = open_writer(folder / FILE, LineFormatter(redact))
    root = logging.getLogger()
    levels = {name: logging.getLogger(name).level for name in _TALKATIVE}
    root_level = root.level
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(number, logging.WARNING))
    root.setLevel(number)
    root.addHandler(poster)
    writer.start()
    restore_hooks = set_hooks(folder / CRASH_FILE)

    def stop() -> None:
        root.removeHandler(poster)
        root.setLevel(root_level)
        for name, earlier in levels.items():
            logging.getLogger(name).setLevel(earlier)
        restore_hooks()
        writer.stop()
        poster.close()
        with contextlib.suppress(OSError):  # a full disk has lost the last lines already
            file.close()

    return Log(stop, redact.learn)
