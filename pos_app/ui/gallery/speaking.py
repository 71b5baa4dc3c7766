"""Puts one language on everything the gallery shows. Knows no exhibit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pos_app.ui.words import languages


def speak(language: str) -> None:
    """From now on all is said, and laid out, in this language."""
    languages.speak(language)
    right_to_left = languages.is_right_to_left(language)
    QApplication.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    )
