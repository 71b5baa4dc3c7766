"""Puts a theme on the application and tells which one is on. The palette carries it: there is no global."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from pos_app.ui.design.fonts import font
from pos_app.ui.design.palette import palette
from pos_app.ui.design.tokens import DARK, LIGHT, THEMES, Tokens

_DARK_WINDOW = QColor(DARK.bg).rgb()


STYLE = "Fusion"
STYLE_ARGUMENTS = ["-style", STYLE]
"""For the application's own arguments: `setStyle` would first load every name that styles have, 5 ms of them."""


def apply(app: QApplication, theme: str) -> None:
    """Dress the whole application; `theme` is "light" or "dark". Open windows follow."""
    app.setStyle(STYLE)
    dress(app, theme)


def dress(app: QApplication, theme: str) -> None:
    """The same for an application that was made with STYLE_ARGUMENTS."""
    app.setFont(font("body"))
    app.setPalette(palette(THEMES[theme]))


def tokens() -> Tokens:
    """The colours now on. Ask when painting, so that a change of theme needs no telling."""
    on = QApplication.palette().color(QPalette.ColorRole.Window).rgb()
    return DARK if on == _DARK_WINDOW else LIGHT


def colour(token: str) -> QColor:
    """The colour now on for a token's name ("muted")."""
    return QColor(str(getattr(tokens(), token)))
