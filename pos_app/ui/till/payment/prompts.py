"""Asks on the overlay: yes-or-no questions, and the answer to a late or crossed payment. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import Answer, SignRefund
from pos_app.domain.people import TERMINAL
from pos_app.domain.sale import Sale
from pos_app.domain.views import AttemptChanged
from pos_app.ui.till.payment.panel_model import ended_time
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets import badge
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.confirm import Confirm
    from pos_app.ui.dialogs.payments.settle import AnswerPanel, Settle

_ANSWER_WIDTH = 800


class Prompts:
    """One alert at a time; what is put aside stays on the attention list and the badge."""

    def __init__(self, context: TillContext, overlay: OverlayHost, approvals: ApprovalRequests) -> None:
        self._overlay = overlay
        self._config, self._words, self._till_state, _ = context
        self._approvals = approvals
        self._alert: AnswerPanel | None = None
        self._alert_id = ""
        self._question: Confirm | None = None
        self._question_id = ""
        self._closing: Confirm | None = None

    @property
    def alert_is_up(self) -> bool:
        """Whether a late or crossed payment is waiting for its answer on the screen, and nothing else is open."""
        return self._alert is not None and self._overlay.panels == (self._alert,)

    def ask(
        self,
        title: str,
        more: str,
        yes: str,
        no: str,
        then: Callable[[], object],
        *,
        careful: bool = False,
        about: str = "",
    ) -> None:
        """Do `then` on yes. `careful`: Enter goes back. A question `about` an attempt goes when that ends."""
        from pos_app.ui.dialogs.confirm import Confirm

        if self._question is not None:
            return
        question = Confirm(title, more, yes=yes, no=no, danger=careful, name="question")
        self._question = question
        self._question_id = about if self._till_state.known(about) is not None else ""
        question.ask(self._overlay, then, self._question_closed)

    def ask_to_close(self, overlay: OverlayHost, count: int, amounts: str, close: Callable[[], None]) -> None:
        """The window is to be closed while `count` payments wait; `amounts`: theirs, "" where nobody may see them."""
        from pos_app.ui.dialogs.confirm import Confirm

        if self._closing is not None:
            return
        said = self._words.ask
        waiting = said.closing.of(count, which=amounts) if amounts else said.closing_locked.of(count)
        more = f"{waiting} {said.closing_more}"
        question = Confirm(
            said.closing_title, more, yes=said.closing_yes, no=said.closing_no, danger=True, name="closing"
        )
        self._closing = question
        question.ask(overlay, close, self._closing_closed)

    def look(self) -> bool:
        """Raise what must be answered, take away what no longer has to be; whether something was raised."""
        asked = self._till_state.known(self._question_id) if self._question_id else None
        # What has ended aside is forgotten.
        has_ended = bool(self._question_id) and (asked is None or not asked.attempt.is_open)
        if self._question is not None and has_ended:
            self._overlay.close_panel(self._question)
        if self._alert is not None:
            change = self._till_state.known(self._alert_id)
            if change is None or not change.attempt.needs_answer:
                self._overlay.close_panel(self._alert)
            return False
        late = self._till_state.alert()
        if late is not None:
            self.answer(late, take_focus=False)
        return late is not None

    def answer(self, change: AttemptChanged, *, take_focus: bool = True) -> None:
        """Complete or refund; the focus stays where it is when nobody asked for this."""
        from pos_app.ui.dialogs.payments.settle import AnswerPanel, Settle
        from pos_app.ui.dialogs.payments.settle_questions import answer_outcomes

        if self._alert is not None:
            return
        attempt = change.attempt
        said, result = self._words.ask, self._words.result
        is_late = attempt.state is State.PAID_LATE
        late = result.late_more.format(sale=attempt.sale_id, time=ended_time(attempt)[:5])
        settle = Settle(
            f"{result.late if is_late else result.paid} · {self._config.money_of(attempt.amount, attempt.currency)}",
            late if is_late else result.crossed,
            answer_outcomes(attempt.owner, self._words, self._approvals.needs_manager),
            self._words,
            who=self._name,
            reasons=(said.reason_complete, said.reason_refund),
        )
        mark = badge.LATE if is_late else badge.PAID
        is_behind = not take_focus and self._overlay.top is None
        panel = AnswerPanel(settle, mark, said.keys_behind if is_behind else "")
        self._alert = panel
        self._alert_id = attempt.attempt_id

        def settled(action: str, reason: str) -> None:
            command = Answer(
                attempt.attempt_id,
                action,
                self._name,
                reason,
                self._till_state.who,
                settle.way,
                settle.receiver,
            )
            self._settle(settle, panel, command, attempt)

        settle.settled.connect(settled)
        settle.left.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_ANSWER_WIDTH, take_focus=take_focus, on_close=self._alert_closed)
        if not take_focus and isinstance(self._overlay.window().focusWidget(), QAbstractButton):
            # No key presses what no finger can; a field below goes on being typed in.
            self._overlay.setFocus(Qt.FocusReason.OtherFocusReason)

    def sign_refund(self, sale: Sale) -> None:
        """A sale paid twice: a manager signs that one of the payments was given back (rule 9)."""
        from pos_app.ui.dialogs.payments.settle import AnswerPanel
        from pos_app.ui.dialogs.payments.settle_questions import refund_question

        needs = self._approvals.needs_manager
        settle = refund_question(sale.sale_id, sale.owner, self._words, self._name, needs)
        panel = AnswerPanel(settle, badge.DISPUTED)

        def settled(_action: str, reason: str) -> None:
            command = SignRefund(
                sale.sale_id, self._name, reason, self._till_state.who, settle.way, settle.receiver
            )
            self._settle(settle, panel, command, sale)

        settle.settled.connect(settled)
        settle.left.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_ANSWER_WIDTH)

    def _settle(
        self, settle: Settle, panel: AnswerPanel, command: Answer | SignRefund, about: Attempt | Sale
    ) -> None:
        """The question goes with its answer, which may be a manager's."""
        if self._approvals.want(command, about, lambda _allowed: self._overlay.close_panel(panel)):
            self._overlay.close_panel(panel)
        else:
            settle.ask_again()

    @property
    def _name(self) -> str:
        """Under which name it is recorded; the engine writes the one on its list."""
        return self._till_state.person.name if self._till_state.person is not None else TERMINAL

    def _closing_closed(self) -> None:
        self._closing = None

    def _question_closed(self) -> None:
        self._question = None
        self._question_id = ""

    def _alert_closed(self) -> None:
        # Answered, put aside or taken away: in no case is the same alert raised again by itself.
        self._till_state.put_aside(self._alert_id)
        self._alert = None
        self._alert_id = ""
        self.look()
