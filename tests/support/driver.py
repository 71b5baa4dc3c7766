"""The one driver of a window: a cashier's eyes, fingers and patience, and the keyboard below them.

`Driver` works any window of ours by what can be seen of it: parts are found by object name, keys go to whatever has
the focus. `StartedTill` (tests/support/till.py) is one on a whole till, `Stage` (tests/support/stage.py) one on the
till's window alone. `Keyboard` gives keys to the window as the window system does, each with its time.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from tests.support.living import let_live

Key = Qt.Key
LIMIT_MS = 60_000
"""Only a test that fails waits as long: a busy machine is none of the till's faults."""
STEP_MS = 10
PERSON_MS = 90
_CLOCK = count(1_000_000, 1_000_000)
"""No two people are at the keyboard at once."""


class Keyboard:
    """Keys as a window system hands them in: to the window, each with its time. A person's, or a scanner's.

    `gap_ms`: how soon each key comes after the last.
    """

    def __init__(self, window: QWidget, gap_ms: int = PERSON_MS) -> None:
        self._window = window
        self._gap_ms = gap_ms
        self._now = next(_CLOCK)

    def type(self, text: str) -> None:
        """Characters, one after the other."""
        for character in text:
            self._press(Key(ord(character.upper())), character)

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """One key, with others held down."""
        is_plain = Key.Key_Space <= key <= Key.Key_AsciiTilde and held is Qt.KeyboardModifier.NoModifier
        text = chr(key).lower() if is_plain else "\r" if key in (Key.Key_Return, Key.Key_Enter) else ""
        self._press(key, text, held)

    def wait(self, ms: int) -> None:
        """Nothing is pressed for a while."""
        self._now += ms

    def _press(
        self, key: Qt.Key, text: str, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        self._now += self._gap_ms
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, held, text)
            event.setTimestamp(self._now)
            native = self._window.windowHandle()
            assert native is not None
            QApplication.sendEvent(native, event)


