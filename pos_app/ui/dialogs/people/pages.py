"""The pages of the people panel: the list, one person, the code from a new number. Each only shows and asks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.domain.people import Person
from pos_app.i18n.words.people import words
from pos_app.i18n.words.sign_in import words as sign_in_words
from pos_app.ui.dialogs.parts.lines import button_row, column, heading, title_row
from pos_app.ui.dialogs.people.acts import ACTS, SHOWN_NAME
from pos_app.ui.dialogs.sign_in.code_entry import CodeEntry
from pos_app.ui.dialogs.sign_in.people_list import PeopleList
from pos_app.ui.theme.tokens import S2, S3, S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.button_row import ButtonRow
from pos_app.ui.widgets.clean import clean
from pos_app.ui.widgets.label import RIGHT, Label


class ListPage(QWidget):
    """Everybody, enabled or not; `done` says what was just done."""

    def __init__(self, people: Sequence[Person]) -> None:
        super().__init__()
        self.people = PeopleList(
            people, name="staff", accessible=words.TITLE, everybody=True, second=words.line_of
        )
        self.count = Label("", "second", "muted", align=RIGHT, name="staff_count")
        self.done = Label("", "body", "ok", wrap=True, name="staff_done")
        self.done.hide()
        self.enrol = Button(words.ENROL, name="staff_enrol", kind="primary", icon="person")
        self.close_button = Button(words.CLOSE, name="staff_close", keycap="Esc")
        title = title_row(heading(words.TITLE, "staff_title"), self.count)
        hint = Label(words.HINT, "body", "muted", wrap=True, name="staff_hint")
        row = button_row(self.enrol, way_back=self.close_button)
        column(self, title, hint, self.done, self.people, row, spacing=S3)
        self.setFocusProxy(self.people)
        self.show_people(people)

    def show_people(self, people: Sequence[Person]) -> None:
        """Another list."""
        self.people.show_people(people)
        self.count.setText(words.count(len(people)))

    def tell(self, done: str) -> None:
        """What was just done, "" for nothing."""
        self.done.setText(done)
        self.done.setVisible(bool(done))


class PersonPage(QWidget):
    """One person; `wanted(key)` of an act."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.title = Label("", "title", wrap=True, name="person_title")
        self.back = Button(words.BACK, name="person_back", kind="quiet", icon="back", pad=S3)
        self.done = Label("", "body", "ok", wrap=True, name="person_done")
        self.done.hide()
        facts = QWidget()
        grid = QGridLayout(facts)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(S4)
        grid.setVerticalSpacing(S2)
        grid.setColumnStretch(1, 1)
        names = (words.ROW_ROLE, words.ROW_NUMBER, words.ROW_PASSCODE, words.ROW_LANGUAGE, words.ROW_STATE)
        self.facts = tuple(
            Label("", "strong", wrap=True, name=f"person_fact_{at}") for at in range(len(names))
        )
        for at, (name, fact) in enumerate(zip(names, self.facts, strict=True)):
            grid.addWidget(Label(name, "second", "muted"), at, 0)
            grid.addWidget(fact, at, 1)
        self.buttons = ButtonRow("person_acts")
        self._acts = {act.key: self._button(act.key, act.said().button, danger=act.danger) for act in ACTS}
        column(self, title_row(self.title, self.back), self.done, facts, self.buttons, spacing=S4).addStretch(
            1
        )
        self.setFocusProxy(self._acts["rename"])

    def show_person(self, person: Person, done: str = "") -> None:
        """This one, as they now are."""
        self.title.setText(clean(person.name, 3 * SHOWN_NAME))
        state = words.YES if person.enabled else words.NO
        told = (
            sign_in_words.ROLE[person.role],
            person.number_mask,
            words.passcode_of(person),
            words.language_of(person.language),
            state,
        )
        for fact, text in zip(self.facts, told, strict=True):
            fact.setText(text)
        self.done.setText(done)
        self.done.setVisible(bool(done))
        self.buttons.set_parts([self._acts[act.key] for act in ACTS if act.applies(person)])

    def act_button(self, key: str) -> Button:
        """An act's button, for the focus that comes back."""
        return self._acts[key]

    def _button(self, key: str, text: str, *, danger: bool) -> Button:
        button = Button(text, name=f"person_{key}", kind="danger" if danger else "plain")
        button.clicked.connect(lambda: self.wanted.emit(key))
        return button


class NumberCodePage(QWidget):
    """The six digits that prove a new number."""

    def __init__(self) -> None:
        super().__init__()
        self.entry = CodeEntry()
        self.entry.sign_in.setText(words.CONFIRM_CODE)
        self.back = Button(words.OTHER_NUMBER, name="other_number", kind="quiet", icon="back", pad=S3)
        column(
            self, title_row(heading(words.CODE_TITLE, "number_code_title"), self.back), self.entry, spacing=S3
        )
        self.setFocusProxy(self.entry)
