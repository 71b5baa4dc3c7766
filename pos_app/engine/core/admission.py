"""Between a command and the engine: the authorizer judges it, and what it answers is answered here."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.people import Role
from pos_app.domain.search import FindPayments
from pos_app.domain.staff import Approve, Permit, ReadStaffLog
from pos_app.domain.views import Published
from pos_app.engine.core.clock import Clock
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.payment_opener import PaymentOpener
from pos_app.engine.core.search import PaymentSearch
from pos_app.engine.staff.approvals import Approvals
from pos_app.engine.staff.authentication import Authentication
from pos_app.engine.staff.authorizer import Allowed, AnyCommand, Authorizer, Refused
from pos_app.engine.staff.permits import Permits
from pos_app.engine.staff.refusals import Refusals
from pos_app.engine.staff.staff_log import StaffLogs


class Admission:
    """`do` carries out what was allowed and is no affair of the authorizer's own."""

    def __init__(
        self,
        config: EngineConfig,
        journal: JournalStore,
        live_payments: LivePayments,
        authentication: Authentication,
        opener: PaymentOpener,
        identity: Identity,
        clock: Clock,
        publish: Callable[[Published], None],
        do: Callable[[Allowed], None],
    ) -> None:
        self._publish = publish
        self._do = do
        self.authorizer = Authorizer(config, authentication, live_payments)
        self._refusals = Refusals(live_payments, clock, publish)
        self._permits = Permits(live_payments, opener, identity)
        self._approvals = Approvals(
            self.authorizer, authentication, self._permits, live_payments, self._refusals, publish, do
        )
        self._staff_logs = StaffLogs(journal, live_payments)
        self._search = PaymentSearch(config, journal, live_payments)

    def command(self, command: AnyCommand) -> None:
        """Does it, or has it done, or refuses it, by who is there at this moment."""
        judged = self.authorizer.judge(command)
        if isinstance(judged, Refused):
            self._refusals.refuse(command, judged)
        else:
            self._admitted(judged)

    def _admitted(self, allowed: Allowed) -> None:
        match allowed.command:
            case Permit():
                self._publish(self._permits.give(allowed))
            case Approve() as approve:
                self._approvals.ask(approve)
            case ReadStaffLog() as asked:
                self._publish(self._staff_logs.read(asked))
            case FindPayments() as sought:
                person = self.authorizer.on_list(allowed.actor)
                is_manager = person is not None and person.role is Role.MANAGER
                self._publish(self._search.find(sought, everywhere=is_manager))
            case _:
                self._do(allowed)
