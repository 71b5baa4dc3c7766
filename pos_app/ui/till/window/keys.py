"""The one table of keys: what each does on the till. The window looks here, and so does the help."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from PySide6.QtCore import Qt

from pos_app.ui.key_sets import ENTER


class Action(StrEnum):
    """What a key asks for; also the words' key in the language's table."""

    AMOUNT = "amount"
    DELETE = "delete"
    PLUS = "plus"
    QR = "qr"
    PUSH = "push"
    ENTER = "enter"
    BACK = "back"
    FIND = "find"
    CHECK = "check"
    PARK = "park"
    NOTE = "note"
    PRINT = "print"
    INVOICE = "invoice"
    OPEN = "open"
    LOCK = "lock"
    MANAGER = "manager"
    HELP = "help"


class KeyRow(msgspec.Struct, frozen=True):
    """A row: how the key is written on keycaps, what it asks for, and Qt's names for it."""

    cap: str
    action: Action
    keys: tuple[Qt.Key, ...] = ()


KEY_TABLE = (
    KeyRow("0–9 . ,", Action.AMOUNT),
    KeyRow("Backspace", Action.DELETE, (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)),
    KeyRow("+", Action.PLUS),
    KeyRow("F2", Action.QR, (Qt.Key.Key_F2,)),
    KeyRow("F3", Action.PUSH, (Qt.Key.Key_F3,)),
    KeyRow("Enter", Action.ENTER, ENTER),
    KeyRow("Esc", Action.BACK, (Qt.Key.Key_Escape,)),
    KeyRow("F4", Action.FIND, (Qt.Key.Key_F4,)),
    KeyRow("F5", Action.CHECK, (Qt.Key.Key_F5,)),
    KeyRow("F6", Action.PARK, (Qt.Key.Key_F6,)),
    KeyRow("F7", Action.INVOICE, (Qt.Key.Key_F7,)),
    KeyRow("F8", Action.OPEN, (Qt.Key.Key_F8,)),
    KeyRow("F9", Action.LOCK, (Qt.Key.Key_F9,)),
    KeyRow("F10", Action.MANAGER, (Qt.Key.Key_F10,)),
    KeyRow("F11", Action.NOTE, (Qt.Key.Key_F11,)),
    KeyRow("F12", Action.PRINT, (Qt.Key.Key_F12,)),
    KeyRow("F1", Action.HELP, (Qt.Key.Key_F1,)),
)

_BY_KEY = {int(key): row.action for row in KEY_TABLE for key in row.keys}
_CAP = {row.action: row.cap for row in KEY_TABLE}


def action_of(key: int) -> Action | None:
    """What this key asks for; None when nothing (digits and separators are read as text)."""
    return _BY_KEY.get(key)


def cap(action: Action) -> str:
    """How the key of an action is written."""
    return _CAP[action]
