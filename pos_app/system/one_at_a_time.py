"""One process at a time, by a lock that dies with the process."""

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
    """For what is looked at first and written then. Waits for the others, `wait_s` at most: whoever hangs keeps nobody
    from going on."""
    held = _in_turn(folder, wait_s)
    try:
        yield
    finally:
        let_go(held)


def _in_turn(folder: Path, wait_s: float) -> int | None:
    until = time.monotonic() + wait_s
    while True:
        try:
            return hold(folder)
        except BlockingIOError:
            if time.monotonic() >= until:
                return None
            time.sleep(_TRY_AGAIN_S)


def hold(folder: Path) -> int | None:
    """Until `let_go`. Raises BlockingIOError while another has it; None where folders cannot be locked (Windows, some
    networks'), and where there is none."""
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        lock(descriptor)
    except BlockingIOError:
        os.close(descriptor)
        raise
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def let_go(held: int | None) -> None:
    """For the next one."""
    if held is not None:
        os.close(held)


def lock(descriptor: int) -> None:
    """What is open, until it is closed. Raises BlockingIOError while another has it, OSError where nothing there can be
    locked; on Windows nothing is: what is open cannot be taken away there."""
    if sys.platform == "win32":
        return
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
