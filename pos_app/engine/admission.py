"""Between a wish and the engine: the gate judges it, and what is answered at the gate is answered here."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.finding import FindPayments
from pos_app.domain.people import Role
from pos_app.domain.staff import Approve, Permit, ReadStaffLog
from pos_app.domain.views import Published
from pos_app.engine.approvals import Approvals
from pos_app.engine.book import Book
from pos_app.engine.clock import Clock
from pos_app.engine.counter import Counter
from pos_app.engine.desk import Desk
from pos_app.engine.finding import Finder
from pos_app.engine.gate import Allowed, AnyWish, Gate, Refused
from pos_app.engine.identity import Identity
from pos_app.engine.ledger import Ledger
from pos_app.engine.permits import Permits
from pos_app.engine.refusals import Refusals
from pos_app.engine.site import Site
from pos_app.engine.staff_log import StaffLogs


class Admission:
    """`do` carries out what was allowed and is no affair of the gate's own."""

    def __init__(
        self,
        site: Site,
        book: Book,
        ledger: Ledger,
        desk: Desk,
        counter: Counter,
        identity: Identity,
        clock: Clock,
        publish: Callable[[Published], None],
        do: Callable[[Allowed], None],
    ) -> None:
        self._publish = publish
        self._do = do
        self.gate = Gate(site, desk, ledger)
        self._refusals = Refusals(ledger, clock, publish)
        self._permits = Permits(ledger, counter, identity)
        self._approvals = Approvals(self.gate, desk, self._permits, ledger, self._refusals, publish, do)
        self._staff_logs = StaffLogs(book, ledger)
        self._finder = Finder(site, book, ledger)

    def wish(self, wish: AnyWish) -> None:
        """Does it, or has it done, or refuses it, by who is there at this moment."""
        judged = self.gate.judge(wish)
        if isinstance(judged, Refused):
            self._refusals.refuse(wish, judged)
        else:
            self._admitted(judged)

    def _admitted(self, allowed: Allowed) -> None:
        match allowed.wish:
            case Permit():
                self._publish(self._permits.give(allowed))
            case Approve() as approve:
                self._approvals.ask(approve)
            case ReadStaffLog() as asked:
                self._publish(self._staff_logs.read(asked))
            case FindPayments() as sought:
                person = self.gate.on_list(allowed.actor)
                is_manager = person is not None and person.role is Role.MANAGER
                self._publish(self._finder.find(sought, everywhere=is_manager))
            case _:
                self._do(allowed)
