"""A passcode being typed: dots, keypad, what is wrong with it, the wait. It checks nothing and knows nobody."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.secret import Secret
from pos_app.i18n.words.passcode import words
from pos_app.ui.dialogs.parts.lines import button_row, column, focus
from pos_app.ui.dialogs.sign_in.digit_pad import DigitPad
from pos_app.ui.dialogs.sign_in.steps import PasscodePicture, problem_of_typing, waited
from pos_app.ui.theme.tokens import S3, TICK_MS
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field, SecretField
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel

LONGEST = 32
"""Room for a mistake that is to be seen, none for a pasted page."""


def passcode_field(label: str, name: str) -> Field:
    """A field that shows dots, offers no word list and gives nothing to the clipboard."""
    field = SecretField(label, name, role="lead")
    field.edit.setMaxLength(LONGEST)
    field.edit.has_own_keys = True
    field.edit.setInputMethodHints(
        Qt.InputMethodHint.ImhDigitsOnly
        | Qt.InputMethodHint.ImhSensitiveData
        | Qt.InputMethodHint.ImhNoPredictiveText
    )
    return field


class PasscodeEntry(QWidget):
    """Shows a PasscodePicture; says `submitted(Secret)` once for a passcode, `sms_wanted` for a code instead."""

    submitted = Signal(object)
    sms_wanted = Signal()

    def __init__(self, *, by_sms: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passcode_entry")
        self._shown = PasscodePicture()
        self._by_sms = by_sms
        self.text = Label("", "body", "muted", wrap=True, name="passcode_text")
        self.field = passcode_field(words.FIELD, "passcode")
        self.field.keep_room()
        self.pad = DigitPad("passcode_pad", lambda: self.field.edit)
        self.problem = SaidLabel("", "body", "bad", wrap=True, name="passcode_problem")
        self.sms = Button(words.BY_SMS, name="code_instead", kind="quiet", icon="message").padded(S3)
        self.open = Button(words.UNLOCK, name="submit_passcode", kind="primary", keycap="Enter")
        row = button_row(self.open, way_back=self.sms)
        column(self, self.text, self.field, self.problem, self.pad, row, spacing=S3)
        self.setFocusProxy(self.field)
        self._said = words.UNLOCK
        self._tick = QTimer(self)
        # A coarse timer may run ahead: the engine would refuse the try the button has just offered.
        self._tick.setTimerType(Qt.TimerType.PreciseTimer)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._second_passed)
        self.field.entered.connect(self._submit)
        self.open.clicked.connect(self._submit)
        self.sms.clicked.connect(self.sms_wanted)
        self.show_picture(PasscodePicture())

    def ask(self, hint: str, verb: str) -> None:
        """A fresh page: whom it asks, and what the passcode will do."""
        self._said = verb
        self.text.setText(hint)
        self.clear()
        focus(self.field.edit)

    def show_picture(self, shown: PasscodePicture) -> None:
        """Show all of it; a wrong passcode is gone from the field, which has the focus whenever it takes digits."""
        earlier, self._shown = self._shown, shown
        inside = shown.is_problem and shown.has_field
        if shown.is_problem:
            self.field.edit.clear()
        self.problem.setText("" if inside else shown.text if shown.is_problem else "")
        self.problem.setVisible(shown.is_problem and not inside)
        for part in (self.text, self.field, self.pad, self.open):
            part.setVisible(shown.has_field)
        if not shown.may_type:
            # Qt would hand the keyboard to the next button, and a second Enter would press it.
            self.field.edit.clearFocus()
        for each in (self.field.edit, self.pad):
            each.setEnabled(shown.may_type)
        self.sms.setVisible(self._by_sms)
        self.sms.setEnabled(not (shown.checking or shown.done))
        self.sms.set_kind("quiet" if shown.has_field else "primary")
        if inside:
            self.field.show_error(shown.text, focus=False)
        else:
            self.field.clear_error()
        # A new figure counts from now, not from wherever the old one's second stood.
        self._tick.stop()
        self._show_wait()
        if shown.may_type and (not earlier.may_type or inside):
            focus(self.field.edit)
        elif not shown.has_field and self._by_sms:
            focus(self.sms)

    def clear(self) -> None:
        """No digit stays behind."""
        self.field.set_text("")
        self.show_picture(PasscodePicture())

    def showEvent(self, event: QShowEvent) -> None:
        """The countdown runs only while it is seen."""
        super().showEvent(event)
        self._show_wait()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing ticks, and nothing typed waits for the next person."""
        self._tick.stop()
        self.field.edit.clear()
        super().hideEvent(event)

    def _show_wait(self) -> None:
        wait = self._shown.wait_s
        self.open.setEnabled(self._shown.may_type)
        self.open.setText(
            words.waiting(wait) if wait else words.CHECKING if self._shown.checking else self._said
        )
        if not wait or not self.isVisible():
            self._tick.stop()
        elif not self._tick.isActive():
            self._tick.start()

    def _second_passed(self) -> None:
        left = waited(self._shown)
        if left.wait_s:
            self._shown = left
            self._show_wait()
        else:
            self.show_picture(PasscodePicture())

    def _submit(self) -> None:
        text = self.field.text()
        if not self._shown.may_type or not text:
            return
        problem = problem_of_typing(text)
        if problem:
            self.field.show_error(words.problem(problem, None, None))
            self.field.edit.selectAll()
            return
        self.field.edit.clear()
        self.show_picture(PasscodePicture(checking=True))
        self.submitted.emit(Secret(text))
