"""Between a command and the engine: the authorizer judges it, and what it answers is answered here."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.domain.commands import CheckReceipt, LookElsewhere, ReadNotes, ReadReceipt
from pos_app.domain.elsewhere import Unanswered
from pos_app.domain.record import Record
from pos_app.domain.search import FindPayments, LookThrough, ReadRows, SumPayments
from pos_app.domain.staff import Approve, Permit, ReadStaffLog
from pos_app.domain.views import StaffAnswered, StaffProblem, ToldElsewhere
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.publisher import Desks
from pos_app.engine.core.receipts import ReceiptDesk
from pos_app.engine.core.search import PaymentSearch
from pos_app.engine.staff.approvals import Approvals
from pos_app.engine.staff.authorizer import Allowed, AnyCommand, Authorizer, Refused
from pos_app.engine.staff.permits import Permits
from pos_app.engine.staff.refusals import Refusals
from pos_app.engine.staff.staff_log import StaffLogs


class Admission:
    """`do` carries out what a second person allowed later; what is allowed at once is handed back."""

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
        desks: Desks,
        permits: Permits,
        do: Callable[[Allowed], None],
    ) -> None:
        self._live_payments = live_payments
        self._publish = ports.publish
        self._do = do
        self.authorizer = Authorizer(config, desks.authentication, live_payments)
        self._refusals = Refusals(live_payments, ports.clock, ports.publish)
        self._permits = permits
        self._notes = desks.notes
        self._counter_id = config.counter_id
        self._approvals = Approvals(
            self.authorizer,
            desks.authentication,
            live_payments,
            self._refusals,
            ports.publish,
            self._approved,
        )
        self._staff_logs = StaffLogs(ports.journal, live_payments)
        self._search = PaymentSearch(config, ports.journal, live_payments)
        self._look_back = ports.look_back
        self._look_elsewhere = ports.look_elsewhere
        self._receipts = ReceiptDesk(config, ports.journal, live_payments)

    def command(self, command: AnyCommand) -> Allowed | None:
        """What is to be carried out, by who is there at this moment; None: refused, or answered here."""
        judged = self.authorizer.judge(command)
        if isinstance(judged, Refused):
            self._refusals.refuse(command, judged)
            return None
        return self._unanswered(judged)

    def _unanswered(self, allowed: Allowed) -> Allowed | None:
        match allowed.command:
            case Permit():
                self._publish(self._permits.give(allowed))
            case Approve() as approve:
                self._approvals.ask(approve)
            case ReadStaffLog() as asked:
                self._publish(self._staff_logs.read(asked))
            case FindPayments() as sought:
                self._publish(self._search.find(sought, everywhere=self._is_manager(allowed)))
            case SumPayments() as sought:
                self._publish(self._search.sum_up(sought))
            case LookThrough() | ReadRows() as looked:
                if self._look_back is not None:
                    self._look_back(looked)
            case LookElsewhere() as looked:
                if self._look_elsewhere is not None:
                    self._look_elsewhere(looked)
                else:
                    self._publish(ToldElsewhere(request_id=looked.request_id, problem=Unanswered.NO_STORE))
            case ReadReceipt() as wanted:
                self._publish(self._receipts.read(wanted, everywhere=self._is_manager(allowed)))
            case CheckReceipt() as wanted:
                self._publish(self._receipts.check(wanted, everywhere=self._is_manager(allowed)))
            case ReadNotes() as wanted:
                of = None if self._is_manager(allowed) else self._counter_id
                self._publish(self._notes.read(wanted, of))
            case _:
                return allowed
        return None

    def _is_manager(self, allowed: Allowed) -> bool:
        person = self.authorizer.on_list(allowed.actor)
        return person is not None and person.is_manager

    def _approved(self, allowed: Allowed, approval: Record) -> StaffAnswered:
        """What a manager allowed is done when the approval is durable, or not at all; to be answered under its name."""
        if isinstance(allowed.command, Permit):
            return self._permits.give(allowed, approval)
        if not self._live_payments.commit([approval]):
            return StaffAnswered(request_id="", problem=StaffProblem.CANNOT_RECORD)
        self._do(allowed)
        return StaffAnswered(request_id="")
