"""A few threads that make calls and post what came of each: "no answer" when one breaks, never nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from pos_app.engine.mailbox import Event, Post
from pos_app.services.open import Services

MOST_AT_ONCE = 4

log = logging.getLogger(__name__)


class Crew:
    """Owns its threads and its connections; `close` is bounded because it breaks what is under way."""

    def __init__(self, name: str, open_services: Callable[[], Services], post: Post) -> None:
        self._open_services = open_services
        self._post = post
        self._pool = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix=name)
        self._lock = threading.Lock()
        self._services: Services | None = None
        self._closed = False

    def services(self) -> Services:
        """The connections, opened by the first thread that needs them."""
        with self._lock:
            if self._services is None:
                self._services = self._open_services()
            return self._services

    def submit(self, call: Callable[[], Event], otherwise: Event) -> None:
        """Makes the call beside the others; posts what it returns, or `otherwise` when it breaks."""
        if self._closed:
            return
        future = self._pool.submit(call)
        future.add_done_callback(lambda done: self._finished(done, otherwise))

    def _finished(self, done: Future[Event], otherwise: Event) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._post(done.result())
        else:
            log.error("a call broke", exc_info=error)
            self._post(otherwise)

    def close(self) -> None:
        """Breaks what is under way and ends the threads."""
        self._closed = True
        with self._lock:
            services = self._services
        if services is not None:
            services.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
