"""Brings the keys to a field that was touched, and keeps them off it. One for a window; it confirms nothing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from pos_app.i18n.table import spoken
from pos_app.ui.garbage import while_whole
from pos_app.ui.keyboard.keyboard import LEAST_WIDTH, Keyboard
from pos_app.ui.widgets.field import LineEdit
from pos_app.ui.widgets.in_view import bring_into_view
from pos_app.ui.widgets.overlay import OverlayHost, focusable
from pos_app.ui.widgets.text_area import TextArea
from pos_app.ui.widgets.touched_fields import FieldTouched

TypingField = LineEdit | TextArea
"""Whatever is typed into."""

KeysWanted = Callable[[bool], bool]
"""Whether a field that is touched brings the keys; True: it was touched by a finger."""


class ScreenKeyboard(QObject):
    """Watches one window's fields. `keep_clear(height)`: so much at the bottom is the keys' now, 0 for none.

    They come when a field is touched, not when it gets the keyboard by itself: a list that has just been opened is
    not covered before somebody wants to type. Passcodes, codes and wallet numbers have keys of their own.
    """

    def __init__(self, window: QWidget, wanted: KeysWanted, keep_clear: Callable[[int], None]) -> None:
        super().__init__(window)
        self._window = window
        self._wanted = wanted
        self._keep_clear = keep_clear
        self._edit: TypingField | None = None
        self._board: Keyboard | None = None
        self._waits_for_release = self._is_stopped = False
        window.installEventFilter(self)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_went)
            application.focusWindowChanged.connect(self._window_went)

    def stop(self) -> None:
        """The window goes: nothing is listened to any more."""
        if self._is_stopped:
            return
        self._is_stopped = True
        self.put_away()
        self._wait_for_release(waits=False)
        self._window.removeEventFilter(self)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.disconnect(self._focus_went)
            application.focusWindowChanged.disconnect(self._window_went)

    @property
    def is_up(self) -> bool:
        """Whether the keys are on the screen."""
        return self._board is not None and not self._board.isHidden()

    @while_whole
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A field was touched, or is gone; the window has another size."""
        kind = event.type()
        if isinstance(event, FieldTouched):
            edit = event.edit
            if not isinstance(edit, TypingField) or not isValid(edit):
                return False
            if edit.isVisible() and not edit.has_own_keys and self._wanted(event.by_finger):
                self._serve(edit)
        elif watched is self._window and kind == QEvent.Type.Resize and self.is_up:
            self._place()
        elif watched is self._edit and kind in (QEvent.Type.Hide, QEvent.Type.EnabledChange):
            QTimer.singleShot(0, self, self._look_whether_served)
        elif kind == QEvent.Type.MouseButtonRelease and self._waits_for_release:
            self._wait_for_release(waits=False)
            QTimer.singleShot(0, self, self._look_whether_served)
        return False

    def put_away(self) -> None:
        """No keys any more, until a field is touched again."""
        if self._edit is not None and isValid(self._edit):
            self._edit.removeEventFilter(self)
        self._edit = None
        if self._board is not None and not self._board.isHidden():
            self._board.hide()
            self._keep_clear(0)

    def _serve(self, edit: TypingField) -> None:
        if self._edit is not None and isValid(self._edit):
            self._edit.removeEventFilter(self)
        self._edit = edit
        edit.installEventFilter(self)
        board = self._board or self._made()
        board.serve(edit.takes, others=len(self._fields(edit)) > 1)
        board.show()
        board.raise_()
        self._place()

    def _made(self) -> Keyboard:
        self._board = board = Keyboard(spoken(), self._window)
        if self._window.width() < LEAST_WIDTH:
            # Beside the till stands a window as narrow as a phone: its keys stand before it, on the screen.
            board.setWindowFlags(
                Qt.WindowType.Tool
                | Qt.WindowType.FramelessWindowHint
                | Qt.WindowType.WindowStaysOnTopHint
                | Qt.WindowType.WindowDoesNotAcceptFocus
            )
            board.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            # A sandbox's says so, too.
            board.setWindowTitle(self._window.windowTitle())
        board.typed.connect(self._type)
        board.erased.connect(lambda: self._type(""))
        board.next_wanted.connect(self._go_on)
        board.done.connect(self.put_away)
        return board

    def _type(self, sign: str) -> None:
        edit = self._edit
        if edit is not None and isValid(edit) and edit.isEnabled() and not edit.isReadOnly():
            edit.type_over(sign)

    def _fields(self, edit: TypingField) -> list[TypingField]:
        """The fields beside it that keys can be brought to."""
        around: QWidget | None = edit
        while around is not None and not isinstance(around.parentWidget(), OverlayHost | None):
            around = around.parentWidget()
        scope = around or self._window
        return [each for each in focusable(scope) if isinstance(each, TypingField) and not each.has_own_keys]

    def _go_on(self) -> None:
        """To the next field, and round."""
        if self._edit is None:
            return
        fields = self._fields(self._edit)
        if self._edit in fields:
            following = fields[(fields.index(self._edit) + 1) % len(fields)]
            following.setFocus(Qt.FocusReason.TabFocusReason)
            self._serve(following)

    def _focus_went(self, _from: QWidget | None, to: QWidget | None) -> None:
        if not self.is_up or to is None or to.window() is not self._window or to is self._edit:
            return
        if isinstance(to, TypingField) and not to.has_own_keys:
            self._serve(to)
        elif QGuiApplication.mouseButtons():
            # Nothing moves away under a finger that is on its way to a button.
            self._wait_for_release(waits=True)
        else:
            QTimer.singleShot(0, self, self._look_whether_served)

    def _window_went(self, _to: QWindow | None) -> None:
        """Keys that stand apart would stay over whatever somebody goes on with."""
        if self._board is not None and self._board.isWindow() and self.is_up:
            # Once it has gone: some desktops give the keyboard to the keys, and take it from all for a moment.
            QTimer.singleShot(0, self, self._look_whether_in_front)

    def _look_whether_in_front(self) -> None:
        if QApplication.activeWindow() not in (self._window, self._board):
            self.put_away()

    def _wait_for_release(self, *, waits: bool) -> None:
        self._waits_for_release = waits
        application = QApplication.instance()
        if application is not None and waits:
            application.installEventFilter(self)
        elif application is not None:
            application.removeEventFilter(self)

    def _look_whether_served(self) -> None:
        edit = self._edit
        is_there = edit is not None and isValid(edit) and edit.isVisible() and edit.isEnabled()
        if not is_there or self._window.focusWidget() is not edit:
            self.put_away()

    def _place(self) -> None:
        board, edit = self._board, self._edit
        if board is None or edit is None:
            return
        if board.isWindow():
            room = self._window.screen().availableGeometry()
            size = board.place(min(room.width(), 2 * LEAST_WIDTH), room.height())
            field = QRect(edit.mapToGlobal(QPoint(0, 0)), edit.size())
            board.setGeometry(_beside(room, size, field))
            return
        size = board.place(self._window.width(), self._window.height())
        self._keep_clear(size.height())
        board.setGeometry(QRect(0, self._window.height() - size.height(), size.width(), size.height()))
        # Once what makes room has laid itself out.
        QTimer.singleShot(0, self, self._keep_off)

    def _keep_off(self) -> None:
        """The field is scrolled into what is left; one that cannot be has the keys above it."""
        board, edit = self._board, self._edit
        if board is None or edit is None or not isValid(edit) or board.isHidden():
            return
        bring_into_view(edit)
        field = QRect(edit.mapTo(self._window, QPoint(0, 0)), edit.size())
        board.setGeometry(_beside(self._window.rect(), board.size(), field))


def _beside(room: QRect, size: QSize, field: QRect) -> QRect:
    """At the bottom of the room, or at its top where it would cover the field there."""
    place = QRect(QPoint(0, 0), size)
    place.moveLeft(room.x() + (room.width() - size.width()) // 2)
    place.moveBottom(room.bottom())
    if place.intersects(field):
        place.moveTop(room.top())
    return place
