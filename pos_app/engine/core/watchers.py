"""What looks at the journal while the till works, each on a thread of its own: its rows, and its lock."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable

from pos_app.engine.connection.calls import DayCounted, JournalFound, LockLost
from pos_app.engine.core.mailbox import Post
from pos_app.journal.errors import JournalTrouble
from pos_app.journal.inspection import Inspection
from pos_app.journal.recounting import Recounting

log = logging.getLogger(__name__)

FIRST_S = 3.0
"""The till is at its first sale before this begins."""

REST = 1.0
"""After each piece it rests as long as the piece took, so that window and engine come first."""

JOIN_S = 2.0


class Auditor:
    """One look at one journal, from `start` to its end or `stop`."""

    def __init__(self, inspection: Inspection, post: Post, first_s: float = FIRST_S) -> None:
        self._inspection = inspection
        self._post = post
        self._first_s = first_s
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal inspection", daemon=True)

    def start(self) -> None:
        """Begins after a while; once."""
        self._thread.start()

    def stop(self) -> None:
        """Ends it, bounded; it may never have been started."""
        self._ending.set()
        self._inspection.stop()
        if self._thread.is_alive():
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        pieces, rest_s = self._inspection.pieces(), self._first_s
        try:
            while not self._ending.wait(rest_s):
                began = time.thread_time()
                piece = next(pieces, None)
                if piece is None:
                    return
                rest_s = REST * (time.thread_time() - began)
                if piece.findings:
                    self._inspection.write_down(piece.findings)
                    self._post(JournalFound(tuple(map(str, piece.findings))))
        except (JournalTrouble, OSError) as trouble:
            log.warning("the journal could not be looked over: %s", type(trouble).__name__)
        finally:
            pieces.close()


class DayCounter:
    """Counts the open period's payments beside the engine: one count at a time, each posts DayCounted."""

    def __init__(self, recounting: Recounting, post: Post) -> None:
        self._recounting = recounting
        self._post = post
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """There is nothing to count before somebody closes."""

    def count(self) -> None:
        """Begins; never waits."""
        self._thread = threading.Thread(target=self._run, name="day count", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """What is under way is a matter of milliseconds."""
        if self._thread is not None:
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        agrees: bool | None = None
        try:
            agrees = self._recounting.agrees()
        except JournalTrouble as trouble:
            log.warning("the takings could not be counted: %s", type(trouble).__name__)
        finally:
            # Whatever it met: a closing that hears nothing would count for ever.
            self._post(DayCounted(agrees))


EVERY_S = 2.0
"""A commit looks for itself; this is for the till at which nobody is selling just now."""


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
