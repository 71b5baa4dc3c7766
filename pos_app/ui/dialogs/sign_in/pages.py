"""The four pages of the sign-in: names, code, passcode, choice of a passcode. Each only shows and asks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.people import Person
from pos_app.i18n.words.passcode import words as passcode_words
from pos_app.i18n.words.sign_in import words
from pos_app.ui.dialogs.parts.lines import button_row, column, heading, title_row
from pos_app.ui.dialogs.sign_in.code_entry import CodeEntry
from pos_app.ui.dialogs.sign_in.language_row import LanguageRow
from pos_app.ui.dialogs.sign_in.passcode_choice import PasscodeChoice
from pos_app.ui.dialogs.sign_in.passcode_entry import PasscodeEntry
from pos_app.ui.dialogs.sign_in.people_list import PeopleList
from pos_app.ui.theme.theme import is_low
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.rows import MOST_ROWS


class NamesPage(QWidget):
    """Who is at the till?"""

    def __init__(self, people: Sequence[Person], hint: str) -> None:
        super().__init__()
        self.people = PeopleList(people)
        self.nobody = Label(words.NOBODY_LISTED, wrap=True, name="nobody_listed")
        self.hint = Label(hint, "body", "muted", wrap=True, name="names_hint")
        self.languages = LanguageRow()
        title = heading(words.TITLE, "sign_in_title")
        column(self, title, self.hint, self.people, self.nobody, self.languages, spacing=S3)
        self.setFocusProxy(self.people)
        self._show_whether_listed()

    def show_people(self, people: Sequence[Person]) -> None:
        """Another list."""
        self.people.show_people(people)
        self._leave_room()
        self._show_whether_listed()

    def showEvent(self, event: QShowEvent) -> None:
        """Now it has a window."""
        super().showEvent(event)
        self._leave_room()

    def _leave_room(self) -> None:
        """A long list is shorter in a low window: whoever cannot read the names' page must see their language."""
        if self.people.count() >= MOST_ROWS:
            self.people.fit_rows(MOST_ROWS - 1 if is_low(self.window()) else MOST_ROWS)

    def _show_whether_listed(self) -> None:
        is_listed = self.people.count() > 0
        self.people.setVisible(is_listed)
        self.hint.setVisible(is_listed)
        self.nobody.setVisible(not is_listed)


class CodePage(QWidget):
    """The six digits of an SMS."""

    def __init__(self) -> None:
        super().__init__()
        self.entry = CodeEntry()
        self.back = _back()
        self.passcode_instead = Button(
            passcode_words.BY_PASSCODE, name="passcode_instead", kind="quiet", icon="key"
        ).padded(S3)
        self.passcode_instead.hide()
        title = title_row(heading(words.CODE_TITLE, "code_title"), self.back)
        other = button_row(way_back=self.passcode_instead)
        column(self, title, self.entry, other, spacing=S3)
        self.setFocusProxy(self.entry)


class PasscodePage(QWidget):
    """Somebody's passcode. `locked`: it unlocks what they, or somebody else, locked."""

    def __init__(self, *, locked: bool) -> None:
        super().__init__()
        self.locked = locked
        self.entry = PasscodeEntry()
        self.back = _back()
        title = title_row(heading(passcode_words.TITLE, "passcode_title"), self.back)
        column(self, title, self.entry, spacing=S3)
        self.setFocusProxy(self.entry)

    def ask(self, name: str) -> None:
        """A fresh page for this person."""
        self.back.setEnabled(True)
        hint = passcode_words.HINT_LOCKED if self.locked else passcode_words.HINT
        verb = passcode_words.UNLOCK if self.locked else passcode_words.SIGN_IN
        self.entry.ask(hint.format(name=name), verb)


class ChoicePage(QWidget):
    """A passcode of their own, at the first sign-in."""

    def __init__(self) -> None:
        super().__init__()
        self.entry = PasscodeChoice()
        self.back = _back()
        title = title_row(heading(passcode_words.CHOOSE_TITLE, "choice_title"), self.back)
        column(self, title, self.entry, spacing=S3)
        self.setFocusProxy(self.entry)


def _back() -> Button:
    return Button(words.BACK, name="someone_else", kind="quiet", icon="back")
