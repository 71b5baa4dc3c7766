"""What reaches a locked-down window: its keys, fingers and the mouse's left button. Swallows all else, does nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QWindow

from pos_app.ui.kiosk.cursor import Cursor
from pos_app.ui.kiosk.keys import is_wanted

_Type = QEvent.Type
_NEVER = frozenset(
    {_Type.ContextMenu, _Type.DragEnter, _Type.DragMove, _Type.DragLeave, _Type.Drop, _Type.WhatsThisClicked}
)
_BUTTONS = frozenset({_Type.MouseButtonPress, _Type.MouseButtonRelease, _Type.MouseButtonDblClick})


class InputFilter(QObject):
    """On each of our native windows before Qt hands its events on; a list that drops down is such a window too."""

    def __init__(self, application: QGuiApplication, cursor: Cursor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cursor = cursor
        application.focusWindowChanged.connect(self.watch)

    def watch(self, window: QWindow | None) -> None:
        """From now on, and once."""
        if window is not None:
            # Qt keeps a filter that is installed again once, and calls it first.
            window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """True for what goes no further."""
        kind = event.type()
        self._cursor.note(event)
        if kind in _NEVER:
            event.ignore()
            return True
        if kind == _Type.KeyPress and isinstance(event, QKeyEvent):
            return not is_wanted(event.key(), event.modifiers(), event.text())
        # A key that goes up is let through: one that went down before must not stay down.
        if kind in _BUTTONS and isinstance(event, QMouseEvent):
            return event.button() is not Qt.MouseButton.LeftButton
        return False
