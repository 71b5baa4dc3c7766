"""Screens of the tour that no day brings about: a stick that is plugged in, the safe screen of a till that has crashed.
Shows no real payment, and writes no file.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from pos_app.domain.attempt import Attempt
from pos_app.system.sticks import Stick
from pos_app.tour.stage import Stage
from pos_app.ui.dialogs.people.saved_file import SavedFile
from pos_app.ui.kiosk.safe_screen import SafeScreen, Told
from pos_app.ui.view_config import TillViewConfig

_VERSION = "1.0"
"""A picture of a manual names no certain release."""


def stick(stage: Stage) -> None:
    """The file for the help desk was made, and a stick is there to take it along."""
    panel = SavedFile(find=lambda: [Stick("SHOP STICK", Path("/media/till/SHOP STICK"))])
    stage.window.overlay.open(panel)
    panel.show_outcome("/home/till/pos-app-diagnostics-20251121-1407.zip", "")
    stage.wait("all of it", lambda: panel.height() >= panel.heightForWidth(panel.width()))
    stage.picture("onto-a-stick")
    stage.window.overlay.close_panel(panel)


def safe_screen(stage: Stage, config: TillViewConfig, payments: tuple[Attempt, ...]) -> None:
    """As it stands after three crashes, over the payments that were open."""
    screen = SafeScreen(Told(stopped=True, payments=payments, config=config, version=_VERSION, time="14:07"))
    screen.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    screen.resize(stage.window.size())
    screen.show()
    stage.picture("safe-screen", of=screen)
    screen.close()
    # Taken away by Qt, in Qt's order: Python's collector would empty its parts first, while Qt still asks them.
    screen.deleteLater()
