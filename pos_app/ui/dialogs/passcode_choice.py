"""Choosing a passcode: the rules first, typed twice, in dots. It judges the choice, stores and sends nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.passcode import problem_of_choice
from pos_app.domain.secret import Secret
from pos_app.domain.views import SignIn, SignInStep
from pos_app.ui.design.tokens import S1, S2
from pos_app.ui.dialogs.digit_pad import DigitPad
from pos_app.ui.dialogs.lines import button_row, column, focus
from pos_app.ui.dialogs.passcode_entry import passcode_field
from pos_app.ui.dialogs.passcode_steps import problem_picture
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, LineEdit
from pos_app.ui.widgets.label import Label
from pos_app.ui.words import english_passcode as words


class PasscodeChoice(QWidget):
    """`chosen(Secret)` once for two equal passcodes that keep the rules; `receive` what the engine says of it."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passcode_choice")
        self._saving = False
        self.text = Label("", "body", "muted", wrap=True, name="choice_text")
        rules = QWidget()
        lines = [Label(f"•  {rule}", "second", "muted", wrap=True) for rule in words.RULES]
        column(rules, *lines, spacing=S1)
        self.new = passcode_field(words.NEW, "new_passcode")
        self.again = passcode_field(words.AGAIN, "passcode_again")
        self.pad = DigitPad("choice_pad", self._field_to_type_in)
        self.save = Button(words.SAVE, name="save_passcode", kind="primary", keycap="Enter")
        column(self, self.text, rules, self.new, self.again, self.pad, button_row(self.save), spacing=S2)
        self.setFocusProxy(self.new)
        self.new.entered.connect(self._go_on)
        self.again.entered.connect(self._submit)
        self.save.clicked.connect(self._submit)

    def ask(self, name: str) -> None:
        """A fresh page for this person."""
        self.text.setText(words.CHOOSE_HINT.format(name=name) if name else "")
        self._enable(True)
        self._empty()
        focus(self.new.edit)

    def receive(self, seen: SignIn) -> None:
        """What became of the choice; after a problem both fields are empty, so that what was meant is typed."""
        if seen.step is SignInStep.CHECKING:
            return
        self._enable(True)
        if seen.problem:
            self._empty()
            self.new.show_error(problem_picture(seen.problem, None, seen.wait_s).text)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing typed waits for the next person."""
        self._empty()
        super().hideEvent(event)

    def _empty(self) -> None:
        for field in (self.new, self.again):
            field.set_text("")

    def _field_to_type_in(self) -> LineEdit:
        fields: tuple[Field, Field] = (self.new, self.again)
        return next((each.edit for each in fields if each.edit.hasFocus()), self.new.edit)

    def _go_on(self) -> None:
        if not self._has_problem():
            focus(self.again.edit)

    def _submit(self) -> None:
        if self._saving or self._has_problem():
            return
        if self.new.text() != self.again.text():
            if self.again.text():
                self.again.set_text("")
                self.again.show_error(words.DIFFERENT)
            else:
                focus(self.again.edit)
            return
        secret = Secret(self.new.text())
        self._enable(False)
        self._empty()
        self.chosen.emit(secret)

    def _has_problem(self) -> bool:
        problem = problem_of_choice(self.new.text())
        if problem:
            self.new.show_error(words.problem(problem, None, None))
            self.new.edit.selectAll()
        return bool(problem)

    def _enable(self, enabled: bool) -> None:
        self._saving = not enabled
        self.save.setText(words.SAVE if enabled else words.SAVING)
        for part in (self.new, self.again, self.pad, self.save):
            part.setEnabled(enabled)
