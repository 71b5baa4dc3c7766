"""The tour's hands and eyes: presses keys and buttons of the real window, waits for what it shows, takes pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.ui.till.window.main_window import MainWindow

LOOK_MS = 15
SETTLE_MS, SETTLES = 30, 10
PATIENCE_S = 60.0
"""Only a tour that fails waits as long: a busy machine may be slow."""
Found = TypeVar("Found")


class TourError(Exception):
    """The window did not show in time what it should."""


class Stage:
    """Pictures are numbered in the order they are taken; without a folder none are kept."""

    def __init__(self, window: MainWindow, folder: Path | None, say: Callable[[str], None]) -> None:
        self.window = window
        self._folder = folder
        self._say = say
        self._taken = 0

    def wait(self, what: str, look: Callable[[], Found | None], limit_s: float = PATIENCE_S) -> Found:
        """Lets the window live until `look` finds something. Raises TourError after `limit_s`."""
        until = time.monotonic() + limit_s
        while not (found := look()):
            if time.monotonic() > until:
                self.picture("not-shown")
                raise TourError(f"not shown within {limit_s:.0f} s: {what}")
            loop = QEventLoop()
            QTimer.singleShot(LOOK_MS, loop.quit)
            loop.exec()
        return found

    def find(self, name: str) -> QWidget | None:
        """A control by its object name, if it can be seen."""
        found = self.window.findChild(QWidget, name)
        return found if isinstance(found, QWidget) and found.isVisible() else None

    def see(self, name: str, limit_s: float = PATIENCE_S) -> QWidget:
        """Waits for a control."""
        return self.wait(name, lambda: self.find(name), limit_s)

    def press(self, name: str) -> None:
        """Presses a button with the mouse, once it can be pressed."""

        def ready() -> QWidget | None:
            found = self.find(name)
            return found if found is not None and found.isEnabled() else None

        control = self.wait(f"{name}, ready", ready)
        if isinstance(control, QAbstractButton):
            QTest.mouseClick(control, Qt.MouseButton.LeftButton)
        else:
            QTest.mouseClick(control, Qt.MouseButton.LeftButton, pos=control.rect().center())

    def key(self, key: Qt.Key) -> None:
        """A key on whatever has the focus."""
        QTest.keyClick(self._focus(), key)

    def type(self, text: str) -> None:
        """Types on whatever has the focus."""
        QTest.keyClicks(self._focus(), text)

    def _focus(self) -> QWidget:
        return self.window.focusWidget() or self.window

    def text_of(self, name: str) -> str:
        """What a control says."""
        control = self.see(name)
        text = getattr(control, "text", None)
        return str(text()) if callable(text) else ""

    def has_focus(self, name: str) -> bool:
        """Whether keys go to this control now."""
        focused = self.window.focusWidget()
        return focused is not None and focused.objectName() == name and focused.isEnabled()

    def picture(self, name: str, of: QWidget | None = None) -> None:
        """Keeps the window, or the other one `of` which it is, as it is now."""
        if self._folder is None:
            return
        self._taken += 1
        path = self._folder / f"{self._taken:02d}-{name}.png"
        if not self._settled(of or self.window).save(str(path)):
            raise CommandError(Exit.CANNOT_CREATE, f"the picture {path} cannot be written")
        self._say(f"picture {path.name}")

    def _settled(self, window: QWidget) -> QImage:
        """Its picture once it stays the same: a panel may be laid out in several turns, on a slow machine later ones.

        What changes all the time, a clock, is waited for no longer than a while.
        """
        seen = QImage()
        for _ in range(SETTLES):
            before = seen
            loop = QEventLoop()
            QTimer.singleShot(SETTLE_MS, loop.quit)
            loop.exec()
            seen = window.grab().toImage()
            if seen == before:
                break
        return seen
