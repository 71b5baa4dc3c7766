"""F10: what a manager does at this till. It opens nothing itself and checks no right."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.i18n.words.manager import words
from pos_app.i18n.words.store import words as store_words
from pos_app.ui.dialogs.parts.lines import Panel, column, heading, title_row
from pos_app.ui.dialogs.sign_in.person_menu import MenuRow
from pos_app.ui.theme.tokens import S1
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label


class Item(StrEnum):
    """A row of the menu; its object name, too."""

    DAY = "manager_day"
    HISTORY = "manager_history"
    PEOPLE = "manager_people"
    SETTINGS = "manager_settings"
    DONE = "manager_done"
    DIAGNOSTICS = "manager_diagnostics"
    IDENTITY = "manager_identity"
    PUT_OFF = "manager_put_off"
    LEAVE = "manager_leave"
    STORE = "manager_join"


_ICONS = {
    Item.DAY: "list",
    Item.HISTORY: "list",
    Item.PEOPLE: "person",
    Item.SETTINGS: "gear",
    Item.STORE: "shop",
    Item.DONE: "list",
    Item.DIAGNOSTICS: "help",
    Item.IDENTITY: "lock",
    Item.PUT_OFF: "late",
    Item.LEAVE: "leave",
}
_OWN = (Item.HISTORY, Item.PEOPLE, Item.STORE, Item.DONE)
"""Only with a manager signed in; the others a manager may allow beside a cashier."""


class ManagersMenu(Panel):
    """`chosen(Item)`, `closed`. `items`: what this till has; `is_manager`: one is signed in; `store`: how it stands
    with the central store, "" for a counter that has none.
    """

    chosen = Signal(object)
    closed = Signal()

    def __init__(
        self, items: tuple[Item, ...], *, is_manager: bool, store: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("managers_menu")
        self.rows = {item: self._row(item, is_manager=is_manager) for item in items}
        close = Button(words.CLOSE, name="manager_close", keycap="Esc")
        title = title_row(heading(words.TITLE, "manager_title"), close)
        said = (Label(store, "second", "muted", wrap=True, name="manager_store"),) if store else ()
        column(self, title, *self.rows.values(), *said, spacing=S1)
        first = next((row for row in self.rows.values() if row.isEnabled()), close)
        self.setFocusProxy(first)
        close.clicked.connect(self.closed)

    def _row(self, item: Item, *, is_manager: bool) -> MenuRow:
        text, more = _words(item)
        if not is_manager:
            more = _for_a_cashier(item, more)
        row = MenuRow(text, more, name=item.value, icon=_ICONS[item])
        row.setEnabled(is_manager or item not in _OWN)
        row.clicked.connect(lambda: self.chosen.emit(item))
        return row


def _for_a_cashier(item: Item, more: str) -> str:
    if item is Item.DAY:
        return words.DAY_OWN
    if item is Item.SETTINGS:
        return more
    return words.ONLY_SIGNED_IN if item in _OWN else words.ALLOWS


def _words(item: Item) -> tuple[str, str]:
    return {
        Item.DAY: (words.DAY, words.DAY_MORE),
        Item.HISTORY: (words.HISTORY, words.HISTORY_MORE),
        Item.PEOPLE: (words.PEOPLE, words.PEOPLE_MORE),
        Item.SETTINGS: (words.SETTINGS, words.SETTINGS_MORE),
        Item.STORE: (store_words.TITLE, store_words.MENU_MORE),
        Item.DONE: (words.DONE, words.DONE_MORE),
        Item.DIAGNOSTICS: (words.DIAGNOSTICS, words.DIAGNOSTICS_MORE),
        Item.IDENTITY: (words.IDENTITY, words.IDENTITY_MORE),
        Item.PUT_OFF: (words.PUT_OFF, words.PUT_OFF_MORE),
        Item.LEAVE: (words.LEAVE, words.LEAVE_MORE),
    }[item]
