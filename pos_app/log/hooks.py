"""What Python does with errors nobody caught: a line in the log without locals, a crash file, a short word."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

_log = logging.getLogger("pos_app")


def set_hooks(crash_file: Path) -> Callable[[], None]:
    """Takes over the interpreter's hooks; the result puts the earlier ones back. Raises OSError."""
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    was_enabled = faulthandler.is_enabled()
    descriptor = os.open(crash_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    faulthandler.enable(descriptor)
    sys.excepthook, threading.excepthook, sys.unraisablehook = _uncaught, _in_thread, _unraisable

    def restore() -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = before
        faulthandler.disable()
        if was_enabled:
            faulthandler.enable()
        os.close(descriptor)

    return restore


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    _log.critical("unexpected error", exc_info=(kind, error, trace))
    _forget(trace)
    if sys.stderr is not None:
        # The type alone: the text may hold what the log has taken out.
        sys.stderr.write(f"pos-app: unexpected {kind.__qualname__}; the log tells where\n")


def _forget(trace: TracebackType | None) -> None:
    """Lets go of what failed: a painter that a kept traceback holds outlives its window, and the process dies.

    The interpreter keeps the last error for a debugger, the log's thread keeps it until it is written.
    """
    sys.last_type = sys.last_value = sys.last_traceback = None
    traceback.clear_frames(trace)


def _in_thread(told: threading.ExceptHookArgs) -> None:
    if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
        name = told.thread.name if told.thread is not None else "?"
        trace = told.exc_traceback
        _log.critical("unexpected error in thread %s", name, exc_info=(told.exc_type, told.exc_value, trace))


def _unraisable(told: sys.UnraisableHookArgs) -> None:
    if told.exc_value is not None:
        trace = told.exc_traceback
        _log.error("error while cleaning up", exc_info=(told.exc_type, told.exc_value, trace))
