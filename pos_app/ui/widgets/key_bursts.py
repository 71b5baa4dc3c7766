"""Tells keys that come faster than a person types from those of a person: a scanner's never do anything.

A barcode scanner is a keyboard: its digits would stand in the amount and its Enter would charge, or confirm whatever
question is open (docs/failure-model.md, threat 36). It reads keys on their way to one window, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget

from pos_app.ui.key_sets import COMMANDS
from pos_app.ui.widgets.window_input import WindowInput

GAP_MS = 30
"""No person presses the next key as soon; scanners take 1 to 20 ms."""

CERTAIN = 4
"""So many characters in a row, each as soon after the last, are no person's: rolling fingers manage three, and a key
that is labelled 00 or 000 sends as many."""

CODE_LEAST = 3
"""A code this short is one where Enter comes with it."""

_OVER_MS = 2 * GAP_MS
_Key = Qt.Key
_ENDS = (_Key.Key_Return, _Key.Key_Enter, _Key.Key_Tab)
_HARMLESS = frozenset(
    (_Key.Key_Backspace, _Key.Key_Delete, _Key.Key_Left, _Key.Key_Right, _Key.Key_Home, _Key.Key_End)
)
_SHIFTS = (_Key.Key_Shift, _Key.Key_Control, _Key.Key_Alt, _Key.Key_AltGr, _Key.Key_Meta)
_MODIFIERS = frozenset((*_SHIFTS, _Key.Key_CapsLock, _Key.Key_NumLock, _Key.Key_ScrollLock))


class Place(Protocol):
    """Where the first character of what may be a burst went."""

    takes_keys: bool
    """A plain text field: a code may stand in it, and only what ends it is held back."""

    def undo(self) -> None:
        """As it was before the first character came."""

    def scanned(self, text: str) -> None:
        """All of it, once it has ended."""


class TextPlace:
    """A text field, the only thing a window has where nobody says what a code is for."""

    def __init__(self, edit: QLineEdit) -> None:
        self.edit = edit
        self.takes_keys = not is_secret(edit)
        self._before = edit.text(), edit.cursorPosition()

    def undo(self) -> None:
        """The text before the first character."""
        text, at = self._before
        self.edit.setText(text)
        self.edit.setCursorPosition(at)
        self.edit.textEdited.emit(text)

    def scanned(self, text: str) -> None:
        """It stands there, or belongs nowhere."""


def text_place(focused: QWidget | None) -> TextPlace | None:
    """The text field that has the keyboard; None where none has."""
    return TextPlace(focused) if isinstance(focused, QLineEdit) else None


def is_secret(edit: QLineEdit) -> bool:
    """Whether a passcode, a code by SMS or a secret is typed here, looked at or not: they are nobody's to scan."""
    hidden = edit.echoMode() is not QLineEdit.EchoMode.Normal
    hints = Qt.InputMethodHint.ImhDigitsOnly | Qt.InputMethodHint.ImhSensitiveData
    return hidden or bool(edit.inputMethodHints() & hints)


class KeyBursts(WindowInput):
    """Watches one window's keyboard. `place` says where a character goes that is typed now; None: nowhere.

    Time is the window system's own: a till that was busy for a moment gets a person's keys all at once, and they are a
    person's still. A key without a time was sent by no keyboard, and is not judged.
    """

    def __init__(self, window: QWidget, place: Callable[[], Place | None]) -> None:
        super().__init__(window)
        self._find_place = place
        self._last_ms = 0
        self._text = ""
        self._is_certain = False
        self._place: Place | None = None
        self._swallowed: set[int] = set()
        self._held: QAbstractButton | None = None
        self._over = QTimer(self)
        self._over.setSingleShot(True)
        self._over.setInterval(_OVER_MS)
        self._over.timeout.connect(self._end)

    def stop(self) -> None:
        """No longer."""
        self._over.stop()
        super().stop()

    def _takes(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or not event.timestamp():
            return False
        if event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        if event.type() == QEvent.Type.KeyRelease and event.key() in self._swallowed:
            self._swallowed.discard(event.key())
            return True
        return False

    def _press(self, event: QKeyEvent) -> bool:
        if event.isAutoRepeat() or event.key() in _MODIFIERS:
            return False
        soon = bool(self._last_ms) and 0 <= event.timestamp() - self._last_ms <= GAP_MS
        self._last_ms = event.timestamp()
        if not soon:
            self._end()
        is_text = event.text().isprintable() and bool(event.text()) and not event.modifiers() & COMMANDS
        held = self._character(event, soon=soon) if is_text else soon and self._command(event)
        if held:
            self._swallowed.add(event.key())
        return held

    def _character(self, event: QKeyEvent, *, soon: bool) -> bool:
        if not self._text:
            self._place = self._find_place()
        self._text += event.text()
        self._over.start()
        if event.text() == " " and self._hold(soon=soon):
            return True
        if len(self._text) >= CERTAIN and soon:
            self._be_certain()
        return self._is_certain and not (self._place is not None and self._place.takes_keys)

    def _command(self, event: QKeyEvent) -> bool:
        """A key that does something, as soon after another: whatever it would do, nobody meant it."""
        if event.key() in _HARMLESS and not self._is_certain:
            return False
        if event.key() in _ENDS:
            if len(self._text) >= CODE_LEAST:
                self._be_certain()
            self._end()
        return True

    def _hold(self, *, soon: bool) -> bool:
        """A space on a button presses it: the first waits whether it is a code's, no later one ever presses."""
        button = self._window.focusWidget()
        if not isinstance(button, QAbstractButton):
            return False
        self._held = None if soon else button
        return True

    def _be_certain(self) -> None:
        if self._is_certain:
            return
        self._is_certain = True
        self._held = None
        if self._place is not None and not self._place.takes_keys:
            self._place.undo()

    def _end(self) -> None:
        self._over.stop()
        text, self._text = self._text, ""
        place, self._place = self._place, None
        was_code, self._is_certain = self._is_certain, False
        button, self._held = self._held, None
        if was_code and place is not None:
            place.scanned(text)
        elif button is not None and text == " " and button is self._window.focusWidget():
            button.click()
