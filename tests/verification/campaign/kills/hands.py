"""A cashier's eyes and hands on the real window of this process: what can be seen, real keys and touches. No waits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QListWidget, QWidget

Key = Qt.Key


class Hands:
    """Parts are found by object name, and only when they can be seen."""

    def __init__(self, window: QWidget) -> None:
        self.window = window

    def find(self, name: str) -> QWidget | None:
        """A part that can be seen."""
        for found in self.window.findChildren(QWidget, name):
            if isinstance(found, QWidget) and found.isVisible():
                return found
        return None

    def sees(self, name: str) -> bool:
        """Whether it can be seen."""
        return self.find(name) is not None

    def says(self, name: str) -> str:
        """The words of a part; "" when it cannot be seen."""
        text = getattr(self.find(name), "text", None)
        return str(text()) if callable(text) else ""

    def buttons(self, *beginnings: str) -> list[str]:
        """The names of the buttons that can be pressed and whose names begin so, in the order given."""
        found = [
            each.objectName()
            for each in self.window.findChildren(QAbstractButton)
            if each.isVisible() and each.isEnabled()
        ]
        return [name for beginning in beginnings for name in found if name.startswith(beginning)]

    def touch(self, *names: str) -> bool:
        """A finger on the first of these that can be pressed; whether there was one."""
        for name in names:
            part = self.find(name)
            if part is not None and part.isEnabled():
                QTest.mouseClick(part, Qt.MouseButton.LeftButton, pos=part.rect().center())
                return True
        return False

    def press(self, key: Qt.Key) -> None:
        """One key into whatever has the focus."""
        QTest.keyClick(self._focused(), key)

    def type(self, text: str) -> None:
        """Keys into whatever has the focus."""
        for character in text:
            QTest.keyClicks(self._focused(), character)

    def _focused(self) -> QWidget:
        return self.window.focusWidget() or self.window

    def has_focus(self, name: str) -> bool:
        """Whether keys go to this part now."""
        part = self.find(name)
        focused = self.window.focusWidget()
        return part is not None and part.isEnabled() and focused is not None and part is focused

    def pick(self, name: str) -> None:
        """A name on the list of cashiers."""
        people = self.find("people")
        if isinstance(people, QListWidget):
            rows = people.findItems(name, Qt.MatchFlag.MatchExactly)
            people.setCurrentItem(rows[0] if rows else people.item(0))
            QTest.keyClick(people, Key.Key_Return)

    def words(self) -> str:
        """All words on the screen, as a person would read them."""
        parts: list[QLabel | QAbstractButton] = [
            *self.window.findChildren(QLabel),
            *self.window.findChildren(QAbstractButton),
        ]
        return " | ".join(str(each.text()) for each in parts if each.isVisible() and each.text())


def till_window() -> QWidget | None:
    """The till's window, once it is on the screen."""
    for each in QApplication.topLevelWidgets():
        if each.objectName() == "till" and each.isVisible():
            return each
    return None
