"""A person settles what the till cannot: name, reason, and what happened. It records nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pos_app.ui.design.tokens import S3
from pos_app.ui.dialogs.lines import Panel, button_row, column, focus, heading
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import Label
from pos_app.ui.words.table import Words

LONGEST = 120
LEAST_NAME, LEAST_REASON = 2, 3


class Outcome(msgspec.Struct, frozen=True):
    """One way to settle it: the action of an Answer ("complete", "refund", "paid", …) and its button."""

    action: str
    text: str
    kind: str = "plain"


class Settle(Panel):
    """`settled(action, name, reason)` comes once, `left` when it is put off.

    `reasons` are offered as touches, so that a queue is not kept waiting for typing.
    """

    settled = Signal(str, str, str)
    left = Signal()

    def __init__(
        self,
        title: str,
        more: str,
        outcomes: Sequence[Outcome],
        words: Words,
        *,
        name: str = "",
        example: str = "",
        reasons: tuple[str, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settle")
        self._words = words.ask
        self._example = example
        self._is_settled = False
        self.name = Field(words.ask.name, "settle_name", example="Nimali Perera")
        self.name.set_text(name)
        self.reason = Field(words.ask.reason, "settle_reason", example=example)
        for field in (self.name, self.reason):
            field.edit.setMaxLength(LONGEST)
        if reasons:
            self.reason.suggest(reasons)
        later = Button(words.ask.later, name="settle_later", kind="quiet")
        self.outcomes = {each.action: self._button(each) for each in outcomes}
        buttons = button_row(*self.outcomes.values(), way_back=later)
        text = Label(more, "body", "muted", wrap=True)
        column(self, heading(title, "settle_title"), text, self.name, self.reason, buttons, spacing=S3)
        self.setFocusProxy(self.reason if name else self.name)
        self.name.entered.connect(lambda: focus(self.reason.edit))
        self.reason.entered.connect(lambda: focus(next(iter(self.outcomes.values()))))
        later.clicked.connect(self.left)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts it off, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.left.emit()
            return
        super().keyPressEvent(event)

    def _button(self, outcome: Outcome) -> Button:
        button = Button(outcome.text, name=f"settle_{outcome.action}", kind=outcome.kind)
        button.clicked.connect(lambda: self._settle(outcome.action))
        return button

    def _settle(self, action: str) -> None:
        name, reason = self.name.text().strip(), self.reason.text().strip()
        if len(name) < LEAST_NAME or not name.isprintable():
            self.name.show_error(self._words.name_problem)
        elif len(reason) < LEAST_REASON or not reason.isprintable():
            self.reason.show_error(self._words.reason_problem.format(example=self._example))
        elif not self._is_settled:
            self._is_settled = True
            self.settled.emit(action, name, reason)
