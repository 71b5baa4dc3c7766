"""The mouse's cursor on a locked-down till: seen while a mouse moves, gone under a finger. Moves nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QInputDevice, QMouseEvent

REST_MS = 5_000
"""A mouse that lies still so long is not being used."""


class Cursor(QObject):
    """`note` each event of the window. Nothing is seen at first: most tills have no mouse."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hidden = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._hide)
        self._hide()

    @property
    def is_hidden(self) -> bool:
        """Whether no cursor is drawn."""
        return self._hidden

    def note(self, event: QEvent) -> None:
        """A mouse brings the cursor, a finger takes it away."""
        match event.type():
            case QEvent.Type.TouchBegin:
                self._hide()
            case QEvent.Type.MouseMove | QEvent.Type.MouseButtonPress:
                if isinstance(event, QMouseEvent) and event.deviceType() in (
                    QInputDevice.DeviceType.Mouse,
                    QInputDevice.DeviceType.TouchPad,
                ):
                    self._show()

    def _show(self) -> None:
        self._rest.start(REST_MS)
        if self._hidden:
            self._hidden = False
            QGuiApplication.restoreOverrideCursor()

    def _hide(self) -> None:
        self._rest.stop()
        if not self._hidden:
            self._hidden = True
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def stop(self) -> None:
        """The system's own cursor again."""
        self._show()
        self._rest.stop()
