"""In the place of the first manager: a damaged record has lost them all, and nobody at the till makes another."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from pos_app.domain.people import FIRST_MANAGER
from pos_app.i18n.words.set_up import words
from pos_app.ui.dialogs.parts.lines import column, heading
from pos_app.ui.widgets.label import Label


class LostPeople(QWidget):
    """Says what happened and who can help. There is nothing to press: whoever stands here may have done it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lost_people")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{words.LOST_TITLE}. {words.LOST_TEXT} {FIRST_MANAGER}. {words.LOST_MORE}")
        command = Label(FIRST_MANAGER, "strong", wrap=True, name="lost_command")
        column(
            self,
            heading(words.LOST_TITLE, "lost_title"),
            Label(words.LOST_TEXT, "body", wrap=True, name="lost_text"),
            command,
            Label(words.LOST_MORE, "body", "muted", wrap=True, name="lost_more"),
        ).addStretch(1)
