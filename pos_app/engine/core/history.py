"""Looks through all payments on a thread of its own, over its own connection: nobody waits for it."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator

from pos_app.domain.search import LookThrough, ReadRows
from pos_app.domain.views import PaymentRows, PaymentsCounted, StaffProblem
from pos_app.engine.connection.calls import HistoryRead
from pos_app.engine.core.mailbox import Post
from pos_app.journal.errors import JournalTrouble
from pos_app.journal.history import BLOCK, Found, History

log = logging.getLogger(__name__)

JOIN_S = 2.0
REST_S = 0.001
"""Between two pieces of a look, so that window and engine come first."""

Asked = LookThrough | ReadRows


class HistoryReader:
    """Does what the authorizer let through, one thing at a time: rows that are looked at come before what is counted.

    `digest`: the journal's keyed hash of a wallet number. Each answer is posted as a HistoryRead.
    """

    def __init__(self, history: History, digest: Callable[[str], str], post: Post) -> None:
        self._history = history
        self._digest = digest
        self._post = post
        self._asked: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        self._looking: Iterator[Found] | None = None
        self._request = ""
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """There is nothing to read before somebody looks."""

    def ask(self, command: Asked) -> None:
        """Hands it over; never waits. The first begins the thread."""
        self._asked.put(command)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="history", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends it, bounded; it may never have begun."""
        self._ending.set()
        self._asked.put(None)
        if self._thread is not None:
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                command = self._asked.get(timeout=REST_S) if self._looking is not None else self._asked.get()
            except queue.Empty:
                self._look_on()
                continue
            match command:
                case LookThrough():
                    self._begin(command)
                case ReadRows():
                    self._read(command)

    def _begin(self, command: LookThrough) -> None:
        self._request = command.request_id
        number = command.meant.sought.number
        self._looking = None
        if command.request_id:
            self._looking = self._history.look(command.meant, self._digest(number) if number else "")
            self._look_on()

    def _look_on(self) -> None:
        if self._looking is None:
            return
        answer = PaymentsCounted(request_id=self._request, block=BLOCK)
        try:
            found = next(self._looking, None)
        except JournalTrouble as trouble:
            log.warning("the payments could not be looked through: %s", type(trouble).__name__)
            self._looking = None
            self._tell(PaymentsCounted(request_id=self._request, problem=StaffProblem.CANNOT_READ))
            return
        if found is None or found.is_over:
            self._looking = None
        if found is not None:
            answer = PaymentsCounted(
                request_id=self._request,
                count=found.payments,
                scanned=found.scanned,
                is_over=found.is_over,
                block=BLOCK,
            )
            self._tell(answer)

    def _read(self, command: ReadRows) -> None:
        # Of a look that another has taken the place of, nobody waits for rows.
        if command.request_id != self._request:
            return
        answer = PaymentRows(request_id=command.request_id, block=command.block)
        try:
            rows = tuple(self._history.rows(command.block))
            noted = self._history.noted(rows)
            answer = PaymentRows(request_id=command.request_id, block=command.block, rows=rows, noted=noted)
        except JournalTrouble as trouble:
            log.warning("payments could not be read: %s", type(trouble).__name__)
            answer = PaymentRows(
                request_id=command.request_id, block=command.block, problem=StaffProblem.CANNOT_READ
            )
        self._tell(answer)

    def _tell(self, answer: PaymentsCounted | PaymentRows) -> None:
        self._post(HistoryRead(answer))
