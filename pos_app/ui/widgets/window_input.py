"""Reads what comes to one window on its way to the window's parts: keys for scanners, touches for scrolling."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QWidget

from pos_app.ui.garbage import while_whole

_NEW_HANDLES = (QEvent.Type.WinIdChange, QEvent.Type.Show)


class WindowInput(QObject):
    """Stands on the system's window, where input arrives before any part of ours hears of it; `_takes` judges it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._handle: QWindow | None = None

    def start(self) -> None:
        """From now on."""
        # Not on the application: its filters are asked about each event of every part, also of one on its way out.
        self._window.installEventFilter(self)
        self._watch()

    def stop(self) -> None:
        """No longer."""
        self._window.removeEventFilter(self)
        handle, self._handle = self._window.windowHandle(), None
        if handle is not None:
            handle.removeEventFilter(self)

    def _watch(self) -> None:
        """The system's window, which is made when ours is first shown, and anew where the system wants it so."""
        handle = self._window.windowHandle()
        if handle is not None and handle is not self._handle:
            handle.installEventFilter(self)
            self._handle = handle

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """True for what is held back; what goes on, goes on unchanged."""
        if watched is not self._window:
            return event.type() not in _NEW_HANDLES and self._takes(event)
        if event.type() in _NEW_HANDLES:
            self._watch()
        return False

    def _takes(self, event: QEvent) -> bool:
        """Whether this is held back: it goes no further."""
        raise NotImplementedError
