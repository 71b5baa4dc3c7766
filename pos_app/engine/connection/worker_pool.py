"""A few threads that make calls and post what came of each: "no answer" when one breaks, never nothing."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import NamedTuple

from pos_app.engine.core.mailbox import Message, Post
from pos_app.services.bodies import QrAmountField
from pos_app.services.open import Services

MOST_AT_ONCE = 4

ENDING_S = 3.0
"""For what no closed connection ends: a name that is looked up, a token command; each has a limit of its own."""

log = logging.getLogger(__name__)


OpenServices = Callable[[], Services]

_Waiting = tuple[Callable[[], Message], Message]


class ServiceRoute(NamedTuple):
    """How the services are called: the connections, and what an amount is named in a request for a code."""

    open_services: OpenServices
    qr_amount_field: QrAmountField


class WorkerPool:
    """Owns its threads and its connections; `close` breaks what is under way and waits no longer than `ending_s`."""

    def __init__(
        self, name: str, open_services: OpenServices, post: Post, ending_s: float = ENDING_S
    ) -> None:
        self._open_services = open_services
        self._post = post
        self._ending_s = ending_s
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._services: Services | None = None
        self._under_way: set[Future[Message]] = set()
        self._in_front: deque[_Waiting] = deque()
        self._behind: deque[_Waiting] = deque()
        self._old: list[tuple[Services, set[Future[Message]]]] = []
        """Connections given up, each with the calls that may still be on them."""
        self._closed = False

    def renew(self, open_services: OpenServices) -> None:
        """Every call from now on goes over new connections; those under way end over the old ones."""
        with self._lock:
            self._open_services = open_services
            if self._services is not None:
                self._old.append((self._services, set(self._under_way)))
            self._services = None
        self._close_old()

    def services(self) -> Services:
        """The connections, opened by the first thread that needs them; once closed, each request is NotSent."""
        with self._lock:
            if self._services is None:
                self._services = self._open_services()
                if self._closed:
                    # `close` has been by and saw none: a request over these would hold it up to its deadline.
                    self._services.close()
            return self._services

    def submit(self, call: Callable[[], Message], otherwise: Message, *, behind: bool = False) -> None:
        """Makes the call beside the others; posts what it returns, or `otherwise` when it breaks.

        What is `behind` waits for whatever is not, and leaves a thread free for it. Once closed, nothing is
        called and nothing posted: whoever asked is ending too.
        """
        with self._lock:
            if not self._closed:
                (self._behind if behind else self._in_front).append((call, otherwise))
        self._start_waiting()

    def _start_waiting(self) -> None:
        """As many of those that wait as there is room for, in their order."""
        while True:
            with self._lock:
                waiting = self._next()
                if waiting is None:
                    return
                call, otherwise = waiting.popleft()
                future = self._made(call)
                if future is not None:
                    self._under_way.add(future)
            if future is None:
                self._post(otherwise)
            else:
                future.add_done_callback(partial(self._finished, otherwise))

    def _made(self, call: Callable[[], Message]) -> Future[Message] | None:
        """The call, on one of the threads; None where the system gives no thread."""
        once = [call]
        try:
            return self._pool.submit(lambda: once.pop()())
        except (RuntimeError, MemoryError) as error:
            # It lies in the queue all the same: a thread that is free later would send what was given up long ago.
            once.clear()
            log.error("no thread for a call", exc_info=error)
            return None

    def _next(self) -> deque[_Waiting] | None:
        """Whose turn it is; None when nobody waits, or there is no room for who does."""
        if self._closed:
            return None
        room = MOST_AT_ONCE - len(self._under_way)
        if self._in_front and room > 0:
            return self._in_front
        return self._behind if self._behind and room > 1 else None

    def _finished(self, otherwise: Message, done: Future[Message]) -> None:
        with self._lock:
            self._under_way.discard(done)
            for _, calls in self._old:
                calls.discard(done)
        # Told before anything else is begun: what goes wrong there loses no answer.
        self._tell(otherwise, done)
        self._start_waiting()
        self._close_old()

    def _tell(self, otherwise: Message, done: Future[Message]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._post(done.result())
        else:
            log.error("a call broke", exc_info=error)
            self._post(otherwise)

    def _close_old(self) -> None:
        with self._lock:
            unused = [services for services, calls in self._old if not calls]
            self._old = [(services, calls) for services, calls in self._old if calls]
        for services in unused:
            services.close()

    def close(self) -> None:
        """Breaks what is under way and ends the threads; one that nothing breaks ends by its own limit."""
        with self._lock:
            self._closed = True
            self._in_front.clear()
            self._behind.clear()
            opened = [services for services, _ in self._old]
            if self._services is not None:
                opened.append(self._services)
        for services in opened:
            services.close()
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            under_way = set(self._under_way)
        wait(under_way, self._ending_s)
