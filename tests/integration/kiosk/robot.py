"""Presses every key with every modifier, every button and every gesture, and says what of it changed the screen."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

Key, Held = Qt.Key, Qt.KeyboardModifier
MODIFIERS = (Held.ControlModifier, Held.AltModifier, Held.MetaModifier, Held.ShiftModifier)
SINGLE = frozenset(
    {
        *(Key(int(Key.Key_F1) + at) for at in range(35)),
        Key.Key_Escape, Key.Key_Tab, Key.Key_Backtab, Key.Key_Return, Key.Key_Enter, Key.Key_Insert,
        Key.Key_Delete, Key.Key_Pause, Key.Key_Print, Key.Key_SysReq, Key.Key_Menu, Key.Key_Help,
        Key.Key_Home, Key.Key_End, Key.Key_Left, Key.Key_Up, Key.Key_Right, Key.Key_Down, Key.Key_Space,
        Key.Key_PageUp, Key.Key_PageDown, Key.Key_Super_L, Key.Key_Super_R, Key.Key_Hyper_L, Key.Key_Meta,
        Key.Key_Backspace,
    }
)  # fmt: skip
"""Those of a keyboard that type nothing."""

MEDIA = tuple(key for key in Key if int(Key.Key_Back) <= int(key) <= int(Key.Key_MediaLast))
"""Browser, mail, calculator, sleep, power, volume, launch, zoom, record and what else keyboards have had."""

TYPED = tuple("abcdefghijklmnopqrstuvwxyz0123456789.,+-*/\\<>|@'\"^~`[]{}() ")
NO_DOING = (
    *MEDIA,
    Key.Key_Print,
    Key.Key_SysReq,
    Key.Key_Menu,
    Key.Key_Help,
    Key.Key_Pause,
    Key.Key_Insert,
    Key.Key_Super_L,
    Key.Key_Super_R,
    Key.Key_Meta,
    *(Key(int(Key.Key_F12) + at) for at in range(24)),
)
"""Keys that mean nothing on a till, whatever is held."""


def held() -> Iterator[Qt.KeyboardModifier]:
    """Each set of modifiers with a command in it."""
    for mask in range(1, 16):
        both = Held.NoModifier
        for bit, modifier in enumerate(MODIFIERS):
            if mask & 1 << bit:
                both |= modifier
        if both & (Held.ControlModifier | Held.AltModifier | Held.MetaModifier):
            yield both


def commands(keys: tuple[Qt.Key, ...]) -> Iterator[tuple[Qt.Key, Qt.KeyboardModifier]]:
    """Every combination that is none of the till's."""
    for modifiers in held():
        for key in keys:
            yield key, modifiers
    for key in NO_DOING:
        yield key, Held.NoModifier
        yield key, Held.ShiftModifier


def every_key() -> tuple[Qt.Key, ...]:
    """All of them."""
    letters = tuple(Key(ord(each.upper())) for each in TYPED if ord(each) < 127)
    return (*letters, *sorted(SINGLE, key=int), *MEDIA)


def strike(native: QWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    """As the display hands it on: with Alt or the logo's key held a letter still types itself."""
    typed = chr(int(key)).lower() if int(key) < 127 else ""
    if typed and modifiers & Held.ControlModifier:
        typed = chr(int(key) & 31)
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(native, QKeyEvent(kind, int(key), modifiers, typed))


def gestures(native: QWindow) -> Iterator[str]:
    """Does each and says which: swipes from every edge, long press, pinch, five fingers, a hand laid down."""
    device = QTest.createTouchDevice()
    width, height = native.width(), native.height()
    middle = QPoint(width // 2, 4)
    swipes = {
        "from the left": (QPoint(0, height // 2), QPoint(width // 3, height // 2)),
        "from the right": (QPoint(width - 1, height // 2), QPoint(width * 2 // 3, height // 2)),
        "from above": (QPoint(width // 2, 0), QPoint(width // 2, height // 3)),
        "from below": (QPoint(width // 2, height - 1), QPoint(width // 2, height * 2 // 3)),
    }
    for name, (begin, end) in swipes.items():
        for fingers in (1, 2, 3):
            _swipe(native, device, begin, end, fingers)
            yield f"{fingers} fingers {name}"
    for fingers in (2, 5, 10):
        _swipe(native, device, middle, middle + QPoint(40, 0), fingers)
        yield f"{fingers} fingers at once"
    _pinch(native, device, QPoint(width // 2, height // 2))
    yield "a pinch"


def _swipe(native: QWindow, device: object, begin: QPoint, end: QPoint, fingers: int) -> None:
    apart = QPoint(6, 6)
    for step, phase in enumerate(("press", "move", "move", "release")):
        touch = QTest.touchEvent(native, device, False)  # type: ignore[call-overload]
        for finger in range(fingers):
            at = begin + (end - begin) * step / 3 + apart * finger
            getattr(touch, phase)(finger, at, native)
        touch.commit()
    QApplication.processEvents()


def _pinch(native: QWindow, device: object, centre: QPoint) -> None:
    for phase, apart in (("press", 20), ("move", 60), ("move", 120), ("release", 120)):
        touch = QTest.touchEvent(native, device, False)  # type: ignore[call-overload]
        for finger, side in enumerate((-1, 1)):
            getattr(touch, phase)(finger, centre + QPoint(side * apart, 0), native)
        touch.commit()
    QApplication.processEvents()
