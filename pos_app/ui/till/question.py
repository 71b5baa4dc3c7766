"""A yes-or-no question on the overlay, in our words. Says what was answered, closes nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.ui.design.tokens import S2, S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.label import TOP, Label


class Question(QWidget):
    """`answered(True)` for yes. Enter presses `yes` unless `careful`, where it presses the way back. An empty
    `no` leaves nothing to decide."""

    answered = Signal(bool)

    def __init__(
        self, title: str, more: str, yes: str, no: str, *, danger: bool = False, careful: bool = False
    ) -> None:
        super().__init__()
        self.setObjectName("question")
        self.setAccessibleName(title)
        self.yes = Button(
            yes,
            name="question_yes",
            kind="danger" if danger else "primary",
            keycap="" if careful else "Enter",
        )
        self.no = Button(no, name="question_no", keycap="Esc")
        self.yes.clicked.connect(lambda: self.answered.emit(True))
        self.no.clicked.connect(lambda: self.answered.emit(False))
        row = ButtonRow("question_answers")
        row.set_parts([self.yes, self.no] if no else [self.yes])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(S3)
        column.addWidget(Label(title, "title", wrap=True, name="question_title"))
        column.addWidget(Label(more, "body", "muted", wrap=True, align=TOP, name="question_more"))
        column.addSpacing(S2)
        column.addWidget(row)
        self.setFocusProxy(self.no if careful else self.yes)
