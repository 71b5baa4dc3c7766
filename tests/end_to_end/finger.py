"""A till worked by one finger: touches on what can be seen, at its place on the glass. No key is ever pressed."""

from __future__ import annotations

from functools import cache
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.till import PASSCODE, StartedTill

_NAMED = {" ": "space", "-": "hyphen", ".": "point"}


@cache
def touch_screen() -> Any:
    """One for the process: Qt keeps each that was ever made."""
    return QTest.createTouchDevice()


class Finger(StartedTill):
    """`touch` and what is made of it. Whatever types or presses keys is refused."""

    def touch(self, name: str) -> None:
        """The middle of it, once it can be seen and pressed; what the keys stand before, they are put away from."""
        self.until(lambda: self._is_met(name))
        part = self.part(name)
        if not self._hit(part, part.rect().center()) and self.seen("board_done"):
            self.touch("board_done")
        self.touch_at(part, part.rect().center())

    def _is_met(self, name: str) -> bool:
        """What has just come, or makes room for something else, is touched once it stands in its place."""
        part = self.find(name)
        if part is None or not part.isEnabled():
            return False
        return self._hit(part, part.rect().center()) or self.seen("board_done")

    def touch_at(self, part: QWidget, at: QPoint) -> None:
        """Down and up again at one place of a part."""
        # What has just come stands in its place first: no finger is as soon.
        self.settle()
        self.until(lambda: self._hit(part, at))
        window = part.window()
        place = part.mapTo(window, at)
        # Nothing comes between the two: what the engine tells just then may move the key away from under the finger,
        # and a key that was touched where it stood would be lost by chance.
        QTest.touchEvent(window, touch_screen()).press(0, place, window).commit(False)
        QTest.touchEvent(window, touch_screen()).release(0, place, window).commit()
        for _ in range(3):
            QApplication.processEvents()

    def _hit(self, part: QWidget, at: QPoint) -> bool:
        """Whether a finger there meets this part."""
        window = part.window()
        hit = window.childAt(part.mapTo(window, at))
        return hit is not None and (hit is part or part.isAncestorOf(hit))

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """There is no keyboard."""
        raise AssertionError(f"no key {held}+{key} is pressed by a finger")

    def type(self, text: str) -> None:
        """There is no keyboard."""
        raise AssertionError(f"{text!r} is not typed by a finger")

    def pick_row(self, list_name: str, text: str) -> None:
        """A touch on the row with this text."""
        self.until(lambda: text in self.rows(list_name))
        listed = self.part(list_name)
        item = listed.findItems(text, Qt.MatchFlag.MatchExactly)[0]
        self.touch_at(listed.viewport(), listed.visualItemRect(item).center())

    def choose(self, name: str, value: str) -> None:
        """From a list that opens under the finger."""
        self.touch(name)
        box = self.part(name)
        view = box.view()
        self.until(view.isVisible)
        index = box.model().index(box.findData(value), 0)

        places: list[QPoint] = []

        def picked() -> bool:
            """Once the row stands still."""
            if box.currentData() == value:
                return True
            view.scrollTo(index)
            places.append(view.visualRect(index).center())
            if view.isVisible() and places[-2:-1] == places[-1:]:
                self.touch_at(view.viewport(), places[-1])
            return False

        self.until(picked)

    def write(self, name: str, text: str) -> None:
        """By the keys on the screen, which leave the field to be seen."""
        self.touch(name)
        self.until_seen("screen_keyboard")
        edit = self.part(name)
        board = self.part("screen_keyboard")
        field = QRect(edit.mapTo(self.window, QPoint(0, 0)), edit.size())
        assert not field.intersects(board.geometry()), f"{name} is covered"
        assert edit.visibleRegion().boundingRect().height() == edit.height(), f"{name} is not seen whole"
        while edit.text():
            self.touch("board_backspace")
        for sign in text:
            self._write(sign)
        assert edit.text() == text

    def _write(self, sign: str) -> None:
        key = f"board_{_NAMED.get(sign, sign)}"
        if self.seen(key):
            self.touch(key)
            return
        self.touch("board_shift")
        if self.seen(key):
            self.touch(key)
            return
        # Once more keeps it, and a third time ends it.
        self.touch("board_shift")
        self.touch("board_shift")
        self.touch("board_signs")
        self.touch(key)
        self.touch("board_signs")

    def tap_digits(self, pad: str, digits: str) -> None:
        """On the keypad beside a passcode or a code."""
        self.until(lambda: self.seen(pad) and self.part(pad).isEnabled())
        for digit in digits:
            keys = [
                each for each in self.part(pad).findChildren(QWidget, f"digit_{digit}") if each.isVisible()
            ]
            self.touch_at(keys[0], keys[0].rect().center())

    def tap_amount(self, amount: str) -> None:
        """On the keypad beside the amount."""
        for character in amount:
            self.touch("key_point" if character == "." else f"key_{character}")

    def choose_passcode(self, passcode: str = PASSCODE) -> None:
        """Twice, as it is asked for."""
        for field in ("new_passcode", "passcode_again"):
            self.until(lambda field=field: self.takes(field))  # type: ignore[misc]
            self.tap_digits("choice_pad", passcode)
            # Else the screen says much later that the two are not the same, and nobody knows which key was lost.
            assert self.part(field).text() == passcode, field
            self.touch("save_passcode")

    def give_code(self, number: str) -> None:
        """The newest code that came to this number."""
        self.until(lambda: self.takes("code") and self.sandbox.sms(number))
        self.tap_digits("code_pad", str(self.sandbox.sms(number)[0]["code"]))
