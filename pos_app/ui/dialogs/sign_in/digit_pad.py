"""The keypad for a passcode or a code: ten digits, clear, backspace. It types into the field it is given."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.i18n.words.passcode import words
from pos_app.ui.theme.theme import is_low
from pos_app.ui.theme.tokens import GAP, KEY_HEIGHT, TOUCH
from pos_app.ui.till.amount.keypad import KeypadKey
from pos_app.ui.widgets.field import LineEdit

_ROWS = ("123", "456", "789")


class DigitPad(QWidget):
    """For a finger. `into` says which field the digits go to; a key never takes the focus from it."""

    def __init__(
        self,
        name: str,
        into: Callable[[], LineEdit],
        *,
        clears: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`clears`: what its clear key is called; the passcode's unless said."""
        super().__init__(parent)
        self.setObjectName(name)
        self._into = into
        # Figures are laid out alike in every language.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        for row, digits in enumerate(_ROWS):
            for column, digit in enumerate(digits):
                grid.addWidget(self._digit(digit), row, column)
        clear = self._key("", "digit_clear", clears or words.CLEAR, "cross")
        clear.clicked.connect(self._clear)
        back = self._key("", "digit_backspace", words.BACKSPACE, "backspace")
        back.setAutoRepeat(True)
        back.clicked.connect(lambda: self._type(""))
        for column, key in enumerate((clear, self._digit("0"), back)):
            grid.addWidget(key, 3, column)

    def showEvent(self, event: QShowEvent) -> None:
        """In a low window the keys are as small as a finger allows: its last row would be under the buttons."""
        super().showEvent(event)
        height = TOUCH if is_low(self.window()) else KEY_HEIGHT
        for key in self.findChildren(KeypadKey):
            key.setFixedHeight(height)

    def _digit(self, digit: str) -> KeypadKey:
        key = self._key(digit, f"digit_{digit}", digit)
        key.clicked.connect(lambda: self._type(digit))
        return key

    def _key(self, text: str, name: str, accessible: str, icon: str = "") -> KeypadKey:
        key = KeypadKey(text, name=name, accessible=accessible, icon=icon)
        key.setFixedHeight(KEY_HEIGHT)
        return key

    def _type(self, digit: str) -> None:
        edit = self._into()
        if edit.isEnabled():
            edit.type_over(digit)

    def _clear(self) -> None:
        edit = self._into()
        if edit.isEnabled():
            edit.clear()
            edit.textEdited.emit("")
