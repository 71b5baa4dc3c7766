"""Which keys a locked-down till takes: those of its table, those that type, those that move. All others end here."""

from __future__ import annotations

from PySide6.QtCore import Qt

from pos_app.ui.till.window.keys import action_of

_Held = Qt.KeyboardModifier
_COMMANDS = _Held.ControlModifier | _Held.AltModifier | _Held.MetaModifier
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
    types = bool(text) and text.isprintable()
    commands = held & _COMMANDS
    if commands:
        return commands == _ALT_GR and types
    return types or key in _WANTED or key in _COMPOSING or action_of(key) is not None
