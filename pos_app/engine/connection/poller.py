"""The status poller's plain loop: takes asks, makes them over its own connections, posts what it saw."""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from functools import partial

import msgspec

from pos_app.domain.events import StatusAnswered
from pos_app.engine.connection.calls import BROKE
from pos_app.engine.connection.worker_pool import OpenServices, WorkerPool
from pos_app.engine.core.mailbox import Post

log = logging.getLogger(__name__)


class _Ask(msgspec.Struct, frozen=True):
    attempt_id: str
    wallet_transaction_id: str
    behind: bool


class _Renewal(msgspec.Struct, frozen=True):
    open_services: OpenServices


class PollLoop:
    """`run` belongs to one thread, a QThread or a plain one; `ask` and `stop` to anybody. Decides nothing.

    One of the doors for any exception: without this thread nothing would ever be shown as paid again.
    """

    def __init__(self, open_services: OpenServices, post: Post) -> None:
        self._open_services = open_services
        self._post = post
        self._asks: queue.SimpleQueue[_Ask | _Renewal | None] = queue.SimpleQueue()

    def ask(self, attempt_id: str, wallet_transaction_id: str, *, behind: bool) -> None:
        """Asks for an attempt by its own id, or by the wallet id where one is given; those `behind` come last."""
        self._asks.put(_Ask(attempt_id, wallet_transaction_id, behind))

    def renew(self, open_services: OpenServices) -> None:
        """Asks that come after this one go over new connections."""
        self._asks.put(_Renewal(open_services))

    def stop(self) -> None:
        """`run` ends, within about a second."""
        self._asks.put(None)

    def run(self) -> None:
        """Works until stop."""
        pool = WorkerPool("poll", self._open_services, self._post)
        try:
            self._guarded(lambda: pool.services().warm())
            while (wanted := self._asks.get()) is not None:
                if isinstance(wanted, _Renewal):
                    self._guarded(partial(pool.renew, wanted.open_services))
                elif not self._guarded(partial(self._start, pool, wanted)):
                    # Who waits for an answer that never comes does not ask again.
                    self._post(StatusAnswered(wanted.attempt_id, BROKE))
        finally:
            pool.close()

    def _start(self, pool: WorkerPool, ask: _Ask) -> None:
        def call() -> StatusAnswered:
            payments = pool.services().payments
            if ask.wallet_transaction_id:
                reply = payments.get_status(wallet_transaction_id=ask.wallet_transaction_id)
            else:
                reply = payments.get_status(external_id=ask.attempt_id)
            return StatusAnswered(ask.attempt_id, reply)

        pool.submit(call, StatusAnswered(ask.attempt_id, BROKE), behind=ask.behind)

    def _guarded(self, work: Callable[[], None]) -> bool:
        """Whether it came to its end."""
        try:
            work()
        except Exception:
            log.exception("the poller met a bug; it goes on")
            return False
        return True
