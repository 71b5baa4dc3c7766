"""Puts a language on the whole application: its words, the side its lines begin at, and Qt's own word of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from pos_app.i18n.languages import is_right_to_left, speak
from pos_app.i18n.table import spoken

if TYPE_CHECKING:
    _Widget = QWidget
else:
    _Widget = object  # two classes of Qt's would make two widgets


class SaysAnew(_Widget):
    """Before a widget's class: one that lasts longer than a language, and is told of another by Qt's LanguageChange."""

    def changeEvent(self, event: QEvent) -> None:
        """Qt hands it down from each window to all that is in it, the outer before the inner."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.say_anew()

    def say_anew(self) -> None:
        """The tables speak another language now than when it was made."""
        raise NotImplementedError


def set_language(language: str) -> bool:
    """True where that is another language than before: every window has been sent a LanguageChange then."""
    changed = speak(language)
    from_right = is_right_to_left(spoken())
    wanted = Qt.LayoutDirection.RightToLeft if from_right else Qt.LayoutDirection.LeftToRight
    if QGuiApplication.layoutDirection() is not wanted:
        QGuiApplication.setLayoutDirection(wanted)
    if changed:
        # Qt itself would post it: what is shown next would stand beside the words of before.
        for window in QApplication.topLevelWidgets():
            if isValid(window):
                QCoreApplication.sendEvent(window, QEvent(QEvent.Type.LanguageChange))
    return changed
