"""The languages the till speaks, each by its own name, to be chosen with one touch. Changes nothing itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.i18n.languages import NAMES, languages
from pos_app.i18n.table import spoken
from pos_app.i18n.words.sign_in import words
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow


class LanguageRow(ButtonRow):
    """`chosen` carries a language's code. The one that is spoken carries a tick."""

    chosen = Signal(str)

    def __init__(self, *, centred: bool = False, parent: QWidget | None = None) -> None:
        super().__init__("languages", centred=centred, parent=parent)
        self.setAccessibleName(words.LANGUAGES)
        self.set_parts([self._button(code) for code in languages()])

    def _button(self, code: str) -> Button:
        is_spoken = code == spoken()
        button = Button(
            NAMES.get(code, code),
            name=f"language_{code}",
            kind="soft" if is_spoken else "quiet",
            role="chip",
            icon="tick" if is_spoken else "",
        )
        button.setCheckable(True)
        button.setChecked(is_spoken)
        button.clicked.connect(lambda: self.chosen.emit(code))
        return button
