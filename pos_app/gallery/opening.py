"""Opens the gallery: its window until it is closed, or its pictures. Reads no command line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from pos_app.gallery.pictures import save
from pos_app.gallery.window import SIZE, Gallery
from pos_app.ui.theme import theme


def look(theme_name: str, language: str, section: str) -> int:
    """The window, opened at a section; the application's exit code."""
    application = _application(theme_name)
    window = Gallery(theme_name)
    window.switch_language(language)
    window.show_section(section)
    window.resize(QSize(*SIZE).boundedTo(application.primaryScreen().availableSize()))
    window.show()
    return application.exec()


def keep(folder: Path, theme_name: str, language: str, section: str | None) -> int:
    """How many pictures were saved. Raises OSError."""
    _application(theme_name)
    return save(folder, language, section)


def _application(theme_name: str) -> QApplication:
    made = theme.application()
    theme.dress(made, theme_name)
    return made
