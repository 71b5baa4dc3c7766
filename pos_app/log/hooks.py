"""What Python does with errors nobody caught: a line in the log without locals, a crash file, a short word."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from pos_app.system.plain_file import open_to_append
from pos_app.system.standard_error import tell, tell_where

_log = logging.getLogger("pos_app")


MOST_BYTES = 1_000_000
"""A crash file that has more is kept as the one before, and a new one begun: a program that crashes at each start would
fill the disk.
"""


def set_hooks(crash_file: Path) -> Callable[[], None]:
    """Takes over the interpreter's hooks; the result puts the earlier ones back."""
    was_enabled = faulthandler.is_enabled()
    try:
        descriptor = _crash_file(crash_file)
    except OSError as error:
        # The log tells more than a crash file does, and is not given up for the want of one.
        _log.warning("no crash file is written: %s", error.strerror)
        return _take_over(_uncaught)
    began_at, begun = _begin(descriptor)
    # The thread that fell; where the service manager ends a till that hangs, the window's. Those of all threads are
    # read while these run on: that read freed memory now and then, and the window's, the last, was missing.
    faulthandler.enable(descriptor, all_threads=False)
    give_back = _take_over(_uncaught)

    def restore() -> None:
        give_back()
        faulthandler.disable()
        if was_enabled:
            _stacks_on_standard_error()
        with contextlib.suppress(OSError):
            if os.fstat(descriptor).st_size == begun:
                # Nothing fell: a verb that is run all day would leave nothing but its beginnings there.
                os.ftruncate(descriptor, began_at)
        os.close(descriptor)

    return restore


def _begin(descriptor: int) -> tuple[int, int]:
    """A line ahead of what may come: Python names no time there, and nobody knew which crash was which till's.

    The file's length before and behind it.
    """
    # Not ahead of a window's first paint: what it loads is slow to load.
    from pos_app.system.version import version

    before = os.fstat(descriptor).st_size
    at = datetime.now(UTC).isoformat(timespec="seconds")
    # A full disk takes no stack either.
    with contextlib.suppress(OSError):
        os.write(descriptor, f"{at} pos-app {version('pos-app', '?')} begins\n".encode("ascii", "replace"))
    return before, os.fstat(descriptor).st_size


def _crash_file(path: Path) -> int:
    descriptor = open_to_append(path)
    if os.fstat(descriptor).st_size <= MOST_BYTES:
        return descriptor
    os.close(descriptor)
    # Where that cannot be, it grows on: it is rare, and what is in it is wanted.
    with contextlib.suppress(OSError):
        path.replace(path.with_name(f"{path.name}.1"))
    return open_to_append(path)


def without_a_log() -> Callable[[], None]:
    """The same where no log is on yet, or no folder takes one: an error while painting must not end the process.

    Until the result is called; a log that begins meanwhile takes over from it, and gives back to it.
    """
    had_stacks = faulthandler.is_enabled()
    if not had_stacks:
        _stacks_on_standard_error()
    give_back = _take_over(_unlogged)
    # Else Python itself would write what the error says, with all that the log would have taken out.
    places = _Places()
    logging.getLogger().addHandler(places)

    def restore() -> None:
        logging.getLogger().removeHandler(places)
        give_back()
        if not had_stacks:
            faulthandler.disable()

    return restore


class _Places(logging.Handler):
    """In the place of a log: of an error its type and where it was. Without the secrets nothing cleans what it says."""

    def emit(self, record: logging.LogRecord) -> None:
        """Of the last one alone that took over: behind it stands the log, or another of these."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and logging.getLogger().handlers[-1] is self:
            tell_where(error)
            tell(f"pos-app: unexpected {type(error).__qualname__}; no log is on\n")


def _stacks_on_standard_error() -> None:
    # There may be none, or one that is no file.
    with contextlib.suppress(OSError, RuntimeError):
        faulthandler.enable(all_threads=False)


_Hook = Callable[[type[BaseException], BaseException, TracebackType | None], None]


def _take_over(uncaught: _Hook) -> Callable[[], None]:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook)
    sys.excepthook, threading.excepthook, sys.unraisablehook = uncaught, _in_thread, _unraisable

    def restore() -> None:
        sys.excepthook, threading.excepthook, sys.unraisablehook = before

    return restore


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _unlogged(kind, error, trace)
    if not issubclass(kind, KeyboardInterrupt):
        # The type alone: the text may hold what the log has taken out.
        tell(f"pos-app: unexpected {kind.__qualname__}; the log tells where\n")


def _unlogged(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    _log.critical("unexpected error", exc_info=(kind, error, trace))
    _forget(trace)


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
