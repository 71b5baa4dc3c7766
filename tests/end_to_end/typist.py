"""A till worked by its keyboard alone: keys to whatever has the focus. Nothing is ever touched."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.support.till import StartedTill

Key = Qt.Key
_MOST_STOPS = 60
"""Further than this nobody presses Tab."""


class Typist(StartedTill):
    """`press`, `type` and what is made of them. Whatever touches is refused."""

    def touch(self, name: str) -> None:
        """There is no finger and no mouse."""
        raise AssertionError(f"{name} is touched by nobody")

    def touch_first(self, *names: str) -> bool:
        """There is no finger and no mouse."""
        raise AssertionError(f"{names} are touched by nobody")

    def fill(self, name: str, text: str) -> None:
        """Over what stands in a field."""
        self.go_to(name)
        self.press(Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.type(text)

    def go_to(self, name: str) -> None:
        """Tab, until the keyboard is there."""
        self.until(lambda: self.takes(name))
        passed = []
        for _ in range(_MOST_STOPS):
            if self.has_focus(name):
                return
            self.press(Key.Key_Tab)
            self.settle()
            passed.append(self.window.focusWidget().objectName() if self.window.focusWidget() else "")
        raise AssertionError(f"Tab does not lead to {name}, only to {passed}")

    def do(self, name: str) -> None:
        """Enter on a button that Tab leads to."""
        self.go_to(name)
        self.press(Key.Key_Return)

    def pick_row(self, list_name: str, text: str) -> None:
        """Down to the row with this text, and Enter."""
        self.until(lambda: text in self.rows(list_name))
        self.go_to(list_name)
        listed = self.part(list_name)
        self.press(Key.Key_Home)
        for _ in range(listed.count()):
            if str(listed.currentItem().text()) == text:
                break
            self.press(Key.Key_Down)
        assert str(listed.currentItem().text()) == text
        self.press(Key.Key_Return)
