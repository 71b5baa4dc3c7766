"""What reaches a locked-down window: the keys of its table, fingers, the mouse's left button. It swallows all else.

The cursor is seen while a mouse moves, and gone under a finger.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QInputDevice, QKeyEvent, QMouseEvent, QWindow

from pos_app.domain.text import JOINERS
from pos_app.ui.garbage import while_whole
from pos_app.ui.key_sets import COMMANDS
from pos_app.ui.till.window.keys import action_of

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


_Held = Qt.KeyboardModifier
# How Windows says AltGr, which types @ and € on many keyboards.
_ALT_GR = _Held.ControlModifier | _Held.AltModifier
_MOVING = frozenset(
    {
        Qt.Key.Key_Tab,
        Qt.Key.Key_Backtab,
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    }
)
_TYPING = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_AltGr, Qt.Key.Key_Mode_switch}
)
# Between these lie the keys that begin a letter: dead accents and what input methods read.
_COMPOSING = range(int(Qt.Key.Key_Multi_key), int(Qt.Key.Key_Dead_Longsolidusoverlay) + 1)
_WANTED = frozenset(int(key) for key in _MOVING | _TYPING)


def is_wanted(key: int, held: Qt.KeyboardModifier, text: str) -> bool:
    """Whether this key may reach the till."""
    # A joiner is a key of its own where letters are joined; a field keeps it in its place.
    types = bool(text) and all(sign.isprintable() or sign in JOINERS for sign in text)
    commands = held & COMMANDS
    if commands:
        return commands == _ALT_GR and types
    return types or key in _WANTED or key in _COMPOSING or action_of(key) is not None


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
        self._heard = application.focusWindowChanged.connect(self.watch)

    def stop(self) -> None:
        """No further window is watched; once."""
        QObject.disconnect(self._heard)

    def watch(self, window: QWindow | None) -> None:
        """From now on, and once."""
        if window is not None:
            # Qt keeps a filter that is installed again once, and calls it first.
            window.installEventFilter(self)

    @while_whole
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
