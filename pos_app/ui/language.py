"""Puts a language on the whole application: its words, and the side its lines begin at."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from pos_app.i18n.languages import is_right_to_left, speak
from pos_app.i18n.table import spoken


def set_language(language: str) -> bool:
    """True where that is another language than before: lasting windows then say their words anew."""
    changed = speak(language)
    from_right = is_right_to_left(spoken())
    wanted = Qt.LayoutDirection.RightToLeft if from_right else Qt.LayoutDirection.LeftToRight
    if QGuiApplication.layoutDirection() is not wanted:
        QGuiApplication.setLayoutDirection(wanted)
    return changed
