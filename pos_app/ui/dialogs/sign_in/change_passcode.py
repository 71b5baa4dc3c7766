"""Another passcode for whoever is signed in: first the one they have, then the new one. Stores nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.passcode import PasscodeProblem
from pos_app.domain.people import Person
from pos_app.domain.secret import Secret
from pos_app.domain.staff import ChoosePasscode, EnterPasscode
from pos_app.domain.views import Purpose, SignIn, SignInStep
from pos_app.i18n.words.passcode import words
from pos_app.ui.dialogs.parts.lines import Panel, column, focus, heading, title_row
from pos_app.ui.dialogs.sign_in.passcode_choice import PasscodeChoice
from pos_app.ui.dialogs.sign_in.passcode_entry import PasscodeEntry
from pos_app.ui.dialogs.sign_in.steps import needs_sms, passcode_picture, problem_picture
from pos_app.ui.post import Post
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label


class ChangePasscode(Panel):
    """`receive` each SignIn the engine publishes; `closed` when it is to go away."""

    closed = Signal()

    def __init__(self, person: Person, post: Post, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("change_passcode")
        self._person = person
        self._post = post
        self._saving = False
        self.now = PasscodeEntry(by_sms=False)
        self.choice = PasscodeChoice()
        self.done = Label(words.SAVED, "lead", "ok", wrap=True, name="passcode_changed")
        self.close_button = Button(words.CLOSE, name="change_passcode_close", keycap="Esc")
        self._parts = (self.now, self.choice, self.done)
        column(
            self,
            title_row(heading(words.CHANGE_TITLE, "change_passcode_title"), self.close_button),
            *self._parts,
            spacing=S3,
        )
        self.now.submitted.connect(lambda secret: post(EnterPasscode(person.person_id, secret)))
        self.choice.chosen.connect(self._choose)
        self.close_button.clicked.connect(self.closed)
        if person.passcode_set:
            self._ask_now()
        else:
            # It was reset: only a code by SMS shows now who would choose the next.
            self._show(self.now)
            self.now.show_picture(problem_picture(PasscodeProblem.NOT_SET, None, None))
            self.setFocusProxy(self.close_button)

    def receive(self, seen: SignIn) -> None:
        """What the engine says of the passcode that was typed, then of the one that was chosen."""
        if seen.purpose is not Purpose.SIGN_IN or seen.person_id not in ("", self._person.person_id):
            return
        if not self.now.isHidden():
            if seen.step is SignInStep.SIGNED_IN and not seen.problem:
                self._ask_choice()
            elif seen.by_passcode:
                self.now.show_picture(passcode_picture(seen))
        elif self._saving and seen.step is not SignInStep.CHECKING:
            self._saving = False
            if needs_sms(seen):
                # Too long since they gave it: once more, then the new one.
                self._ask_now()
            elif seen.problem:
                self.choice.receive(seen)
            else:
                self._show(self.done)
                focus(self.close_button)

    def _ask_now(self) -> None:
        self._show(self.now)
        self.now.ask(words.CHANGE_HINT.format(name=self._person.name), words.NEXT)
        self.setFocusProxy(self.now)

    def _ask_choice(self) -> None:
        self._show(self.choice)
        self.choice.ask(self._person.name)
        self.setFocusProxy(self.choice)

    def _choose(self, passcode: Secret) -> None:
        self._saving = True
        self._post(ChoosePasscode(passcode))

    def _show(self, wanted: QWidget) -> None:
        for part in self._parts:
            part.setVisible(part is wanted)
