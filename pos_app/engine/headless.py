"""The headless twin: the same till without a window; its engine runs on the calling thread."""

from __future__ import annotations

import threading

from pos_app.engine.till import Till

STOP_LIMIT_S = 5.0


def run(till: Till) -> None:
    """Returns when somebody has called `till.stop()`."""
    poller = threading.Thread(target=till.run_poller, name="status-poller")
    poller.start()
    try:
        till.run_engine()
    except BaseException:
        # Nobody else will: a thread that waits for asks keeps the process for ever.
        till.stop()
        raise
    finally:
        poller.join(STOP_LIMIT_S)
