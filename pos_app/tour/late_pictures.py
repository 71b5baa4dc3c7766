"""Screens of the tour that no day brings about: the safe screen of a till that has crashed. Shows no real payment."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.domain.attempt import Attempt
from pos_app.tour.stage import Stage
from pos_app.ui.face import Face
from pos_app.ui.kiosk.safe_screen import SafeScreen, Told

_VERSION = "1.0"
"""A picture of a manual names no certain release."""


def safe_screen(stage: Stage, face: Face, payments: tuple[Attempt, ...]) -> None:
    """As it stands after three crashes, over the payments that were open."""
    screen = SafeScreen(Told(stopped=True, payments=payments, face=face, version=_VERSION, time="14:07"))
    screen.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    screen.resize(stage.window.size())
    screen.show()
    stage.picture("safe-screen", of=screen)
    screen.close()
