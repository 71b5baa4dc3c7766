"""A person settles what the till cannot: name, reason, and one of the offered ends. Posts nothing itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.ui.design.tokens import S2, S3
from pos_app.ui.widgets.badge import LATE, Badge, Mark
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.label import TOP, Label
from pos_app.ui.words.table import AskWords

_LEAST_NAME = 2
_LEAST_REASON = 3


class AnswerPanel(QWidget):
    """`answered(action, name, reason)`; `later()` puts it aside: it stays on the attention list.

    `ends` are (action, button's words, example of a reason). The example is offered as a touch: it fills
    the field, so that a queue is not kept waiting for typing.
    """

    answered = Signal(str, str, str)
    later = Signal()

    def __init__(
        self,
        title: str,
        more: str,
        ends: tuple[tuple[str, str, str], ...],
        words: AskWords,
        *,
        name: str = "",
        mark: Mark = LATE,
    ) -> None:
        super().__init__()
        self.setObjectName("answer_panel")
        self.setAccessibleName(f"{title}. {more}")
        self._words = words
        self._example = ends[0][2]
        self.name = Field(words.name, "answer_name")
        self.name.set_text(name)
        self.reason = Field(words.reason, "answer_reason", example=self._example)
        self.buttons = {
            action: Button(text, name=f"answer_{action}", kind="primary" if at == 0 else "plain")
            for at, (action, text, _example) in enumerate(ends)
        }
        for action, button in self.buttons.items():
            button.clicked.connect(lambda _checked=False, chosen=action: self._answer(chosen))
        self.put_aside = Button(words.later, name="answer_later", kind="quiet", keycap="Esc")
        self.put_aside.clicked.connect(self.later)
        self._lay_out(title, more, ends, mark)

    def _lay_out(self, title: str, more: str, ends: tuple[tuple[str, str, str], ...], mark: Mark) -> None:
        disc = Badge("answer_mark")
        disc.show_mark(mark)
        disc.setFixedSize(72, 72)
        heading = QVBoxLayout()
        heading.addWidget(Label(title, "title", "text", wrap=True, name="answer_title"))
        heading.addWidget(Label(more, "body", "muted", wrap=True, align=TOP, name="answer_more"))
        top = QHBoxLayout()
        top.setSpacing(S3)
        top.addWidget(disc)
        top.addLayout(heading, 1)
        reasons = ButtonRow("answer_reasons")
        reasons.set_parts([self._reason(at, text) for at, (_action, _words, text) in enumerate(ends)])
        row = ButtonRow("answer_ends")
        row.set_parts([*self.buttons.values(), self.put_aside])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S2)
        column.addLayout(top)
        for part in (self.name, self.reason, reasons):
            column.addWidget(part)
        column.addSpacing(S2)
        column.addWidget(row)

    def _reason(self, at: int, text: str) -> Button:
        button = Button(text, name=f"answer_reason_{at}", kind="chip", role="chip")
        button.clicked.connect(lambda: self.reason.set_text(text))
        return button

    def _answer(self, action: str) -> None:
        name = self.name.text().strip()
        reason = self.reason.text().strip()
        if len(name) < _LEAST_NAME:
            self.name.show_error(self._words.name_problem)
        elif len(reason) < _LEAST_REASON:
            self.reason.show_error(self._words.reason_problem.format(example=self._example))
        else:
            self.answered.emit(action, name, reason)
