"""`pos-app gallery`: every component and every payment state to look at, or as pictures. Takes no payment."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from pos_app.commands.display import has_display
from pos_app.commands.errors import CommandError, Exit

THEMES = ("light", "dark")
SECTIONS = ("parts", "before", "waiting", "results", "reasons", "dialogs", "windows")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go, of what, and in which theme."""
    parser.add_argument(
        "--screenshots", type=Path, default=None, metavar="DIR", help="saves a picture of each"
    )
    parser.add_argument("--section", choices=SECTIONS, default=None, help="this part of it alone")
    parser.add_argument("--theme", choices=THEMES, default="light", help="light or dark")


def run(arguments: argparse.Namespace) -> int:
    """The window until it is closed; or the pictures, which need no display."""
    pictures = arguments.screenshots is not None
    if not has_display():
        if not pictures:
            raise CommandError(Exit.NO_DISPLAY, "the gallery needs a display; --screenshots DIR does not")
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    from pos_app.ui.design import theme
    from pos_app.ui.gallery.window import SIZE, Gallery

    qt = QApplication(["pos-app", *theme.STYLE_ARGUMENTS])
    theme.dress(qt, arguments.theme)
    if pictures:
        return _save(arguments.screenshots, arguments.language or "en", arguments.section)
    window = Gallery(arguments.theme)
    window.switch_language(arguments.language or "en")
    window.show_section(arguments.section or SECTIONS[0])
    window.resize(*SIZE)
    window.show()
    return qt.exec()


def _save(folder: Path, language: str, section: str | None) -> int:
    from pos_app.ui.gallery.pictures import save

    try:
        count = save(folder, language, section)
    except OSError as error:
        raise CommandError(Exit.CANNOT_CREATE, f"{folder} cannot be made: {error.strerror}") from error
    sys.stdout.write(f"{count} pictures in {folder}\n")
    return int(Exit.OK)
