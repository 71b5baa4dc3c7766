"""What the engine reaches the world by: it reads no clock, opens no file and makes no call but through these."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pos_app.domain.commands import LookElsewhere
from pos_app.domain.query import QueryFilter
from pos_app.domain.search import LookThrough, ReadRows
from pos_app.domain.views import Published
from pos_app.engine.connection.calls import Calls
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.mailbox import Post
from pos_app.engine.printing.news import PrinterLine
from pos_app.engine.staff.machine_sends import MachineSends

Lister = Callable[[QueryFilter], None]
"""Asks for one of the service's lists; what comes of it is posted as ListAnswered."""


class Ports(msgspec.Struct, frozen=True, kw_only=True):
    """`trouble`: the exceptions of the journal that mean the environment failed, not we. `publish` is called on the
    engine's thread; `post` puts an event into its own queue. Without `list_payments` nothing is listed.
    `machine_sends`: the machine's count of codes by SMS, where they are real.
    `count_day`: has the takings counted again beside the engine's thread, and DayCounted posted; without it the
    engine counts itself.
    `look_back`: looks through all payments beside the engine's thread, and has HistoryRead posted; without it nobody
    can.
    `look_elsewhere`: asks the store for payments of other counters beside the engine's thread, and has ElsewhereRead
    posted; without it this counter is no store's.
    `wake_store`: whoever tells the store looks at once whose counter this is.
    `printer`: the line to the printer; without it nothing is printed.
    """

    journal: JournalStore
    trouble: tuple[type[Exception], ...]
    calls: Calls
    clock: Clock
    publish: Callable[[Published], None]
    post: Post
    list_payments: Lister | None = None
    machine_sends: MachineSends | None = None
    count_day: Callable[[], None] | None = None
    look_back: Callable[[LookThrough | ReadRows], None] | None = None
    look_elsewhere: Callable[[LookElsewhere], None] | None = None
    wake_store: Callable[[], None] | None = None
    printer: PrinterLine | None = None
