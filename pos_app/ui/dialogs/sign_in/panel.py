"""Sign-in and unlocking: a name, then a passcode or the code of an SMS. It checks nothing: it posts commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.commands import SendOtp, SubmitOtp
from pos_app.domain.people import Person
from pos_app.domain.staff import ChoosePasscode, EnterPasscode
from pos_app.domain.views import Purpose, SignIn, SignInStep
from pos_app.i18n.words.sign_in import words
from pos_app.ui.dialogs.parts.lines import Panel, column, focus
from pos_app.ui.dialogs.sign_in.pages import ChoicePage, CodePage, NamesPage, PasscodePage
from pos_app.ui.dialogs.sign_in.steps import (
    Picture,
    may_use_passcode,
    needs_sms,
    passcode_picture,
    picture,
    problem_picture,
    ticked,
)

if TYPE_CHECKING:
    from pos_app.domain.secret import Secret
    from pos_app.ui.post import Post


class SignInPanel(Panel):
    """`receive` each SignIn the engine publishes; `signed_in(person_id)` says that the till is theirs.

    `locked`: whose till is locked; it begins with their passcode. `sessions`: whose passcode is enough now.
    `language_wanted(code)`: whoever stands there reads another language.
    """

    signed_in = Signal(str)
    language_wanted = Signal(str)

    def __init__(
        self,
        people: Sequence[Person],
        post: Post,
        *,
        sessions: Sequence[str] = (),
        locked: Person | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sign_in")
        self._post = post
        self._people = {person.person_id: person for person in people}
        self._sessions = tuple(sessions)
        self._locked = locked
        self._person_id = ""
        self._chooses = False
        self._kept: tuple[str, Picture, QElapsedTimer] | None = None
        self._names = NamesPage(people, words.SWITCH_HINT if locked else words.PICK_HINT)
        self._code = CodePage()
        self._passcode = PasscodePage(locked=locked is not None)
        self._choice = ChoicePage()
        self.people, self.nobody = self._names.people, self._names.nobody
        self.code, self.back = self._code.entry, self._code.back
        self.passcode, self.choice = self._passcode.entry, self._choice.entry
        self._pages = (self._names, self._code, self._passcode, self._choice)
        column(self, *self._pages).addStretch(1)
        self._connect()
        self._show_page(self._names)
        self.begin()

    def _connect(self) -> None:
        self.people.picked.connect(self.pick)
        self._names.languages.chosen.connect(self.language_wanted)
        for page in (self._code, self._passcode, self._choice):
            page.back.clicked.connect(self._choose_again)
        self.code.submitted.connect(self._submit)
        self.code.resend_wanted.connect(self._send)
        self._code.passcode_instead.clicked.connect(lambda: self._ask_passcode(self._person_id))
        self.passcode.submitted.connect(self._enter)
        self.passcode.sms_wanted.connect(self._by_sms)
        self.choice.chosen.connect(lambda secret: self._post(ChoosePasscode(secret)))

    def begin(self) -> None:
        """The first page: the names or, while the till is locked, the passcode of whoever is at it."""
        if self._person_id:
            self._choose_again()
        locked = self._people.get(self._locked.person_id) if self._locked is not None else None
        if locked is not None and self._may_use_passcode(locked):
            self.pick(locked.person_id)

    def show_names(self) -> None:
        """The names, whoever is at the till."""
        if self._person_id:
            self._choose_again()

    def let_go_on(self, sessions: Sequence[str]) -> bool:
        """Whoever had locked the till is at it no more; True where somebody is past the names, and goes on.

        A passcode that is enough no longer leads nowhere: whoever was asked for one begins again.
        """
        self._locked, self._sessions = None, tuple(sessions)
        goes_on = bool(self._person_id) and (self._passcode.isHidden() or self._passcode_is_enough)
        if goes_on:
            self._names.hint.setText(words.PICK_HINT)
            self._passcode.locked = False
            self._offer_passcode()
        return goes_on

    def set_people(self, people: Sequence[Person], sessions: Sequence[str] = ()) -> None:
        """Another list of cashiers, or of those whose passcode is enough; whoever is typing goes on."""
        self._sessions = tuple(sessions)
        if tuple(self._people.values()) != tuple(people):
            self._people = {person.person_id: person for person in people}
            self._names.show_people(people)
        self._offer_passcode()

    def pick(self, person_id: str) -> None:
        """This person wants to sign in: their passcode where it is enough, else a code goes to their number."""
        if self._person_id or person_id not in self._people:
            return
        self._person_id = person_id
        kept = self._kept
        code_is_out = kept is not None and kept[0] == person_id
        if self._passcode_is_enough and not code_is_out:
            self._ask_passcode(person_id)
        else:
            self._by_sms()

    def receive(self, seen: SignIn) -> None:
        """What the engine says of the sign-in; what it says of somebody else is not shown."""
        if seen.purpose is not Purpose.SIGN_IN or not self._person_id:
            return
        if seen.person_id and seen.person_id != self._person_id:
            return
        if seen.step is SignInStep.SIGNED_IN and not seen.problem:
            self.signed_in.emit(self._person_id)
        elif seen.step is SignInStep.CHOOSE_PASSCODE or self._chooses:
            self._ask_choice(seen)
        elif seen.by_passcode:
            self.passcode.show_picture(passcode_picture(seen))
            self._passcode.back.setEnabled(seen.step is not SignInStep.CHECKING)
        elif not self._code.isHidden():
            self._take_code(seen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leads back to the names; on the names it is the overlay's."""
        if event.key() == Qt.Key.Key_Escape and self._person_id:
            event.accept()
            if self._shown_page.back.isEnabled() and not event.isAutoRepeat():
                self._choose_again()
            return
        super().keyPressEvent(event)

    @property
    def _shown_page(self) -> CodePage | PasscodePage | ChoicePage:
        own = (self._code, self._passcode, self._choice)
        return next(page for page in own if not page.isHidden())

    @property
    def _name(self) -> str:
        person = self._people.get(self._person_id)
        return person.name if person is not None else ""

    @property
    def _passcode_is_enough(self) -> bool:
        person = self._people.get(self._person_id)
        return person is not None and self._may_use_passcode(person)

    def _may_use_passcode(self, person: Person) -> bool:
        """Whoever locked the till unlocks it, whatever became of their session meanwhile."""
        own = (self._locked.person_id,) if self._locked is not None else ()
        return may_use_passcode(person, (*self._sessions, *own))

    def _take_code(self, seen: SignIn) -> None:
        shown = picture(self.code.picture, seen, self._name)
        self._show_code(shown)
        if shown.is_problem and not shown.may_type and shown.resend_in_s != 0:
            focus(self._code.back)

    def _show_code(self, shown: Picture) -> None:
        self.code.show_picture(shown)
        # The one call under way is answered first: a second person's would be lost beside it.
        busy = shown.sending or shown.checking
        self._code.back.setEnabled(not busy)
        self._code.passcode_instead.setEnabled(not busy)

    def _ask_passcode(self, person_id: str) -> None:
        self._keep_code()
        self.code.clear()
        self._person_id = person_id
        self._show_page(self._passcode)
        self._passcode.ask(self._name)

    def _by_sms(self) -> None:
        self._show_page(self._code)
        self._offer_passcode()
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] == self._person_id:
            # Back and forth again: their code still works, and another may not be sent yet.
            self.code.show_picture(ticked(kept[1], kept[2].elapsed() // 1000))
            return
        self.code.clear()
        self._show_code(Picture(sending=True, text=words.SENDING))
        self._send()

    def _ask_choice(self, seen: SignIn) -> None:
        if self._chooses and needs_sms(seen):
            # Too long since their code was right: another one, then they choose.
            self._chooses = False
            self._show_page(self._code)
            self._show_code(
                Picture(text=problem_picture(seen.problem, None, None).text, is_problem=True, resend_in_s=0)
            )
            return
        if self._chooses:
            self.choice.receive(seen)
            return
        self._chooses = True
        self._show_page(self._choice)
        self.choice.ask(self._name)

    def _send(self) -> None:
        self._code.back.setEnabled(False)
        self._post(SendOtp(self._person_id))

    def _submit(self, code: str) -> None:
        self._code.back.setEnabled(False)
        self._post(SubmitOtp(self._person_id, code))

    def _enter(self, passcode: Secret) -> None:
        self._passcode.back.setEnabled(False)
        self._post(EnterPasscode(self._person_id, passcode))

    def _keep_code(self) -> None:
        if not self._code.isHidden() and self.code.picture.code_live:
            timer = QElapsedTimer()
            timer.start()
            self._kept = (self._person_id, self.code.picture, timer)

    def _choose_again(self) -> None:
        self._keep_code()
        self._person_id = ""
        self._chooses = False
        self._show_page(self._names)
        self.code.clear()
        self.passcode.clear()
        focus(self.people)

    def _offer_passcode(self) -> None:
        self._code.passcode_instead.setVisible(self._passcode_is_enough)

    def _show_page(self, wanted: QWidget) -> None:
        # Not a stack: that would be as tall as its tallest page.
        for page in self._pages:
            page.setVisible(page is wanted)
        self.setFocusProxy(wanted)
