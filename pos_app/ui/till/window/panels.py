"""The right side: one panel at a time. Built when first needed; shows what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from pos_app.domain.phone import NumberError
from pos_app.domain.sale import Sale
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.till import Words
from pos_app.ui.till.amount.methods_panel import MethodsPanel
from pos_app.ui.till.payment.panel_model import Act, PanelModel, Tone, aged, present, spoken
from pos_app.ui.till.payment.qr_encoder import QrEncoder
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.announce import Announcer
from pos_app.ui.widgets.card import Card

if TYPE_CHECKING:
    from pos_app.ui.till.payment.push_panel import PushPanel
    from pos_app.ui.till.payment.result_panel import ResultPanel
    from pos_app.ui.till.payment.waiting_panel import WaitingPanel

_GROUND = {
    Tone.WAITING: "surface",
    Tone.PAID: "oksoft",
    Tone.AGED: "surface",
    Tone.NOT_PAID: "badsoft",
    Tone.NOT_KNOWN: "warnsoft",
    Tone.DISPUTED: "badsoft",
    Tone.LATE: "warnsoft",
}


class _ShownPage(QStackedLayout):
    """As high as what is shown needs: Qt asks every panel anew, also those that nobody sees."""

    def hasHeightForWidth(self) -> bool:
        """Its panels break their lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The shown panel's."""
        shown = self.currentWidget()
        return 0 if shown is None else shown.heightForWidth(width)


class Panels(Card):
    """Methods, wallet number, waiting, result. Acts and numbers are passed on as signals."""

    acted = Signal(object)
    other_wanted = Signal()
    number_given = Signal(str)
    push_left = Signal()

    def __init__(
        self, config: TillViewConfig, words: Words, encoder: QrEncoder, parent: QWidget | None = None
    ) -> None:
        super().__init__("panel", parent=parent)
        self._config = config
        self._words = words
        self._encoder = encoder
        self.methods = MethodsPanel(config.default_method, words.method)
        self.push: PushPanel | None = None
        self.waiting: WaitingPanel | None = None
        self.result: ResultPanel | None = None
        self._voice = Announcer(self)
        self._stack = _ShownPage(self)
        self._stack.addWidget(self.methods)

    @property
    def current(self) -> QWidget:
        """The panel that is shown."""
        return self._stack.currentWidget() or self.methods

    def show_methods(self) -> None:
        """How does the customer pay?"""
        self._voice.say("")
        self._forget_code()
        self.set_ground("surface")
        self._stack.setCurrentWidget(self.methods)

    def show_push(self, figure: str, sale: Sale | None, number: str = "") -> None:
        """The wallet number for this amount; `number`: the one that was typed for this sale before."""
        if self.push is None:
            from pos_app.ui.till.payment.push_panel import PushPanel

            self.push = PushPanel(self._config, self._words.method)
            self.push.sent.connect(self.number_given)
            self.push.left.connect(self.push_left)
            self._stack.addWidget(self.push)
        self._forget_code()
        self.set_ground("surface")
        self._stack.setCurrentWidget(self.push)
        self.push.begin(figure, sale.sale_id if sale else "", number)

    def push_problem(self, number: str, problem: NumberError) -> None:
        """The number that was sent is no wallet's; it stays to be corrected."""
        if self.push is not None:
            self.push.field.set_text(number)
            self.push.show_problem(problem)

    def show_change(
        self,
        change: AttemptChanged,
        *,
        halted: bool,
        whose: str = "",
        number: str = "",
        age: str = "",
        by_manager: frozenset[Act] = frozenset(),
    ) -> PanelModel:
        """The attempt, as a running payment or as a result; `whose`: the cashier it belongs to, if another.

        `number`: its wallet's, whole, for whoever has typed it. `age`: how long ago it was paid, where that is no
        longer this customer's result.
        """
        model = present(change, self._config, self._words)
        if age:
            model = aged(model, age, self._words)
        self._voice.say(
            spoken(change, model, self._config, self._words), urgent=model.tone is not Tone.WAITING
        )
        self.set_ground(_GROUND[model.tone])
        if model.tone is Tone.WAITING:
            waiting = self._waiting()
            waiting.show_change(
                change, model, halted=halted, whose=whose, number=number, by_manager=by_manager
            )
            self._stack.setCurrentWidget(waiting)
            return model
        self._forget_code()
        result = self._result()
        result.show_change(change, model, halted=halted, whose=whose, by_manager=by_manager)
        self._stack.setCurrentWidget(result)
        return model

    def build_next(self) -> bool:
        """Build one of the panels the first payment will need; whether there is another."""
        if self.waiting is None:
            self._waiting(rehearsed=True)
            return True
        self._result(rehearsed=True)
        return False

    def _result(self, *, rehearsed: bool = False) -> ResultPanel:
        if self.result is None:
            from pos_app.ui.till.payment.result_panel import ResultPanel

            self.result = ResultPanel(self._config, self._words)
            self.result.chosen.connect(self.acted)
            self._add(self.result, rehearsed=rehearsed)
        return self.result

    def _waiting(self, *, rehearsed: bool = False) -> WaitingPanel:
        if self.waiting is None:
            from pos_app.ui.till.payment.waiting_panel import WaitingPanel

            self.waiting = WaitingPanel(self._config, self._words, self._encoder)
            self.waiting.chosen.connect(self.acted)
            self.waiting.other_wanted.connect(self.other_wanted)
            self._add(self.waiting, rehearsed=rehearsed)
        return self.waiting

    def _add(self, panel: QWidget, *, rehearsed: bool) -> None:
        """`rehearsed`: painted where nobody sees it; fonts, icons and layout are then ready."""
        if rehearsed:
            # Before it belongs to the window: to paint a part of a hidden till, Qt lays out the window as if that
            # were shown, and the sign-in jumps away from under a finger.
            panel.resize(self.size())
            panel.grab()
        self._stack.addWidget(panel)

    def _forget_code(self) -> None:
        if self.waiting is not None:
            self.waiting.forget()
