"""The coach made small: the one instruction on a line below the till, where the screen has no room beside it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.i18n.words.training import words
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label


class Strip(QWidget):
    """`unfolded`: the course and the phone are wanted again."""

    unfolded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("strip")
        self.says = Label(words.TITLE, "second", wrap=True, name="strip_says")
        self.open = Button(words.UNFOLD, name="unfold", kind="outline", icon="phone", role="second").padded(
            S3
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(S4, 0, S3, 0)
        row.setSpacing(S3)
        row.addWidget(self.says, 1)
        row.addWidget(self.open)
        self.open.clicked.connect(self.unfolded)

    def show_text(self, text: str) -> None:
        """The instruction of now."""
        self.says.setText(text or words.TITLE)
