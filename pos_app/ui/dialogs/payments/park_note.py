"""Whose a parked payment is, in a word or two: three customers differ by more than their amounts. Records nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal

from pos_app.domain.attempt import NOTE_MOST, Attempt
from pos_app.i18n.words.parked import words
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.dialogs.parts.lines import LeftByEsc, button_row, column, heading
from pos_app.ui.view_config import TillViewConfig
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.field import Field


class ParkNote(LeftByEsc):
    """`noted(note)` comes once, "" takes a note away; `left` changes nothing."""

    noted = Signal(str)

    def __init__(self, attempt: Attempt, config: TillViewConfig) -> None:
        super().__init__()
        self.setObjectName("park_note")
        self._is_noted = False
        title = words.NOTE_TITLE.format(
            money=config.money_of(attempt.amount, attempt.currency), sale=attempt.sale_id
        )
        self.field = Field(words.NOTE_FIELD, "parked_note_text", example=words.NOTE_EXAMPLE)
        self.field.edit.setMaxLength(NOTE_MOST)
        self.field.set_text(attempt.note)
        self.field.edit.selectAll()
        self.back = Button(till_words.ask.go_back, name="park_note_back", keycap="Esc")
        self.save = Button(words.NOTE_SAVE, name="park_note_save", kind="primary", keycap="Enter")
        column(self, heading(title, "park_note_title"), self.field, button_row(self.back, self.save))
        self.setFocusProxy(self.field)
        self.field.entered.connect(self._note)
        self.save.clicked.connect(self._note)
        self.back.clicked.connect(self.left)

    def _note(self) -> None:
        if not self._is_noted:
            self._is_noted = True
            self.noted.emit(clean(self.field.text()).strip())
