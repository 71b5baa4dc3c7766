"""How the process of a window ends: at once, when everything of ours has ended."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn


def end_process(code: int) -> NoReturn:
    """Ends this process with `code` (0 to 255), without taking Qt apart and without waiting for a thread.

    The journal is closed or its last write durable by then, and the log is stopped. What would follow is Qt's own end,
    and on Wayland it can last for ever: ~QWaylandDisplay waits for a thread that was told to stop before it had begun
    to listen (seen one time in ten, in PySide6 6.11, where a kiosk was stopped in the moment its window stood).
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if sys.platform == "win32":
        _end_without_libraries(code)
    os._exit(code)


def _end_without_libraries(code: int) -> None:
    """On Windows every library is told of an exit, and Qt for Python's then takes apart what it still has.

    That ended with a fault, and code 3 instead of ours, wherever windows were left (PySide6 6.11 under Wine).
    """
    import ctypes

    this_process = ctypes.c_void_p(-1)
    ctypes.windll.kernel32.TerminateProcess(this_process, code)  # type: ignore[attr-defined, unused-ignore]