class Driver:
    """Looks, acts and waits. Parts are found by object name, and only while they can be seen.

    Looking and acting never wait, but for `touch` and what is named `until…`.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window

    @property
    def window(self) -> Any:
        """What is worked; a till that begins anew has another one then."""
        return self._window

    # What can be seen.

    def parts(self, name: str) -> list[Any]:
        """All visible parts of this name."""
        return [each for each in self.window.findChildren(QWidget, name) if each.isVisible()]

    def part(self, name: str) -> Any:
        """The visible part of this name; there is exactly one."""
        found = self.parts(name)
        assert len(found) == 1, (name, found)
        return found[0]

    def find(self, name: str) -> Any:
        """The first visible part of this name, None for none."""
        return next(iter(self.parts(name)), None)

    def seen(self, name: str) -> bool:
        """Whether a part of this name can be seen."""
        return bool(self.parts(name))

    def text(self, name: str) -> str:
        """What is written or typed on a part, "" when it cannot be seen."""
        part = self.find(name)
        return str(part.text()) if hasattr(part, "text") else ""

    def says(self, name: str) -> str:
        """The words of a part, else its name for a screen reader; "" when it cannot be seen."""
        part = self.find(name)
        return "" if part is None else self.text(name) or str(part.accessibleName())

    def words(self) -> list[str]:
        """All words on the screen, as a person would read them."""
        parts: list[Any] = [*self.window.findChildren(QLabel), *self.window.findChildren(QAbstractButton)]
        return [str(each.text()) for each in parts if each.isVisible() and each.text()]

    def buttons(self, *beginnings: str) -> list[str]:
        """The names of the buttons that can be pressed and whose names begin so, in the order given."""
        found = [
            str(each.objectName())
            for each in self.window.findChildren(QAbstractButton)
            if each.isVisible() and each.isEnabled()
        ]
        return [name for beginning in beginnings for name in found if name.startswith(beginning)]

    def rows(self, list_name: str) -> list[str]:
        """The texts of a list's rows, none while it cannot be seen."""
        listed = self.find(list_name)
        return [] if listed is None else [str(listed.item(row).text()) for row in range(listed.count())]

    def takes(self, name: str) -> bool:
        """Whether this part is seen and takes what is typed, or a finger."""
        part = self.find(name)
        return part is not None and bool(part.isEnabled())

    def has_focus(self, name: str) -> bool:
        """Whether keys go to this part now."""
        return self.takes(name) and self.window.focusWidget() is self.find(name)

    def picture(self, part: str = "") -> QImage:
        """The screen, or one part of it, as it is now."""
        whole: QImage = self.window.grab().toImage()
        if not part:
            return whole
        widget, ratio = self.part(part), whole.devicePixelRatio()
        place = QRect(widget.mapTo(self.window, QPoint(0, 0)), widget.size())
        return whole.copy(
            QRect(
                round(place.x() * ratio),
                round(place.y() * ratio),
                round(place.width() * ratio),
                round(place.height() * ratio),
            )
        )

    # What is done.

    def type(self, text: str) -> None:
        """Keys into whatever has the focus."""
        for character in text:
            QTest.keyClicks(self._focused(), character)

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """One key into whatever has the focus."""
        QTest.keyClick(self._focused(), key, held)

    def press_at_keypad(self, key: Qt.Key, printed: str) -> None:
        """A key of the numeric keypad."""
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, Qt.KeyboardModifier.KeypadModifier, printed)
            QApplication.sendEvent(self._focused(), event)

    def _focused(self) -> QWidget:
        focused: QWidget = self.window.focusWidget() or self.window
        return focused

    def keyboard(self, gap_ms: int = PERSON_MS) -> Keyboard:
        """The keys' way through the window system, for what depends on their times or on who is asked first."""
        return Keyboard(self.window, gap_ms)

    def touch(self, name: str) -> None:
        """A finger on the middle of it, once it can be seen and pressed."""
        self.until(lambda: self.takes(name))
        QTest.mouseClick(self.part(name), Qt.MouseButton.LeftButton)

    def touch_first(self, *names: str) -> bool:
        """A finger on the first of these that can be pressed now; whether there was one."""
        for name in names:
            if self.takes(name):
                QTest.mouseClick(self.find(name), Qt.MouseButton.LeftButton)
                return True
        return False

    def tap(self, name: str) -> None:
        """As `touch`, but given to the window itself, wherever the layout put the part."""
        self.until(lambda: self.takes(name))
        part = self.part(name)
        place = part.mapTo(self.window, part.rect().center())
        native = self.window.windowHandle()
        QTest.mouseClick(native, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(place))

    def fill(self, name: str, text: str) -> None:
        """Over what stands in a field, once it can be seen."""
        field = self.until_seen(name)
        field.setFocus()
        field.selectAll()
        self.type(text)

    def choose(self, name: str, value: str) -> None:
        """One of a box's choices, by its value, once the box has it."""
        self.until(lambda: self.seen(name) and self.part(name).findData(value) >= 0)
        box = self.part(name)
        box.setFocus()
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())

    def enter_row(self, list_name: str, text: str) -> None:
        """Enter on the row with this text."""
        listed = self.part(list_name)
        listed.setCurrentItem(listed.findItems(text, Qt.MatchFlag.MatchExactly)[0])
        listed.setFocus()
        QTest.keyClick(listed, Key.Key_Return)

    def pick_row(self, list_name: str, text: str) -> None:
        """The same, once the list has it: a list may be seen before its last row comes."""
        self.until(lambda: text in self.rows(list_name))
        self.enter_row(list_name, text)

    # What is waited for.

    def until(self, condition: Callable[[], Any], limit_ms: int = LIMIT_MS) -> None:
        """Lets the window live until it is so; else what stands on the screen is told."""
        deadline = QDeadlineTimer(limit_ms)
        while not condition():
            assert not deadline.hasExpired(), f"not within {limit_ms} ms; the screen says {self.words()}"
            let_live(STEP_MS)

    def until_seen(self, name: str, limit_ms: int = LIMIT_MS) -> Any:
        """The part, once it can be seen."""
        self.until(lambda: self.seen(name), limit_ms)
        return self.part(name)

    def until_says(self, name: str, text: str, limit_ms: int = LIMIT_MS) -> None:
        """A part of this name says this."""
        self.until(lambda: text in self.says(name), limit_ms)

    def settle(self) -> None:
        """Lets the window do all that is due now: layouts (each wrapped text may move the next), repaints, signals."""
        for _ in range(4):
            QApplication.processEvents()


def ticking(part: QObject) -> list[QTimer]:
    """The timers of a part's own that run now: a part that nobody sees has none."""
    own = part.findChildren(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [each for each in own if each.isActive()]


def pass_a_tick(part: QObject) -> None:
    """The part's one timer that runs comes to its end now."""
    (tick,) = ticking(part)
    tick.timeout.emit()


class ActiveWindow(Driver):
    """Whatever window has the keyboard."""

    def __init__(self) -> None:
        """There may be none yet."""

    @property
    def window(self) -> QWidget:
        """The one that has it now."""
        window = QApplication.activeWindow()
        assert window is not None, "no window of ours has the keyboard"
        return window

    def _focused(self) -> QWidget:
        focused = QApplication.focusWidget()
        assert focused is not None, "nothing has the focus"
        return focused
