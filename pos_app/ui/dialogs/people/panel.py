"""The list of people for a manager: enrol, change, disable. It posts commands."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.domain.commands import SubmitOtp
from pos_app.domain.people import LONGEST_NAME, Person
from pos_app.domain.staff import Enrol, LeaveEnrolment, Renumber
from pos_app.domain.views import Purpose, SignIn, SignInStep, StaffAnswered, Terminal
from pos_app.i18n.words.people import words
from pos_app.i18n.words.sign_in import words as code_words
from pos_app.i18n.words.sign_in import words as sign_in_words
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, focus, heading, title_row
from pos_app.ui.dialogs.people.acts import ACTS, Forms, PersonAct, command_of, enrol_of
from pos_app.ui.dialogs.people.staff_question import StaffQuestion
from pos_app.ui.dialogs.sign_in.code_entry import CodeEntry
from pos_app.ui.dialogs.sign_in.people_list import PeopleList
from pos_app.ui.dialogs.sign_in.steps import Picture, picture
from pos_app.ui.post import Post, name_request
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
        title = title_row(heading(words.TITLE, "staff_title"), self.count, self.close_button)
        hint = Label(words.HINT, "body", "muted", wrap=True, name="staff_hint")
        row = button_row(self.enrol)
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
        self.back = Button(words.BACK, name="person_back", kind="quiet", icon="back").padded(S3)
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
        self.title.setText(clean(person.name, 3 * LONGEST_NAME))
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
        self.back = Button(words.OTHER_NUMBER, name="other_number", kind="quiet", icon="back").padded(S3)
        column(
            self, title_row(heading(words.CODE_TITLE, "number_code_title"), self.back), self.entry, spacing=S3
        )
        self.setFocusProxy(self.entry)


_ACT = {act.key: act for act in ACTS}


class PeoplePanel(Panel):
    """`receive` what the engine publishes. `closed` when it is to go away."""

    closed = Signal()

    def __init__(
        self,
        people: Sequence[Person],
        forms: Forms,
        post: Post,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("people_panel")
        self._forms = forms
        self._post = post
        self._people = {person.person_id: person for person in people}
        self._person_id = ""
        self._act: PersonAct | None = None
        self._asked: Enrol | Renumber | None = None
        self._under_way = ""
        self._proving = ""
        self._question: StaffQuestion | None = None
        self._list = ListPage(people)
        self._person = PersonPage()
        self._code = NumberCodePage()
        self._room = column(self, self._list, self._person, self._code)
        self._connect()
        self._show(self._list)

    def _connect(self) -> None:
        self._list.people.picked.connect(self._pick)
        self._list.enrol.clicked.connect(self._enrol)
        self._list.close_button.clicked.connect(self.closed)
        self._person.wanted.connect(self._ask)
        self._person.back.clicked.connect(self._to_list)
        self._code.entry.submitted.connect(self._submit)
        self._code.entry.resend_wanted.connect(self._send_again)
        self._code.back.clicked.connect(self._give_up)

    def receive(self, published: Terminal | SignIn | StaffAnswered) -> None:
        """The list follows the terminal; answers go to the question they belong to."""
        match published:
            case Terminal():
                self._take_people(published.people)
            case SignIn():
                self._take_code(published)
            case StaffAnswered():
                self._take_answer(published)

    def leave(self) -> None:
        """The panel goes: what was begun and not proved is given up."""
        if self._proving:
            self._proving = ""
            self._post(LeaveEnrolment())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads one page back; from the list out."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
            return
        event.accept()
        if event.isAutoRepeat():
            return
        if not self._code.isHidden():
            self._code.back.click()
        elif not self._person.isHidden():
            self._to_list()
        else:
            self.closed.emit()

    def _take_people(self, people: Sequence[Person]) -> None:
        if tuple(self._people.values()) == tuple(people):
            return
        self._people = {person.person_id: person for person in people}
        self._list.show_people(people)
        person = self._people.get(self._person_id)
        if person is not None:
            self._person.show_person(person, self._person.done.text())
        elif self._person_id and self._question is None:
            self._to_list()

    def _pick(self, person_id: str) -> None:
        person = self._people.get(person_id)
        if person is not None:
            self._person_id = person_id
            self._person.show_person(person)
            self._show(self._person)

    def _to_list(self) -> None:
        self._person_id = ""
        self._list.tell("")
        self._show(self._list)

    def _enrol(self) -> None:
        self._act = None
        self._put(self._forms.enrolment())

    def _ask(self, key: str) -> None:
        person = self._people.get(self._person_id)
        if person is not None:
            self._act = _ACT[key]
            self._put(self._forms.question(self._act, person))

    def _put(self, question: StaffQuestion) -> None:
        self._drop_question()
        self._question = question
        question.asked.connect(self._command)
        question.left.connect(self._back_from_question)
        self._room.addWidget(question)
        self._show(question)

    def _command(self, values: dict[str, str]) -> None:
        self._under_way = name_request()
        person = self._people.get(self._person_id)
        if self._act is None or person is None:
            self._asked = enrol_of(values, self._under_way)
            self._post(self._asked)
            return
        command = command_of(self._act, person, values, self._under_way)
        self._asked = command if isinstance(command, Renumber) else None
        self._post(command)

    def _take_answer(self, answered: StaffAnswered) -> None:
        if not answered.request_id or answered.request_id != self._under_way:
            return
        self._under_way = ""
        if answered.problem:
            if self._question is not None:
                self._code.hide()
                self._show(self._question)
                self._question.answer(answered)
            self._proving = ""
        else:
            self._done()

    def _done(self) -> None:
        act, person = self._act, self._people.get(self._person_id)
        self._drop_question()
        if act is None or person is None:
            self._to_list()
            return
        self._person.show_person(person, words.DONE.format(what=act.said().do))
        self._show(self._person)
        button = self._person.act_button(act.key)
        focus(button if button.isVisible() else self._person.back)

    def _take_code(self, seen: SignIn) -> None:
        if seen.purpose is Purpose.SIGN_IN or self._asked is None:
            return
        if seen.person_id:
            self._proving = seen.person_id
        if seen.step is SignInStep.SIGNED_IN and not seen.problem:
            self._proved(seen.number_mask)
            return
        if self._question is not None and self._code.isHidden() and not self._is_about_code(seen):
            self._question.say(picture(Picture(), seen, "").text or words.NOT_DONE)
            return
        self._show(self._code)
        shown = picture(self._code.entry.picture, seen, "", self._forms.whole_number(self._asked.number))
        self._code.entry.show_picture(shown)
        self._code.back.setEnabled(not (shown.sending or shown.checking))
        if shown.is_problem and not shown.may_type and shown.resend_in_s != 0:
            focus(self._code.back)

    @staticmethod
    def _is_about_code(seen: SignIn) -> bool:
        """A code is under way or out; a problem before the first SMS belongs to the form."""
        return seen.step in (SignInStep.SENDING, SignInStep.CODE_SENT, SignInStep.CHECKING)

    def _proved(self, number_mask: str) -> None:
        asked, self._asked = self._asked, None
        self._proving = self._under_way = ""
        self._code.entry.clear()
        self._drop_question()
        if isinstance(asked, Renumber):
            person = self._people.get(asked.person_id)
            if person is not None:
                self._person.show_person(
                    person,
                    words.DONE_NUMBER.format(name=clean(person.name, LONGEST_NAME), mask=number_mask),
                )
                self._show(self._person)
                return
        self._to_list()
        if isinstance(asked, Enrol):
            self._list.tell(words.DONE_ENROLLED.format(name=clean(asked.name, LONGEST_NAME)))

    def _submit(self, code: str) -> None:
        self._code.back.setEnabled(False)
        self._post(SubmitOtp(self._proving, code))

    def _send_again(self) -> None:
        if self._asked is not None:
            self._code.back.setEnabled(False)
            self._post(self._asked)

    def _give_up(self) -> None:
        """Back to the form, which kept its text."""
        self._post(LeaveEnrolment())
        self._proving = self._under_way = ""
        self._asked = None
        self._code.entry.clear()
        self._code.entry.show_picture(Picture(text=code_words.SENDING))
        if self._question is not None:
            self._question.wait(False)
            self._show(self._question)
        else:
            self._to_list()

    def _back_from_question(self) -> None:
        act = self._act
        self._under_way = ""
        self._asked = None
        self._drop_question()
        if act is None or self._person_id not in self._people:
            self._to_list()
            return
        self._show(self._person)
        focus(self._person.act_button(act.key))

    def _drop_question(self) -> None:
        if self._question is not None:
            self._question.hide()
            self._question.setParent(None)
            self._question.deleteLater()
            self._question = None

    def _show(self, wanted: QWidget) -> None:
        # Not a stack: that would be as tall as its tallest page.
        for page in (self._list, self._person, self._code, self._question):
            if page is not None:
                page.setVisible(page is wanted)
        self.setFocusProxy(wanted)
        focus(wanted)
