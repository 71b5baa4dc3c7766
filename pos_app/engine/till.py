"""All of a till but its window: wires mailbox, poller, executor, engine and loop. Owns no thread."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.views import Published
from pos_app.engine.auditor import Auditor
from pos_app.engine.book import Book
from pos_app.engine.calls import JournalMended
from pos_app.engine.clock import TillClock
from pos_app.engine.crew import OpenServices, Route
from pos_app.engine.engine import Engine
from pos_app.engine.executor import Executor
from pos_app.engine.lock_watch import LockWatch
from pos_app.engine.mailbox import Event, Loop, Mailbox, Stop
from pos_app.engine.poller import PollLoop
from pos_app.engine.sends_here import SendsHere
from pos_app.engine.site import Reconfigured, Site
from pos_app.journal import Journal, JournalTrouble
from pos_app.services.bodies import QrAmountField
from pos_app.services.open import Services


class Till:
    """`run_engine` and `run_poller` each belong to one thread of the owner; `post` to anybody.

    `publish` is called on the engine's thread. `last_at` is the journal's newest till time (ms). A `mailbox`
    made earlier may already hold wishes. `sends_here`: the machine's count of codes by SMS, where they are real.
    """

    def __init__(
        self,
        site: Site,
        book: Book,
        last_at: int,
        open_services: OpenServices,
        qr_amount_field: QrAmountField,
        publish: Callable[[Published], None],
        mailbox: Mailbox | None = None,
        sends_here: SendsHere | None = None,
    ) -> None:
        self._mailbox = mailbox or Mailbox()
        self._clock = TillClock(last_at)
        self._open_services = open_services
        self._poller = PollLoop(self._services, self._mailbox.post)
        self._executor = Executor(self._services, qr_amount_field, self._poller, self._mailbox.post)
        self._site = site
        self._sends_here = sends_here
        self._book = book
        self._publish = publish
        self._watchers: tuple[Auditor | LockWatch, ...] = ()
        if isinstance(book, Journal):
            post = self._mailbox.post
            self._watchers = (Auditor(book.inspection(), post), LockWatch(book.keeps_its_lock, post))

    def _services(self) -> Services:
        """Connections whose replies tell this till's clock what time it really is."""
        services = self._open_services()
        services.tell_time(self._clock.service_said)
        return services

    def reconfigure(self, news: Reconfigured, route: Route) -> None:
        """New settings hold; any thread. The calls change first: what the engine asks then goes by the new ones."""
        if news.reconnected:
            self._open_services = route.open_services
            self._executor.renew(self._services, route.qr_amount_field)
        self._mailbox.post(news)

    def post(self, event: Event) -> None:
        """Hands a wish over; never waits."""
        self._mailbox.post(event)

    def run_engine(self) -> None:
        """Works until stop."""
        engine = Engine(
            self._site,
            self._book,
            self._executor,
            self._clock,
            self._publish,
            self._mailbox.post,
            (JournalTrouble,),
            self._executor.list,
            self._sends_here,
        )
        for watcher in self._watchers:
            watcher.start()
        mended = self._book.mended if isinstance(self._book, Journal) else ()
        if mended:
            self._mailbox.post(JournalMended(tuple(map(str, mended))))
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
