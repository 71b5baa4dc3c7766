"""Does what a key or a button asks of the payment on the panel. Posts commands; changes no payment itself."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from pos_app.domain.attempt import ATTENTION, Kind
from pos_app.domain.commands import Cancel, CheckNow, Close, Continue, LeavePanel, Park
from pos_app.domain.rights import Act as Right
from pos_app.domain.views import AttemptChanged
from pos_app.ui.till.amount.amount_pad import AmountPad
from pos_app.ui.till.amount.charge import ChargeEntry
from pos_app.ui.till.payment.panel_model import Act, present
from pos_app.ui.till.payment.prompts import Prompts
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext

_KINDS = {Act.QR: Kind.QR, Act.PUSH: Kind.PUSH}
_RIGHTS = {
    Act.CANCEL: Right.CANCEL,
    Act.CONTINUE: Right.CONTINUE,
    Act.CLOSE: Right.CLOSE,
    Act.ANSWER: Right.COMPLETE,
    Act.SIGN_REFUND: Right.SIGN_REFUND,
}
"""What a button's act needs; the others need nobody."""


class PaymentActions(QObject):
    """`left`: the panel is free for the next sale."""

    left = Signal()

    print_wanted = Signal()
    """Of the payment on the panel."""

    def __init__(
        self,
        context: TillContext,
        pad: AmountPad,
        prompts: Prompts,
        charge_entry: ChargeEntry,
        approvals: ApprovalRequests,
    ) -> None:
        super().__init__(pad)
        self._config, self._words, self._till_state, self._post = context
        self._pad = pad
        self._prompts = prompts
        self._charge_entry = charge_entry
        self._approvals = approvals

    def offered(self) -> tuple[Act, ...]:
        """What the panel's payment offers now."""
        change = self._till_state.shown
        return present(change, self._config, self._words).acts if change else ()

    def by_manager(self, change: AttemptChanged) -> frozenset[Act]:
        """The acts on this payment that a manager has to allow."""
        owner = change.attempt.owner
        return frozenset(act for act, right in _RIGHTS.items() if self._approvals.needs_manager(right, owner))

    def do(self, act: Act) -> None:
        """Do it, if the payment on the panel still offers it."""
        change = self._till_state.shown
        if change is None or act not in self.offered():
            return
        attempt_id = change.attempt.attempt_id
        who = self._till_state.who
        match act:
            case Act.CANCEL:
                self._ask_cancel(change)
            case Act.CHECK:
                self._post(CheckNow(attempt_id))
            case Act.PARK:
                self._post(Park(attempt_id, who))
                self.left.emit()
            case Act.LEAVE | Act.NEXT:
                self._leave(change)
            case Act.QR | Act.PUSH:
                self._charge_entry.start(_KINDS[act], change.sale)
            case Act.CONTINUE:
                self._approvals.want(Continue(attempt_id, who), change.attempt)
            case Act.CLOSE:
                self._ask_close(change)
            case Act.ANSWER:
                self._prompts.answer(change)
            case Act.PRINT:
                self.print_wanted.emit()
            case Act.SIGN_REFUND:
                self._prompts.sign_refund(change.sale)

    def charge_by_default(self) -> None:
        """Enter: by the way the shop has chosen."""
        self.charge(self._config.default_method)

    def charge(self, kind: Kind) -> None:
        """F2, F3 or a method was touched: the same sale again, or a new one."""
        change = self._till_state.shown
        if change is None:
            self._charge_entry.start(kind)
            return
        again = Act.QR if kind is Kind.QR else Act.PUSH
        if self._pad.is_empty:
            self.do(again)
        elif self._is_done(change):
            self._leave(change)
            self._charge_entry.start(kind)
        elif self._charge_entry.can_charge():
            self._ask_park(change, kind)

    def next_sale(self) -> None:
        """A digit was typed: a finished result makes room, anything else stays."""
        change = self._till_state.shown
        if change is not None and self._is_done(change):
            self._leave(change)

    def make_room(self) -> None:
        """Another payment comes onto the panel: what is there is parked, or left as it is."""
        offered = self.offered()
        act = next((each for each in (Act.PARK, Act.NEXT, Act.LEAVE) if each in offered), None)
        if act is not None:
            self.do(act)

    def back(self) -> None:
        """Esc on a payment: cancel (asks once), or leave it."""
        offered = self.offered()
        act = next((each for each in (Act.CANCEL, Act.NEXT, Act.LEAVE) if each in offered), None)
        if act is not None:
            self.do(act)

    def use_other(self) -> None:
        """Cancel this payment and, when that is certain, charge the same sale the other way."""
        change = self._till_state.shown
        if change is None or Act.CANCEL not in self.offered():
            return
        other = Kind.PUSH if change.attempt.kind is Kind.QR else Kind.QR
        attempt_id = change.attempt.attempt_id

        def go_on_with_other() -> None:
            self._till_state.want_other(attempt_id, other)

        command = Cancel(attempt_id, self._till_state.who)
        if self._approvals.want(command, change.attempt, lambda _allowed: go_on_with_other()):
            go_on_with_other()

    def go_on(self, change: AttemptChanged) -> bool:
        """The cancel that `use_other` asked for is certain: charge the other way. Whether it did."""
        kind = self._till_state.give_other(change)
        return kind is not None and change.may_start_another and self._charge_entry.start(kind, change.sale)

    def _is_done(self, change: AttemptChanged) -> bool:
        return Act.NEXT in present(change, self._config, self._words).acts

    def _leave(self, change: AttemptChanged) -> None:
        if change.attempt.state in ATTENTION:
            self._post(LeavePanel(change.attempt.attempt_id))
        self.left.emit()

    def _ask_cancel(self, change: AttemptChanged) -> None:
        said = self._words.ask
        attempt = change.attempt
        command = Cancel(attempt.attempt_id, self._till_state.who)
        if self._approvals.needs_manager(Right.CANCEL, attempt.owner):
            # The manager's passcode is the second thought.
            self._approvals.want(command, attempt)
            return
        self._prompts.ask(
            said.cancel,
            said.cancel_more.format(
                money=self._config.money_of(attempt.amount, attempt.currency), sale=attempt.sale_id
            ),
            said.cancel_yes,
            said.cancel_no,
            lambda: self._approvals.want(command, attempt),
            careful=True,
            about=attempt.attempt_id,
        )

    def _ask_close(self, change: AttemptChanged) -> None:
        said = self._words.ask
        attempt = change.attempt
        self._prompts.ask(
            said.close,
            said.close_more.format(
                money=self._config.money_of(attempt.amount, attempt.currency), sale=attempt.sale_id
            ),
            said.close_yes,
            said.go_back,
            lambda: self._approvals.want(Close(attempt.attempt_id, self._till_state.who), attempt),
            careful=True,
            about=attempt.attempt_id,
        )

    def _ask_park(self, change: AttemptChanged, kind: Kind) -> None:
        said = self._words.method

        def park_and_charge() -> None:
            # It may have ended while this was asked.
            self.make_room()
            self._charge_entry.start(kind)

        self._prompts.ask(
            said.park_first,
            said.park_first_more.format(
                money=self._config.money_of(change.attempt.amount, change.attempt.currency),
                sale=change.attempt.sale_id,
            ),
            said.park_first_yes,
            self._words.ask.go_back,
            park_and_charge,
        )
