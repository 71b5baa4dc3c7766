"""Looks the whole journal over while the till works, on a thread of its own. Decides nothing, mends nothing."""

from __future__ import annotations

import logging
import threading
import time

from pos_app.engine.connection.calls import JournalFound
from pos_app.engine.core.mailbox import Post
from pos_app.journal.errors import JournalTrouble
from pos_app.journal.inspection import Inspection

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
