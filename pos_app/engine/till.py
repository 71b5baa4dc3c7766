"""All of a till but its window: wires mailbox, poller, executor, engine and loop. Owns no thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pos_app.domain.views import Published
from pos_app.engine.connection.calls import JournalMended
from pos_app.engine.connection.executor import Executor
from pos_app.engine.connection.poller import PollLoop
from pos_app.engine.connection.worker_pool import ServiceRoute
from pos_app.engine.core.clock import TillClock
from pos_app.engine.core.config import EngineConfig, Reconfigured
from pos_app.engine.core.engine import Engine
from pos_app.engine.core.history import HistoryReader
from pos_app.engine.core.mailbox import Loop, Mailbox, Message, Post, Stop
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.watchers import Auditor, DayCounter, LockWatch
from pos_app.engine.other_counters import OtherCounters
from pos_app.engine.printing.line import Line
from pos_app.engine.shipping import Shipping
from pos_app.engine.staff.machine_sends import MachineSends
from pos_app.journal import Journal, JournalTrouble
from pos_app.journal.history import History
from pos_app.services.open import Services


class OptionalParts(NamedTuple):
    """What a till may have and can do without, each made once the till has its mailbox.

    `machine_sends`: the machine's count of codes by SMS, where they are real. `printing`: makes the line to the
    printer; without it nothing is printed. `shipping`: makes what tells the store; without it no store is told.
    `finding`: makes what asks the store for payments of other counters; without it nobody can.
    """

    machine_sends: MachineSends | None = None
    printing: Callable[[Post], Line] | None = None
    shipping: Callable[[Post], Shipping] | None = None
    finding: Callable[[Post], OtherCounters] | None = None


_NONE = OptionalParts()


class Till:
    """`run_engine` and `run_poller` each belong to one thread of the owner; `post` to anybody.

    `publish` is called on the engine's thread. Till time goes on behind the journal's newest. A `mailbox` made
    earlier may already hold commands.
    """

    def __init__(
        self,
        config: EngineConfig,
        journal: Journal,
        route: ServiceRoute,
        publish: Callable[[Published], None],
        mailbox: Mailbox | None = None,
        parts: OptionalParts = _NONE,
    ) -> None:
        self._mailbox = mailbox or Mailbox()
        self._clock = TillClock(journal.last_at())
        self._open_services = route.open_services
        self._poller = PollLoop(self._services, self._mailbox.post)
        self._executor = Executor(self._services, route.qr_amount_field, self._poller, self._mailbox.post)
        self._config = config
        self._machine_sends = parts.machine_sends
        self._journal = journal
        self._publish = publish
        post = self._mailbox.post
        self._day_counter = DayCounter(journal.recounting(), post)
        auditor, lock_watch = Auditor(journal.inspection(), post), LockWatch(journal.keeps_its_lock, post)
        self._history = HistoryReader(History(journal.path), journal.digest, post)
        self._line = None if parts.printing is None else parts.printing(post)
        lines = () if self._line is None else (self._line,)
        self._shipping = None if parts.shipping is None else parts.shipping(post)
        stores = () if self._shipping is None else (self._shipping,)
        self._others = None if parts.finding is None else parts.finding(post)
        others = () if self._others is None else (self._others,)
        self._watchers = (auditor, lock_watch, self._day_counter, self._history, *lines, *stores, *others)

    def _services(self) -> Services:
        """Connections whose replies tell this till's clock what time it really is."""
        services = self._open_services()
        services.tell_time(self._clock.service_said)
        return services

    def reconfigure(self, news: Reconfigured, route: ServiceRoute) -> None:
        """New settings hold; any thread. The calls change first: what the engine asks then goes by the new ones."""
        if news.reconnected:
            self._open_services = route.open_services
            self._executor.renew(self._services, route.qr_amount_field)
        self._mailbox.post(news)

    def post(self, event: Message) -> None:
        """Hands a command over; never waits."""
        self._mailbox.post(event)

    def run_engine(self) -> None:
        """Works until stop."""
        ports = Ports(
            journal=self._journal,
            trouble=(JournalTrouble,),
            calls=self._executor,
            clock=self._clock,
            publish=self._publish,
            post=self._mailbox.post,
            list_payments=self._executor.list,
            machine_sends=self._machine_sends,
            count_day=self._day_counter.count,
            look_back=self._history.ask,
            look_elsewhere=None if self._others is None else self._others.ask,
            wake_store=None if self._shipping is None else self._shipping.wake,
            printer=self._line,
        )
        engine = Engine(self._config, ports)
        for watcher in self._watchers:
            watcher.start()
        if self._journal.mended:
            self._mailbox.post(JournalMended(tuple(map(str, self._journal.mended))))
        Loop(self._mailbox, engine, self._clock).run()

    def run_poller(self) -> None:
        """Works until stop."""
        self._poller.run()

    def stop(self) -> None:
        """Both loops end; what is under way is broken off, and is taken up again at the next start."""
        for watcher in self._watchers:
            watcher.stop()
        self._poller.stop()
        self._executor.close()
        self._mailbox.post(Stop())
