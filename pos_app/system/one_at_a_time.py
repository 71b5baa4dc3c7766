"""One process at a time where a file is looked at first and written then: a lock on its folder, which dies with it."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_TRY_AGAIN_S = 0.01


@contextlib.contextmanager
def alone_in(folder: Path, wait_s: float) -> Iterator[None]:
    """Waits for the others, `wait_s` at most: whoever hangs keeps nobody from going on.

    Holds nothing where folders cannot be locked (Windows, some networks'), or where there is none.
    """
    descriptor = None if sys.platform == "win32" else _locked(folder, wait_s)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


if sys.platform != "win32":
    import fcntl

    def _locked(folder: Path, wait_s: float) -> int | None:
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return None
        until = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < until:
                    time.sleep(_TRY_AGAIN_S)
                    continue
            except OSError:
                pass
            else:
                return descriptor
            os.close(descriptor)
            return None
