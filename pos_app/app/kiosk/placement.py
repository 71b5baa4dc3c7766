"""How a locked-down till's windows stand: over the whole display, left by a manager alone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from pos_app.ui.kiosk.full_screen import FullScreen


class Alone:
    """A Standing (app/standing.py)."""

    def __init__(self, screen: FullScreen, leave: Callable[[], None]) -> None:
        self._screen = screen
        self.leave: Callable[[], None] | None = leave

    def show(self, window: QWidget) -> None:
        """From now on this one; the one before may be closed."""
        self._screen.show(window)

    def show_instead(self, window: QWidget, old: QWidget) -> None:
        """The other one is covered, and goes afterwards."""
        del old
        self._screen.show(window)

    def remember(self, window: QWidget) -> None:
        """Nothing: it has no other place."""
        del window
