"""Puts a theme on the application and tells which one is on. The palette carries it: there is no global."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLoggingCategory, QSize
from PySide6.QtGui import QColor, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.system.resources import resources
from pos_app.ui.garbage import GarbageCollector
from pos_app.ui.theme.fonts import body_at, text_factor
from pos_app.ui.theme.palette import palette
from pos_app.ui.theme.tokens import DARK, LIGHT, THEMES, Tokens

_NEEDS = ((200, 1900, 1000), (150, 1600, 820), (125, 1360, 728), (100, 1024, 680))
"""The room that a text size (percent) needs: its width and height in pixels. Tested."""

_LOW = 80
"""So little above the least is low still: a screen of 1024 × 768 that the till has to itself is not."""

FRAME = 40
"""What a desktop's frame and title bar may take of a screen's height."""

_QUIET = "qt.text.font.db=false"
"""Qt says of each script that the first font of the list has no letters of it, and then takes the next one."""

_DARK_WINDOW = QColor(DARK.bg).rgb()


STYLE = "Fusion"
STYLE_ARGUMENTS = ["-style", STYLE]
"""For the application's own arguments: `setStyle` would first load every name that styles have, 5 ms of them."""


_GTK = "platformthemes/libqgtk3.so"


def application() -> QApplication:
    """The application, made with our style. Where Qt would draw in GTK's company, without asking the desktop.

    On a desktop made with GTK, Qt loads GTK, and GTK loads whatever modules a file in the home folder names
    (gtk-3.0/settings.ini): foreign code in the till. The bundle carries no such part of Qt; a checkout has it, and
    there such a desktop's dark colours are not followed (`[window] theme` says which are wanted).
    """
    desktop = os.environ.get("XDG_CURRENT_DESKTOP", "").upper().split(":")
    has_gtk = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), _GTK).exists()
    QApplication.setDesktopSettingsAware(not has_gtk or "KDE" in desktop)
    made = QApplication(["pos-app", *STYLE_ARGUMENTS])
    GarbageCollector(made)
    _show_fonts()
    return made


def _show_fonts() -> None:
    """The fonts of the folder for Windows: elsewhere fontconfig shows them (packaging/bundle/start.py).

    Windows draws Sinhala and Tamil too, but in letters of another width than all windows were laid out with.
    """
    if sys.platform == "win32":
        for file in sorted(resources("fonts").glob("*.ttf")):
            QFontDatabase.addApplicationFont(str(file))


def apply(app: QApplication, theme: str, text_percent: int = 100) -> None:
    """Dress the whole application; `theme` is "light" or "dark". Open windows follow a change of theme.

    `text_percent`: how large texts are, 100 to 200; windows made from now on have it.
    """
    # Putting on again what is on would dress every part of every open window anew.
    if app.style().name().casefold() != STYLE.casefold():
        app.setStyle(STYLE)
    dress(app, theme, text_percent)


def dress(app: QApplication, theme: str, text_percent: int = 100, *, beside: int = 0) -> None:
    """The same for an application that was made with STYLE_ARGUMENTS. `beside`: how much width other windows have."""
    QLoggingCategory.setFilterRules(_QUIET)
    room = app.primaryScreen().availableSize() - QSize(beside, FRAME)
    app.setFont(body_at(fitting(text_percent, room)))
    app.setPalette(palette(THEMES[theme]))


def fitting(text_percent: int, room: QSize) -> int:
    """The text size that was asked for, or the largest below it with which a window of this room cuts nothing."""
    fits = (
        percent
        for percent, width, height in _NEEDS
        if percent <= text_percent and room.width() >= width and room.height() >= height
    )
    return next(fits, 100)


def least() -> QSize:
    """The smallest window that cuts nothing at the text size that is on."""
    percent = round(100 * text_factor())
    width, height = next((each[1:] for each in _NEEDS if each[0] <= percent), _NEEDS[-1][1:])
    return QSize(width, height)


def is_low(window: QWidget) -> bool:
    """Whether a window is hardly higher than the least: then what can give way does.

    A panel by itself, in a picture, is narrower than any: nothing there has to.
    """
    needs = least()
    return window.width() >= needs.width() and window.height() < needs.height() + _LOW


def tokens() -> Tokens:
    """The colours now on. Ask when painting, so that a change of theme needs no telling."""
    on = QApplication.palette().color(QPalette.ColorRole.Window).rgb()
    return DARK if on == _DARK_WINDOW else LIGHT


def colour(token: str) -> QColor:
    """The colour now on for a token's name ("muted")."""
    return QColor(str(getattr(tokens(), token)))
