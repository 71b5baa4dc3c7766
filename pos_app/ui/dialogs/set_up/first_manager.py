"""The first person at this counter: name, mobile number, code by SMS, passcode. It enrols nobody: it posts commands."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.commands import EnrolFirst, SendOtp, SubmitOtp
from pos_app.domain.phone import NumberError, example_number, parse_number, spaced
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode
from pos_app.domain.text import one_line
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.set_up import words
from pos_app.i18n.words.sign_in import words as code_words
from pos_app.ui.dialogs.parts.lines import button_row, column, focus, heading, title_row
from pos_app.ui.dialogs.set_up.form import is_name
from pos_app.ui.dialogs.sign_in.code_entry import CodeEntry
from pos_app.ui.dialogs.sign_in.pages import ChoicePage
from pos_app.ui.dialogs.sign_in.steps import Picture, needs_sms, picture, problem_picture
from pos_app.ui.post import Post
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, for_example
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.touched_fields import Takes


class FirstManager(QWidget):
    """`receive` each SignIn; `enrolled(person_id)` says that the number is proven and the till is theirs.

    `left` is the way back to the counter's page, where there is one: without the service no code comes.
    """

    enrolled = Signal(str)
    left = Signal()

    def __init__(
        self, country: str, post: Post, *, may_go_back: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("first_manager")
        self._country = country
        self._post = post
        self._person_id = ""
        self._asked: EnrolFirst | None = None
        self.name = Field(words.LABEL["name"], "manager_name", example=for_example("Nimali Perera"))
        self.number = Field(
            words.LABEL["number"],
            "manager_number",
            example=for_example(example_number(country)),
            takes=Takes.FIGURES,
        )
        self.counter = Button(words.BACK, name="counter_again", kind="quiet")
        if not may_go_back:
            self.counter.hide()
        self.send = Button(words.SEND_CODE, name="send_code", kind="primary", keycap="Enter")
        self.code = CodeEntry()
        self.back = Button(words.BACK, name="other_number", kind="quiet", icon="back")
        self._chooses = self._is_proven = False
        self._choice_page = ChoicePage()
        self._choice_page.back.hide()
        self.choice = self._choice_page.entry
        self._pages = (self._person_page(), self._code_page(), self._choice_page)
        column(self, *self._pages).addStretch(1)
        self._show_page(0)
        self.setFocusProxy(self.name)
        self.name.entered.connect(lambda: focus(self.number.edit))
        self.number.entered.connect(self._ask)
        self.send.clicked.connect(self._ask)
        self.counter.clicked.connect(self.left)
        self.back.clicked.connect(self._type_again)
        self.code.submitted.connect(self._submit)
        self.code.resend_wanted.connect(self._send)
        self.choice.chosen.connect(self._choose)

    def take_over(self, before: FirstManager) -> None:
        """What was typed on another page like this."""
        self.name.set_text(before.name.text())
        self.number.set_text(before.number.text())

    def receive(self, seen: SignIn) -> None:
        """What the engine says of the enrolment that was asked for here."""
        if self._asked is None:
            return
        if seen.person_id:
            self._person_id = seen.person_id
        if seen.step is SignInStep.SIGNED_IN and not seen.problem:
            self._asked = None
            self.enrolled.emit(self._person_id)
        elif seen.step is SignInStep.CHOOSE_PASSCODE or self._chooses:
            self._ask_choice(seen, self._asked.name)
        else:
            self._take_code(seen, self._asked.name)

    def _ask_choice(self, seen: SignIn, name: str) -> None:
        if self._chooses and needs_sms(seen):
            self._chooses = False
            self._show_page(1)
            problem = problem_picture(seen.problem, None, None).text
            self.code.show_picture(Picture(text=problem, is_problem=True, resend_in_s=0))
            return
        if self._chooses:
            self.choice.receive(seen)
            return
        self._chooses = self._is_proven = True
        # From now on they are on the list, with this number.
        self.back.hide()
        self._show_page(2)
        self.choice.ask(name)

    def _take_code(self, seen: SignIn, name: str) -> None:
        shown = picture(
            self.code.picture, seen, name, spaced(self._asked.number) if self._asked is not None else ""
        )
        self.code.show_picture(shown)
        self.back.setEnabled(not (shown.sending or shown.checking))
        if shown.is_problem and not shown.may_type and shown.resend_in_s != 0:
            focus(self.back)

    def _ask(self) -> None:
        if self._asked is not None:
            return
        # Pasted out of a text that runs the other way: its marks are no part of a name or a number.
        name, typed = (one_line(each.text()) for each in (self.name, self.number))
        number = ""
        try:
            number = parse_number(typed, self._country)
        except NumberError as error:
            self.number.show_error(words.number_problem(error, example_number(self._country)))
        # All that is wrong at once; the first has the focus.
        if not is_name(name):
            self.name.show_error(words.PROBLEM["name"])
        elif number:
            self._begin(name, number)

    def _begin(self, name: str, number: str) -> None:
        self._asked = EnrolFirst(name, number)
        self.code.clear()
        self.code.show_picture(Picture(sending=True, text=code_words.SENDING))
        self._show_page(1)
        self._send()

    def _send(self) -> None:
        if self._asked is not None:
            self.back.setEnabled(False)
            # Whose number is proven is on the list by now; only the passcode is missing.
            self._post(SendOtp(self._person_id) if self._is_proven else self._asked)

    def _submit(self, code: str) -> None:
        self.back.setEnabled(False)
        self._post(SubmitOtp(self._person_id, code))

    def _choose(self, passcode: Secret) -> None:
        self._post(ChoosePasscode(passcode))

    def _type_again(self) -> None:
        self._asked = None
        self._show_page(0)
        focus(self.number.edit)

    def _show_page(self, wanted: int) -> None:
        for number, page in enumerate(self._pages):
            page.setVisible(number == wanted)
        focused = self.window().focusWidget()
        if focused is not None and any(
            page.isHidden() and page.isAncestorOf(focused) for page in self._pages
        ):
            # Qt leaves it there, and whoever types the code before its field takes any typed it behind their name.
            focused.clearFocus()

    def _person_page(self) -> QWidget:
        page = QWidget()
        more = Label(words.MANAGER_TEXT, "body", "muted", wrap=True)
        title = heading(words.MANAGER_TITLE, "manager_title")
        row = button_row(self.send, way_back=self.counter)
        column(page, title, more, self.name, self.number, row, spacing=S3)
        return page

    def _code_page(self) -> QWidget:
        page = QWidget()
        column(
            page, title_row(heading(code_words.CODE_TITLE, "code_title"), self.back), self.code, spacing=S3
        )
        return page
