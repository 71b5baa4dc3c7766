"""The composition root of the window: settings → journal → engine → window, and back in a bounded order."""

from __future__ import annotations

import gc

from pos_app.app.qt_loading import load_qt
from pos_app.bootstrap.options import Options
from pos_app.log.hooks import without_a_log


def run_till(options: Options) -> int:
    """The till until its window is closed; an exit code. Raises CommandError before a window is shown."""
    # What a start loads stays for good: looking for garbage in it would only hold up the first paint.
    # From the first paint on the window's thread does it (ui/garbage.py), and Python itself no more.
    was_on = gc.isenabled()
    gc.disable()
    # The wizard, the safe screen and a refusal stand without a log, and a till until its first paint.
    give_back = without_a_log()
    try:
        load_qt()
        from pos_app.app.run import run_till as run

        return run(options)
    finally:
        give_back()
        if was_on:
            gc.enable()
