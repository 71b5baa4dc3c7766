"""Where a key goes: to the amount, to a text field, or to what it asks for. Holds no table of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from pos_app.domain.attempt import Kind
from pos_app.domain.money import SEPARATORS
from pos_app.ui.key_sets import COMMANDS
from pos_app.ui.till.amount.amount_entry import PLUS, POINT
from pos_app.ui.till.amount.keypad import BACKSPACE, CLEAR
from pos_app.ui.till.payment.actions import PaymentActions
from pos_app.ui.till.payment.panel_model import Act
from pos_app.ui.till.window.dialog_opener import DialogOpener
from pos_app.ui.till.window.keys import Action, action_of
from pos_app.ui.till.window.manager_menu import ManagerMenu
from pos_app.ui.till.window.parts import InFront, Parts
from pos_app.ui.widgets.field import LineEdit

_AMOUNT = frozenset("0123456789") | frozenset(SEPARATORS)
_SIGNS = frozenset(f"{PLUS}-*/=%")


class KeyRouting:
    """One for the window; the keypad's taps take the same way as the keyboard's digits."""

    def __init__(
        self,
        parts: Parts,
        actions: PaymentActions,
        dialogs: DialogOpener,
        manager_menu: ManagerMenu,
        print_last: Callable[[], None],
        in_front: InFront,
    ) -> None:
        self._pad = parts.pad
        self._panels = parts.panels
        self._parked = parts.parked
        self._actions = actions
        self._dialogs = dialogs
        self._manager_menu = manager_menu
        self._print_last = print_last
        self._lock_screen, self._overlay, self._prompts = in_front

    def press(self, event: QKeyEvent) -> bool:
        """A key nobody wanted; whether it meant something."""
        if self._lock_screen.is_up:
            # What is no key of a till's is no affair of the lock's either.
            return not event.modifiers() & COMMANDS
        if event.matches(QKeySequence.StandardKey.Paste) and self._overlay.top is None:
            self._paste()
            return True
        if event.modifiers() & COMMANDS:
            return False
        action = action_of(event.key())
        if action is Action.LOCK:
            self._lock_screen.lock()
            return True
        if self._overlay.top is not None:
            return self._press_behind(event, action)
        if action is Action.DELETE:
            self._delete(event.key())
            return True
        if action is not None:
            if not event.isAutoRepeat():
                self._do(action)
            return True
        return self._type(_character(event))

    def tap(self, character: str) -> None:
        """A key of the keypad: into the text field that has the focus, else the amount."""
        edit = self._pad.window().focusWidget()
        if not isinstance(edit, LineEdit):
            self._pad.clear() if character == CLEAR else self._type(character)
        elif character == BACKSPACE:
            edit.type_over("")
        elif character == CLEAR:
            edit.selectAll()
            edit.type_over("")
        elif character not in SEPARATORS:
            edit.type_over(character)

    def _press_behind(self, event: QKeyEvent, action: Action | None) -> bool:
        """Behind an overlay only the amount moves, and only under an alert that nobody asked for."""
        if action is Action.BACK and not event.isAutoRepeat():
            self._overlay.close_top()
        elif self._prompts.alert_is_up and action is Action.DELETE:
            self._delete(event.key())
        elif self._prompts.alert_is_up:
            self._type(_character(event))
        return True

    def _type(self, character: str) -> bool:
        """A digit begins the next sale; what is no part of an amount is refused where one is typed, or was meant."""
        if character in (BACKSPACE, POINT) or (character and _AMOUNT.issuperset(character)):
            self._actions.next_sale()
        elif not self._is_for_amount(character):
            return False
        self._pad.type(character)
        return True

    def _is_for_amount(self, character: str) -> bool:
        if not character.isprintable() or not character:
            return False
        return character in _SIGNS or not self._pad.is_empty

    def _paste(self) -> None:
        """An amount from the shop's own program. A field reads what Qt keeps; it is never seen."""
        field = LineEdit("pasted", "")
        field.paste()
        text = field.text()
        field.deleteLater()
        self._actions.next_sale()
        self._pad.paste(text)

    def _delete(self, key: int) -> None:
        if key == Qt.Key.Key_Delete:
            self._pad.clear()
        else:
            self._pad.type(BACKSPACE)

    def _do(self, action: Action) -> None:
        match action:
            case Action.QR:
                self._actions.charge(Kind.QR)
            case Action.PUSH:
                self._actions.charge(Kind.PUSH)
            case Action.ENTER:
                self._enter()
            case Action.BACK:
                self._back()
            case Action.FIND:
                self._dialogs.open_found()
            case Action.CHECK:
                self._actions.do(Act.CHECK)
            case Action.PARK:
                self._park()
            case Action.NOTE:
                self._parked.ask_note()
            case Action.INVOICE:
                self._pad.open_invoice()
            case Action.OPEN:
                self._dialogs.open_payments()
            case Action.MANAGER:
                self._manager_menu.open_menu()
            case Action.PRINT:
                self._print_last()
            case Action.HELP:
                self._dialogs.open_help()

    def _park(self) -> None:
        """Puts the payment on the panel aside; with none there, the next that waits comes back."""
        if Act.PARK in self._actions.offered():
            self._actions.do(Act.PARK)
        elif self._panels.current is not self._panels.push:
            self._parked.bring_next()

    def _enter(self) -> None:
        """The default method for a typed amount; it never repeats a sale by itself."""
        if self._panels.current is self._panels.push and self._panels.push is not None:
            self._panels.push.send.click()
        elif self._pad.is_empty and self._actions.offered():
            self._actions.next_sale()
        else:
            self._actions.charge_by_default()

    def _back(self) -> None:
        if self._pad.undo_scan():
            return
        if self._panels.current is self._panels.push and self._panels.push is not None:
            self._panels.push.back.click()
        elif not self._pad.is_empty:
            self._pad.clear()
        elif self._panels.methods.ended.isVisible():
            self._panels.methods.ended.put_away.emit()
        else:
            self._actions.back()


def _character(event: QKeyEvent) -> str:
    """What a key types. The numeric keypad's decimal key means the point, whatever is printed on it."""
    on_keypad = bool(event.modifiers() & Qt.KeyboardModifier.KeypadModifier)
    return POINT if on_keypad and event.text() in SEPARATORS else event.text()
