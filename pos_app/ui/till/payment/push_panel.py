"""The wallet number for a request to the phone. Checks the number, keeps it on no other screen."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.phone import NumberError, example_number, parse_number, spaced
from pos_app.domain.text import one_line
from pos_app.i18n.words.numbers import words as number_words
from pos_app.i18n.words.till import MethodWords
from pos_app.ui.language import SaysAnew
from pos_app.ui.theme.fonts import grown
from pos_app.ui.theme.tokens import S2, S4, S6
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.amount_text import AmountText
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, for_example
from pos_app.ui.widgets.label import CENTRE, Label

_WIDEST = 440


class PushPanel(SaysAnew, QWidget):
    """`sent` carries the number in international form, once it is one; `left` is Back."""

    sent = Signal(str)
    left = Signal()

    def __init__(self, config: TillViewConfig, words: MethodWords, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("push_panel")
        self._config = config
        self._words = words
        self._sale_id = ""
        self._problem: NumberError | None = None
        self._ask = Label(words.push_ask, "lead", "muted", align=CENTRE, name="push_ask")
        self._amount = AmountText(
            "push_amount", config.currency.code, role="heading", align=CENTRE, small_currency=False
        )
        self.field = Field(words.number, "wallet_number", role="title")
        # The keypad beside it types into it.
        self.field.edit.has_own_keys = True
        self.field.setMaximumWidth(grown(_WIDEST))
        self.field.setMinimumWidth(_WIDEST - 120)
        self.send = Button(words.send, name="push_send", kind="primary", keycap="Enter", icon="phone")
        self.back = Button(words.back, name="push_back", keycap="Esc")
        self.field.entered.connect(self._send)
        self.send.clicked.connect(self._send)
        self.back.clicked.connect(self.left)
        self._lay_out()

    def _lay_out(self) -> None:
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self.field, 4)
        middle.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(S2)
        buttons.addStretch(1)
        buttons.addWidget(self.send)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(S6, S6, S6, S6)
        column.setSpacing(S4)
        column.addStretch(2)
        column.addWidget(self._ask)
        column.addWidget(self._amount)
        column.addLayout(middle)
        column.addLayout(buttons)
        column.addStretch(3)

    def begin(self, figure: str, sale_id: str = "", number: str = "") -> None:
        """Ask for the number for this amount; `sale_id` where it is another try of a sale.

        `number`: what was typed for that sale before, filled in and selected: Enter takes it, a digit replaces it.
        """
        self._amount.show_figure(figure)
        self._sale_id = sale_id
        self._say_ask()
        self.field.set_text(spaced(number) if number else "")
        self.field.edit.setPlaceholderText(for_example(example_number(self._config.country)))
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.edit.selectAll()

    def take_focus(self) -> None:
        """Let the keyboard rest on the number, which is typed on where it was left."""
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_over(self, other: PushPanel) -> None:
        """What was typed on the panel in whose place this one comes, good or not; selected where it was."""
        typed, ours = other.field.edit, self.field.edit
        self.field.set_text(typed.text())
        if typed.hasSelectedText():
            ours.selectAll()
        if typed.wrong:
            self._problem = other._problem
            self.field.show_error(other.field.error.text(), focus=False)

    def say_anew(self) -> None:
        """The language has changed; what was typed stays."""
        words = self._words
        self._say_ask()
        self.field.set_label(words.number)
        self.send.setText(words.send)
        self.back.setText(words.back)
        if self.field.edit.wrong and self._problem is not None:
            self.show_problem(self._problem)

    def _say_ask(self) -> None:
        words = self._words
        again = words.ask_again.format(sale=self._sale_id) if self._sale_id else ""
        self._ask.setText(f"{again}\n{words.push_ask}" if again else words.push_ask)

    def show_figure(self, figure: str) -> None:
        """The amount was changed meanwhile."""
        self._amount.show_figure(figure)

    def show_problem(self, problem: NumberError) -> None:
        """Say what is missing, or what a number looks like; the text stays."""
        self._problem = problem
        words = self._words.problem[problem.problem].format(example=example_number(self._config.country))
        self.field.show_error(number_words.slip(problem) or words)

    def show_blocked(self, why: str) -> None:
        """Nothing may start just now; the text stays, to be sent as soon as something may."""
        self._problem = None
        self.field.show_error(why)

    def take_scanned(self, number: str) -> None:
        """A number that was read by a scanner, selected; "" says that there was none. Nothing is sent."""
        if not number:
            self.field.show_error(self._words.no_number_scanned)
            return
        self.field.set_text(spaced(number))
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.edit.selectAll()

    def _send(self) -> None:
        try:
            # Pasted out of a contact, or off a page: its spaces may be those that do not break.
            number = parse_number(one_line(self.field.text()), self._config.country)
        except NumberError as error:
            self.show_problem(error)
            return
        self.sent.emit(number)
