"""Keys as a window system hands them in: to the window, each with its time. A person's, or a scanner's."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

Key = Qt.Key
PERSON_MS = 90
_CLOCK = count(1_000_000, 1_000_000)
"""No two hands are at the keyboard at once."""


class Hands:
    """`gap_ms`: how soon each key comes after the last."""

    def __init__(self, window: QWidget, gap_ms: int = PERSON_MS) -> None:
        self._window = window
        self._gap_ms = gap_ms
        self._now = next(_CLOCK)

    def type(self, text: str) -> None:
        """Characters, one after the other."""
        for character in text:
            self._press(Key(ord(character.upper())), character)

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """One key, with others held down."""
        is_plain = Key.Key_Space <= key <= Key.Key_AsciiTilde and held is Qt.KeyboardModifier.NoModifier
        text = chr(key).lower() if is_plain else "\r" if key in (Key.Key_Return, Key.Key_Enter) else ""
        self._press(key, text, held)

    def wait(self, ms: int) -> None:
        """Nothing is pressed for a while."""
        self._now += ms

    def _press(
        self, key: Qt.Key, text: str, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        self._now += self._gap_ms
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, held, text)
            event.setTimestamp(self._now)
            native = self._window.windowHandle()
            assert native is not None
            QApplication.sendEvent(native, event)
