"""Asks the store for payments of other counters on a thread of its own: nobody at this counter waits for it.

What comes back is published and kept nowhere: it enters no list, no sum and no state of this till.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Collection
from typing import Protocol

from pos_app.domain.attempt import Environment
from pos_app.domain.commands import LookElsewhere
from pos_app.domain.elsewhere import (
    Elsewhere,
    NotFoundOut,
    Proof,
    Unanswered,
    asked_for,
    elsewhere_of,
    proof_of,
)
from pos_app.domain.receipt import Scanned, scanned_in
from pos_app.domain.shipping import FindRequest, Found
from pos_app.domain.text import clean_text
from pos_app.domain.told_attempt import moment_of
from pos_app.domain.views import ToldElsewhere
from pos_app.engine.connection.calls import ElsewhereRead
from pos_app.engine.core.mailbox import Post

log = logging.getLogger(__name__)

JOIN_S = 2.0


class Finder(Protocol):
    """Who asks, within two seconds, on the thread that calls it. `stop` may be called by another."""

    def find(self, request: FindRequest) -> Found:
        """Raises NotFoundOut: nothing else is an answer."""
        ...

    def own(self) -> Collection[str]:
        """All installations that this counter was."""
        ...

    def stop(self) -> None:
        """What is under way is broken off, and nothing is asked any more."""
        ...


class OtherCounters:
    """Answers the newest question: of those that were asked before it and have not begun nobody waits any more."""

    def __init__(self, finder: Finder, environment: Environment, post: Post) -> None:
        self._finder = finder
        self._environment = environment
        self._post = post
        self._asked: queue.SimpleQueue[LookElsewhere | None] = queue.SimpleQueue()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """There is nothing to ask before somebody looks."""

    def ask(self, command: LookElsewhere) -> None:
        """Hands it over; never waits. The first begins the thread."""
        self._asked.put(command)
        if self._thread is None:
            # A daemon: no store that does not answer holds up the end of the till.
            self._thread = threading.Thread(target=self._run, name="other counters", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends it, bounded; it may never have begun."""
        self._ending.set()
        self._finder.stop()
        self._asked.put(None)
        if self._thread is not None:
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        while not self._ending.is_set():
            command = self._newest()
            if command is not None:
                self._post(ElsewhereRead(self._answer(command)))

    def _newest(self) -> LookElsewhere | None:
        command = self._asked.get()
        while True:
            try:
                command = self._asked.get_nowait()
            except queue.Empty:
                return command

    def _answer(self, command: LookElsewhere) -> ToldElsewhere:
        scanned = scanned_in(command.text) if command.text else None
        if command.text and scanned is None:
            return ToldElsewhere(request_id=command.request_id, problem=Unanswered.NO_CODE)
        try:
            found = self._finder.find(command.sought if scanned is None else asked_for(scanned))
        except NotFoundOut as error:
            log.info("other counters were not asked: %s", error.why.value)
            return ToldElsewhere(
                request_id=command.request_id,
                problem=error.why,
                field=error.field,
                said=clean_text(str(error)),
                retry_s=round(error.retry_s),
            )
        return self._told(command.request_id, found, scanned)

    def _told(self, request_id: str, found: Found, scanned: Scanned | None) -> ToldElsewhere:
        own = self._finder.own()
        read = [elsewhere_of(each, self._environment, own) for each in found.payments]
        payments = [each for each in read if each is not None]
        proof: Proof | None = None
        if scanned is not None:
            proof, paper = proof_of(scanned, payments, is_any=bool(found.payments))
            payments = _only(paper)
        return ToldElsewhere(
            request_id=request_id,
            payments=tuple(payments),
            since=found.since if moment_of(found.since) is not None else "",
            more=found.more,
            unread=sum(each is None for each in read),
            proof=proof,
        )


def _only(payment: Elsewhere | None) -> list[Elsewhere]:
    return [] if payment is None else [payment]
