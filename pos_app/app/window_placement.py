"""How the till's window stands on the screen: on a desktop it fills it, and is found where it was left."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from pos_app.system.atomic_file import write_whole
from pos_app.system.plain_file import NotPlainError, open_plain
from pos_app.ui import places
from pos_app.ui.theme import theme

_LONGEST = 200


class WindowPlacement(Protocol):
    """Shows the windows of a till. `leave` is None where anybody may close them."""

    @property
    def leave(self) -> Callable[[], None] | None: ...
    def show(self, window: QWidget) -> None: ...
    def show_instead(self, window: QWidget, old: QWidget) -> None: ...
    def remember(self, window: QWidget) -> None: ...


Rooms = Callable[[QWidget], Sequence[QRect]]


def _free_rooms(window: QWidget) -> Sequence[QRect]:
    others = [each for each in QGuiApplication.screens() if each is not window.screen()]
    return [each.availableGeometry() for each in (window.screen(), *others)]


class OnDesktop:
    """Fills its screen, or all that a phone beside it leaves; afterwards it comes back where its user had put it.

    `memory`: the file that keeps the place, None to keep none. What it says is looked at: a window that no screen
    shows whole fills one instead.
    """

    leave = None

    def __init__(self, *, phone: bool, memory: Path | None = None, rooms: Rooms = _free_rooms) -> None:
        """`rooms`: the free room of the screen a window is on, then that of the others."""
        self._phone = phone
        self._rooms = rooms
        self._memory = None if phone else memory

    def show(self, window: QWidget) -> None:
        """For the first time."""
        window.setMinimumSize(theme.least())
        rooms = self._rooms(window)
        room = rooms[0]
        kept = places.remembered(self._kept(), rooms)
        if kept is not None:
            window.setGeometry(kept[0])
        else:
            window.setGeometry(places.till_place(room, phone=self._phone))
        is_filling = kept[1] if kept is not None else not self._phone and places.fills(room)
        if is_filling:
            window.showMaximized()
        else:
            window.show()

    def show_instead(self, window: QWidget, old: QWidget) -> None:
        """Where the other one stood."""
        window.setMinimumSize(theme.least())
        window.setGeometry(old.geometry())
        window.setWindowState(old.windowState())
        window.show()

    def remember(self, window: QWidget) -> None:
        """As it stands when the till ends; where that cannot be kept, the next one fills its screen."""
        if self._memory is None or window.isMinimized():
            return
        said = places.written(window.normalGeometry(), filled=window.isMaximized())
        if said != self._kept():
            with contextlib.suppress(OSError):
                write_whole(self._memory, said.encode("ascii"))

    def _kept(self) -> str:
        if self._memory is None:
            return ""
        try:
            with open_plain(self._memory) as file:
                return file.read(_LONGEST).decode("ascii")
        except (OSError, NotPlainError, UnicodeDecodeError):
            return ""
