"""How the till's window stands on the screen: on a desktop beside other windows. Makes no window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtWidgets import QWidget

from pos_app.ui import places


class WindowPlacement(Protocol):
    """Shows the windows of a till. `leave` is None where anybody may close them."""

    @property
    def leave(self) -> Callable[[], None] | None: ...
    def show(self, window: QWidget) -> None: ...
    def show_instead(self, window: QWidget, old: QWidget) -> None: ...


class OnDesktop:
    """In the middle of the free room, with room for a phone if there is one; where its user moves it afterwards."""

    leave = None

    def __init__(self, *, phone: bool) -> None:
        self._phone = phone

    def show(self, window: QWidget) -> None:
        """For the first time."""
        window.setGeometry(places.till_place(window.screen().availableGeometry(), phone=self._phone))
        window.show()

    def show_instead(self, window: QWidget, old: QWidget) -> None:
        """Where the other one stood."""
        window.setGeometry(old.geometry())
        window.setWindowState(old.windowState())
        window.show()
