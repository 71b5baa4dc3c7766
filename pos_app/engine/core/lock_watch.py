"""Watches whether a second till would still be refused, on a thread of its own. Decides nothing, mends nothing."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from pos_app.engine.connection.calls import LockLost
from pos_app.engine.core.mailbox import Post

log = logging.getLogger(__name__)

EVERY_S = 2.0
"""A commit looks for itself; this is for the till at which nobody is selling just now."""

JOIN_S = 2.0


class LockWatch:
    """Posts LockLost, once. A folder that cannot be looked at for a while (a network's) is no loss."""

    def __init__(self, kept: Callable[[], bool], post: Post, every_s: float = EVERY_S) -> None:
        self._kept = kept
        self._post = post
        self._every_s = every_s
        self._ending = threading.Event()
        # A daemon: a folder that does not answer must not hold up the end of the till.
        self._thread = threading.Thread(target=self._run, name="lock watch", daemon=True)

    def start(self) -> None:
        """Begins; once."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it, bounded; it may never have been started."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        while not self._ending.wait(self._every_s):
            with contextlib.suppress(OSError):
                if not self._kept():
                    log.error("the journal's lock was removed or replaced; no new payments")
                    self._post(LockLost())
                    return
