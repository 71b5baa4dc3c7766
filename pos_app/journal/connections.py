"""Opens a journal's file to be looked at, whoever writes it meanwhile: nothing is written over such a connection."""

from __future__ import annotations

import sqlite3
from pathlib import Path

_WAIT_S = 5.0


def open_to_read(
    path: Path, *, wait_s: float = _WAIT_S, immutable: bool = False, own_thread: bool = True
) -> sqlite3.Connection:
    """A connection without a transaction. Raises sqlite3.Error, also for a file that is not there.

    `wait_s`: so long for somebody's lock. `immutable`: on a disk that cannot be written; what is in the log alone is
    not seen then. Without `own_thread` it may be closed on another than it was begun on.
    """
    mode = "mode=ro&immutable=1" if immutable else "mode=ro"
    uri = f"{path.resolve().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=wait_s, check_same_thread=own_thread)
