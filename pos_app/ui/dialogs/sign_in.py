"""Sign-in: pick a name, type the code that came by SMS. It sends and checks nothing: it posts wishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.people import Person
from pos_app.domain.views import SignIn, SignInStep
from pos_app.domain.wishes import SendOtp, SubmitOtp, Wish
from pos_app.ui.design.tokens import S3
from pos_app.ui.dialogs.code_entry import CodeEntry
from pos_app.ui.dialogs.lines import Panel, column, focus, heading, title_row
from pos_app.ui.dialogs.people_list import PeopleList
from pos_app.ui.dialogs.sign_in_steps import Picture, picture, ticked
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.words import english_sign_in as words


class SignInPanel(Panel):
    """`receive` each SignIn the engine publishes; `signed_in(person_id)` says that the till is theirs."""

    signed_in = Signal(str)

    def __init__(
        self, people: Sequence[Person], post: Callable[[Wish], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sign_in")
        self._post = post
        self._people = {person.person_id: person for person in people}
        self._person_id = ""
        self._kept: tuple[str, Picture, QElapsedTimer] | None = None
        self.people = PeopleList(people)
        self.nobody = Label(words.NOBODY_LISTED, wrap=True, name="nobody_listed")
        self.back = Button(words.BACK, name="someone_else", kind="quiet", icon="back")
        self.code = CodeEntry()
        self._pages = (self._people_page(), self._code_page())
        column(self, *self._pages).addStretch(1)
        self._show_page(0)
        self._show_whether_listed()
        self.setFocusProxy(self.people)
        self.people.picked.connect(self.pick)
        self.back.clicked.connect(self._choose_again)
        self.code.submitted.connect(self._submit)
        self.code.resend_wanted.connect(self._send)

    def set_people(self, people: Sequence[Person]) -> None:
        """Another list of cashiers; whoever is typing a code goes on."""
        if tuple(self._people.values()) != tuple(people):
            self._people = {person.person_id: person for person in people}
            self.people.show_people(people)
            self._show_whether_listed()

    def pick(self, person_id: str) -> None:
        """This person wants to sign in: a code goes to their number."""
        if self._person_id or person_id not in self._people:
            return
        self._person_id = person_id
        self._show_page(1)
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] == person_id:
            # Back and forth again: their code still works, and another may not be sent yet.
            self.code.show_picture(ticked(kept[1], kept[2].elapsed() // 1000))
            return
        self.code.clear()
        self._show(Picture(sending=True, text=words.SENDING))
        self._send()

    def receive(self, seen: SignIn) -> None:
        """What the engine says of the sign-in; what it says of somebody else is not shown."""
        if not self._person_id or (seen.person_id and seen.person_id != self._person_id):
            return
        name = self._people[self._person_id].name if self._person_id in self._people else ""
        shown = picture(self.code.picture, seen, name)
        self._show(shown)
        if shown.is_problem and not shown.may_type and shown.resend_in_s != 0:
            focus(self.back)
        if seen.step is SignInStep.SIGNED_IN:
            self.signed_in.emit(self._person_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc on the code's page leads back to the names; on the names it is the overlay's."""
        if event.key() == Qt.Key.Key_Escape and self._person_id:
            event.accept()
            if self.back.isEnabled() and not event.isAutoRepeat():
                self._choose_again()
            return
        super().keyPressEvent(event)

    def _show(self, shown: Picture) -> None:
        self.code.show_picture(shown)
        # The one call under way is answered first: a second person's would be lost beside it.
        self.back.setEnabled(not (shown.sending or shown.checking))

    def _send(self) -> None:
        self.back.setEnabled(False)
        self._post(SendOtp(self._person_id))

    def _submit(self, code: str) -> None:
        self.back.setEnabled(False)
        self._post(SubmitOtp(self._person_id, code))

    def _choose_again(self) -> None:
        if self.code.picture.code_live:
            timer = QElapsedTimer()
            timer.start()
            self._kept = (self._person_id, self.code.picture, timer)
        self._person_id = ""
        self._show_page(0)
        self.code.clear()
        focus(self.people)

    def _show_page(self, wanted: int) -> None:
        # Not a stack: that would be as tall as its tallest page.
        for number, page in enumerate(self._pages):
            page.setVisible(number == wanted)

    def _show_whether_listed(self) -> None:
        self.people.setVisible(self.people.count() > 0)
        self.nobody.setVisible(self.people.count() == 0)

    def _people_page(self) -> QWidget:
        page = QWidget()
        hint = Label(words.PICK_HINT, "body", "muted", wrap=True)
        column(page, heading(words.TITLE, "sign_in_title"), hint, self.people, self.nobody, spacing=S3)
        return page

    def _code_page(self) -> QWidget:
        page = QWidget()
        title = title_row(heading(words.CODE_TITLE, "code_title"), self.back)
        column(page, title, self.code, spacing=S3)
        return page


OtpDialog = SignInPanel
"""The name of design.md."""
