"""The coach's page of one step: who says what, the one instruction, the goods. It judges nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.i18n.words.training import words
from pos_app.training.coach.goods_button import GoodsButton
from pos_app.training.coach.model import Telling
from pos_app.training.coach.pages import Page, text
from pos_app.training.course.scene import Decision
from pos_app.ui.theme.tokens import S1, S2, S3
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.label import TOP, Label
from pos_app.ui.widgets.said import SaidLabel


class StepPage(Page):
    """`decided(decision)`: what becomes of the goods. None of the decisions looks like the right one."""

    decided = Signal(object)

    def __init__(self) -> None:
        self.title = text("second", "text", "step_title")
        self.place = text("second", "muted", "step_place")
        self.note = SaidLabel("", "second", "warn", wrap=True, align=TOP, name="step_note")
        self.quote = Card("quote", ground="primarysoft", edge="primarysoft")
        self.who = Label(words.CUSTOMER_SAYS, "small", "muted", name="step_who")
        self.says = text("body", "text", "step_says")
        _inside(self.quote, self.who, self.says)
        self.do = SaidLabel("", "strong", "text", wrap=True, align=TOP, name="step_do")
        self.goods = Label("", "second", "muted", name="step_goods")
        self.decisions = {each: self._button(each) for each in Decision}
        self._told: Telling | None = None
        super().__init__(
            "step_page",
            _below(self.title, self.place),
            self.note,
            self.quote,
            self.do,
            self.goods,
            *self.decisions.values(),
        )

    def show_step(self, told: Telling) -> None:
        """This step; a new instruction is announced to whoever hears the screen, a slip too."""
        if told == self._told:
            return
        self._told = told
        self.title.setText(told.title)
        self.place.setText(told.place)
        self.note.setText(told.note)
        self.note.setVisible(bool(told.note))
        self.says.setText(told.says)
        self.quote.setVisible(bool(told.says))
        self.do.setText(told.do)
        self.goods.setText(told.goods)
        self.goods.setVisible(bool(told.goods))
        for decision, button in self.decisions.items():
            button.setVisible(decision in told.decisions)

    def _button(self, decision: Decision) -> GoodsButton:
        button = GoodsButton(words.DECISION[decision], name=f"goods_{decision.value}")
        button.clicked.connect(lambda: self.decided.emit(decision))
        return button


def _below(*parts: QWidget) -> QWidget:
    """Close to each other: they are one thing."""
    both = QWidget()
    column = QVBoxLayout(both)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part)
    return both


def _inside(card: QWidget, *parts: QWidget) -> None:
    column = QVBoxLayout(card)
    column.setContentsMargins(S3, S2, S3, S2)
    column.setSpacing(S1)
    for part in parts:
        column.addWidget(part)
