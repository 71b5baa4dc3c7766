"""Does what a key or a button asks of the payment on the panel. Posts wishes; changes no payment itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from pos_app.domain.attempt import ATTENTION, Kind
from pos_app.domain.views import AttemptChanged
from pos_app.domain.wishes import Cancel, CheckNow, Close, Continue, LeavePanel, Park, Wish
from pos_app.ui.face import Face
from pos_app.ui.till.amount_pad import AmountPad
from pos_app.ui.till.asking import Asking
from pos_app.ui.till.charging import Charging
from pos_app.ui.till.desk import Desk
from pos_app.ui.till.telling import Act, tell
from pos_app.ui.words.table import Words

_KINDS = {Act.QR: Kind.QR, Act.PUSH: Kind.PUSH}


class Acting(QObject):
    """`left`: the panel is free for the next sale."""

    left = Signal()

    def __init__(
        self,
        face: Face,
        words: Words,
        desk: Desk,
        pad: AmountPad,
        asking: Asking,
        charging: Charging,
        post: Callable[[Wish], None],
    ) -> None:
        super().__init__(pad)
        self._face = face
        self._words = words
        self._desk = desk
        self._pad = pad
        self._asking = asking
        self._charging = charging
        self._post = post

    def offered(self) -> tuple[Act, ...]:
        """What the panel's payment offers now."""
        change = self._desk.shown
        return tell(change, self._face, self._words).acts if change else ()

    def do(self, act: Act) -> None:
        """Do it, if the payment on the panel still offers it."""
        change = self._desk.shown
        if change is None or act not in self.offered():
            return
        attempt_id = change.attempt.attempt_id
        who = self._desk.who
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
                self._charging.start(_KINDS[act], change.sale)
            case Act.CONTINUE:
                self._post(Continue(attempt_id, who))
            case Act.CLOSE:
                self._ask_close(change)
            case Act.ANSWER:
                self._asking.answer(change)
            case Act.SIGN_REFUND:
                self._asking.sign_refund(change.sale)

    def charge(self, kind: Kind) -> None:
        """F2, F3, Enter or a method was touched: the same sale again, or a new one."""
        change = self._desk.shown
        if change is None:
            self._charging.start(kind)
            return
        again = Act.QR if kind is Kind.QR else Act.PUSH
        if self._pad.is_empty:
            self.do(again)
        elif self._is_done(change):
            self._leave(change)
            self._charging.start(kind)
        else:
            self._ask_park(change, kind)

    def next_sale(self) -> None:
        """A digit was typed: a finished result makes room, anything else stays."""
        change = self._desk.shown
        if change is not None and self._is_done(change):
            self._leave(change)

    def back(self) -> None:
        """Esc on a payment: cancel (asks once), or leave it."""
        offered = self.offered()
        act = next((each for each in (Act.CANCEL, Act.NEXT, Act.LEAVE) if each in offered), None)
        if act is not None:
            self.do(act)

    def use_other(self) -> None:
        """Cancel this payment and, when that is certain, charge the same sale the other way."""
        change = self._desk.shown
        if change is None or Act.CANCEL not in self.offered():
            return
        self._desk.then = Kind.PUSH if change.attempt.kind is Kind.QR else Kind.QR
        self._post(Cancel(change.attempt.attempt_id, self._desk.who))

    def go_on(self, change: AttemptChanged) -> bool:
        """The cancel that `use_other` asked for is certain: charge the other way. Whether it did."""
        kind = self._desk.then
        if kind is None or not change.attempt.is_final:
            return False
        self._desk.then = None
        if not change.may_start_another:
            return False
        self._charging.start(kind, change.sale)
        return True

    def _is_done(self, change: AttemptChanged) -> bool:
        return Act.NEXT in tell(change, self._face, self._words).acts

    def _leave(self, change: AttemptChanged) -> None:
        if change.attempt.state in ATTENTION:
            self._post(LeavePanel(change.attempt.attempt_id))
        self.left.emit()

    def _ask_cancel(self, change: AttemptChanged) -> None:
        said = self._words.ask
        attempt = change.attempt
        self._asking.ask(
            said.cancel,
            said.cancel_more.format(money=self._face.money(attempt.amount), sale=attempt.sale_id),
            said.cancel_yes,
            said.cancel_no,
            lambda: self._post(Cancel(attempt.attempt_id, self._desk.who)),
            about=attempt.attempt_id,
        )

    def _ask_close(self, change: AttemptChanged) -> None:
        said = self._words.ask
        attempt = change.attempt
        self._asking.ask(
            said.close,
            said.close_more.format(money=self._face.money(attempt.amount), sale=attempt.sale_id),
            said.close_yes,
            said.go_back,
            lambda: self._post(Close(attempt.attempt_id, self._desk.who)),
        )

    def _ask_park(self, change: AttemptChanged, kind: Kind) -> None:
        said = self._words.method

        def park_and_charge() -> None:
            self.do(Act.PARK if Act.PARK in self.offered() else Act.LEAVE)
            self._charging.start(kind)

        self._asking.ask(
            said.park_first,
            said.park_first_more.format(sale=change.attempt.sale_id),
            said.park_first_yes,
            self._words.ask.go_back,
            park_and_charge,
        )
