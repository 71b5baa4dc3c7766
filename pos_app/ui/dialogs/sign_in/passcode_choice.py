"""Choosing a passcode: the rules first, then typed twice, in dots. It judges the choice, stores and sends nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.passcode import problem_of_choice
from pos_app.domain.secret import Secret
from pos_app.domain.views import SignIn, SignInStep
from pos_app.i18n.words.passcode import words
from pos_app.ui.dialogs.parts.lines import button_row, column, focus
from pos_app.ui.dialogs.sign_in.digit_pad import DigitPad
from pos_app.ui.dialogs.sign_in.passcode_entry import passcode_field
from pos_app.ui.dialogs.sign_in.steps import problem_picture
from pos_app.ui.theme.tokens import S1, S2, S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label


class PasscodeChoice(QWidget):
    """`chosen(Secret)` once for two equal passcodes that keep the rules; `receive` what the engine says of it."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passcode_choice")
        self._name = ""
        self._saving = False
        self._repeats = False
        self.text = Label("", "body", "muted", wrap=True, name="choice_text")
        self._rules = QWidget()
        lines = [Label(f"•  {rule}", "second", "muted", wrap=True) for rule in words.rules()]
        column(self._rules, *lines, spacing=S1)
        self.new = passcode_field(words.NEW, "new_passcode")
        self.again = passcode_field(words.AGAIN, "passcode_again")
        self.pad = DigitPad("choice_pad", lambda: (self.again if self._repeats else self.new).edit)
        self.other = Button(words.OTHER, name="other_passcode", kind="quiet", icon="back").padded(S3)
        self.save = Button(words.NEXT, name="save_passcode", kind="primary", keycap="Enter")
        row = button_row(self.save, way_back=self.other)
        column(self, self.text, self._rules, self.new, self.again, self.pad, row, spacing=S2)
        self._show_step(repeats=False)
        for wanted in (self.new.entered, self.again.entered, self.save.clicked):
            wanted.connect(self._go_on)
        self.new.edited.connect(lambda _text: self.text.show())
        self.other.clicked.connect(lambda: self.ask(self._name))

    def ask(self, name: str) -> None:
        """A fresh page for this person."""
        self._name = name
        self._begin()
        focus(self.new.edit)

    def receive(self, seen: SignIn) -> None:
        """What became of the choice; after a problem nothing typed is left, so that what was meant is typed."""
        if seen.step is not SignInStep.CHECKING:
            self._begin()
        if seen.problem:
            self._say(problem_picture(seen.problem, None, seen.wait_s).text)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing typed waits for the next person."""
        self._empty()
        super().hideEvent(event)

    def _go_on(self) -> None:
        if self._saving:
            return
        if not self._repeats:
            self._repeat()
        elif self.again.text() == self.new.text():
            secret = Secret(self.new.text())
            self._enable(False)
            self._empty()
            self.chosen.emit(secret)
        elif self.again.text():
            self._begin()
            self._say(words.DIFFERENT)

    def _repeat(self) -> None:
        problem = problem_of_choice(self.new.text())
        if problem:
            self._say(words.problem(problem, None, None))
            self.new.edit.selectAll()
        else:
            self._show_step(repeats=True)
            focus(self.again.edit)

    def _say(self, problem: str) -> None:
        # In the room of the hint: a small screen has none beside rules, dots and keypad.
        self.text.hide()
        self.new.show_error(problem)

    def _begin(self) -> None:
        self._enable(True)
        self._empty()
        self._show_step(repeats=False)

    def _empty(self) -> None:
        for field in (self.new, self.again):
            field.set_text("")

    def _show_step(self, *, repeats: bool) -> None:
        self._repeats = repeats
        hint = words.REPEAT_HINT if repeats else words.CHOOSE_HINT
        self.text.setText(hint.format(name=self._name))
        self.text.show()
        self._rules.setVisible(not repeats)
        self.new.setVisible(not repeats)
        self.again.setVisible(repeats)
        self.other.setVisible(repeats)
        self.save.setText(words.SAVE if repeats else words.NEXT)
        self.setFocusProxy(self.again if repeats else self.new)

    def _enable(self, enabled: bool) -> None:
        self._saving = not enabled
        if not enabled:
            # Qt would hand the keyboard to the next button, and a second Enter would press it.
            self.again.edit.clearFocus()
            self.save.clearFocus()
        for part in (self.new.edit, self.again.edit, self.pad, self.save, self.other):
            part.setEnabled(enabled)
        if not enabled:
            self.save.setText(words.SAVING)
