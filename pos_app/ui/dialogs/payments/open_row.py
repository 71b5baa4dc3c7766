"""One open payment in the list: what it is, how old, what to do now. It says what was wished, no more."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from pos_app.domain.attempt import Attempt, Kind
from pos_app.domain.people import Person
from pos_app.domain.sale import Sale
from pos_app.domain.views import Activity
from pos_app.i18n.words.approval import words as approval_words
from pos_app.i18n.words.open_payments import words as list_words
from pos_app.i18n.words.till import Words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.payments.open_steps import RIGHTS, Advice, Step, advice, age_s
from pos_app.ui.post import needs_manager
from pos_app.ui.theme.tokens import S1, S3
from pos_app.ui.till.window.recent_strip import mark_of
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.badge import DISPUTED, Mark, paint_small
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.label import RIGHT, Label

_LIKELY = {
    Step.CONTINUE: "primary",
    Step.ANSWER: "primary",
    Step.SIGN_REFUND: "primary",
    Step.CANCEL: "danger",
}


class Disc(QWidget):
    """The state's little mark; the words beside it say the same."""

    def __init__(self, mark: Mark, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = mark
        self.setFixedSize(32, 32)

    def show_mark(self, mark: Mark) -> None:
        """Another state."""
        self._mark = mark
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The disc."""
        paint_small(QPainter(self), QRectF(self.rect()), self._mark)


class OpenRow(Card):
    """`wished(key, step)`, `opened(key)` for the payment's panel. The key is an attempt's or a sale's id."""

    wished = Signal(str, str)
    opened = Signal(str)

    def __init__(self, key: str, mark: Mark, parent: QWidget | None = None) -> None:
        super().__init__(f"open_{key}", ground="surface", parent=parent)
        self.key = key
        self.disc = Disc(mark)
        self.amount = Label("", "title", name=f"open_{key}_amount")
        self.age = Label("", "second", "muted", align=RIGHT, name=f"open_{key}_age")
        self.facts = Label("", "second", "muted", wrap=True, name=f"open_{key}_facts")
        self.sentence = Label("", "body", wrap=True, name=f"open_{key}_advice")
        self.buttons = ButtonRow(f"open_{key}_buttons", at_end=True)
        self._steps: dict[Step, Button] = {}
        self._show = Button(list_words.SHOW, name=f"show_{key}")
        self._show.clicked.connect(lambda: self.opened.emit(self.key))
        grid = QGridLayout(self)
        grid.setContentsMargins(S3, S3, S3, S3)
        grid.setHorizontalSpacing(S3)
        grid.setVerticalSpacing(S1)
        grid.setColumnStretch(1, 3)
        grid.setColumnStretch(2, 4)
        grid.addWidget(self.disc, 0, 0, 2, 1)
        grid.addWidget(self.amount, 0, 1)
        grid.addWidget(self.facts, 1, 1)
        grid.addWidget(self.buttons, 0, 2, 2, 1, Qt.AlignmentFlag.AlignVCenter)
        below = QHBoxLayout()
        below.addWidget(self.sentence, 1)
        below.addWidget(self.age)
        grid.addLayout(below, 2, 1, 1, 2)

    def show_attempt(
        self,
        attempt: Attempt,
        activity: Activity,
        config: TillViewConfig,
        words: Words,
        person: Person | None,
    ) -> None:
        """The payment as it now is, and what `person` can do about it."""
        self.disc.show_mark(mark_of(attempt.state))
        self.amount.setText(config.money(attempt.amount))
        method = words.result.by_qr if attempt.kind is Kind.QR else words.result.by_push
        wallet = f" {attempt.wallet_mask}" if attempt.wallet_mask else ""
        sale = config.sale(words.result.sale.format(sale=attempt.sale_id))
        self.facts.setText(f"{words.state[attempt.state]} · {method}{wallet} · {sale}")
        self._advise(advice(attempt, activity), person, attempt.owner, can_show=True)

    def show_sale(self, sale: Sale, config: TillViewConfig, words: Words, person: Person | None) -> None:
        """A sale that was paid twice."""
        self.disc.show_mark(DISPUTED)
        self.amount.setText(config.money(sale.amount))
        which = config.sale(words.result.sale.format(sale=sale.sale_id))
        self.facts.setText(f"{words.result.paid_twice} · {which}")
        twice = Advice(list_words.ADVICE_TWICE, (Step.SIGN_REFUND,))
        self._advise(twice, person, sale.owner, can_show=False)

    def show_age(self, attempt: Attempt, now: datetime) -> None:
        """How long ago it was started."""
        self.age.setText(time_words.age(age_s(attempt, now)))

    def _advise(self, said: Advice, person: Person | None, owner: str, *, can_show: bool) -> None:
        self.sentence.setText(said.sentence)
        parts: list[QWidget] = [self._button(step, person, owner) for step in said.steps]
        self.buttons.set_parts([*parts, self._show] if can_show else parts)
        self.buttons.setVisible(bool(parts) or can_show)

    def _button(self, step: Step, person: Person | None, owner: str) -> Button:
        if step not in self._steps:
            name = f"{step.name.lower()}_{self.key}"
            button = Button(step.text, name=name, kind=_LIKELY.get(step, "plain"))
            button.clicked.connect(lambda: self.wished.emit(self.key, step.name))
            self._steps[step] = button
        needs = needs_manager(person, RIGHTS[step], owner)
        text = approval_words.BY_MANAGER.format(text=step.text) if needs else step.text
        if self._steps[step].text() != text:
            self._steps[step].setText(text)
        return self._steps[step]
