"""The six digits of an SMS: field, keypad, problem, countdown to the next one. It posts nothing, knows nobody."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.otp import OtpProblem, is_code
from pos_app.i18n.words.sign_in import words
from pos_app.ui.dialogs.parts.lines import button_row, column, focus
from pos_app.ui.dialogs.sign_in.digit_pad import DigitPad
from pos_app.ui.dialogs.sign_in.steps import Picture, ticked
from pos_app.ui.theme.tokens import S3, TICK_MS
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.field import Field
from pos_app.ui.widgets.said import SaidLabel

LIKELY = ("0" * 10, "+00 •• ••• 000")
"""A name and a number as long as most: before a code has left, the keys stand where they will."""

LONGEST = 32
"""Room for a mistake that is to be seen, none for a pasted page."""


class CodeEntry(QWidget):
    """Shows a Picture; says `submitted(code)` once for six digits, `resend_wanted` once for a press."""

    submitted = Signal(str)
    resend_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("code_entry")
        self._shown = Picture()
        self._sent_text = ""
        self._sent = self._refused = ""
        self.text = SaidLabel("", "body", "muted", wrap=True, name="code_text")
        self.field = Field(words.CODE_FIELD, "code", example=words.CODE_EXAMPLE, role="lead")
        self.field.edit.setMaxLength(LONGEST)
        self.field.edit.has_own_keys = True
        self.field.edit.setInputMethodHints(
            Qt.InputMethodHint.ImhDigitsOnly | Qt.InputMethodHint.ImhNoPredictiveText
        )
        self.pad = DigitPad("code_pad", lambda: self.field.edit, clears=words.CLEAR)
        self.problem = SaidLabel("", "body", "bad", wrap=True, name="code_problem")
        self.problem.hide()
        self.resend = Button(words.SEND_NEW, name="send_new_code")
        self.sign_in = Button(words.SIGN_IN, name="submit_code", kind="primary", keycap="Enter")
        row = button_row(self.resend, self.sign_in)
        column(self, self.text, self.field, self.problem, self.pad, row, spacing=S3)
        self.setFocusProxy(self.field)
        self._tick = QTimer(self)
        # A coarse timer may run ahead: the engine would refuse the press the button has just offered.
        self._tick.setTimerType(Qt.TimerType.PreciseTimer)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._second_passed)
        self.field.edited.connect(self._typed)
        self.field.entered.connect(self._submit)
        self.sign_in.clicked.connect(self._submit)
        self.resend.clicked.connect(self._resend)

    def show_picture(self, shown: Picture) -> None:
        """Show all of it; the field keeps its text and has the focus whenever it takes digits."""
        earlier, self._shown = self._shown, shown
        self.text.keep_room_for(f"{words.sent_to(*LIKELY)} {words.RESENT}")
        inside = shown.is_problem and shown.may_type
        if inside and shown.is_wrong:
            self._refused = self._sent
        elif not shown.checking:
            # Where nobody could look at it, the same code is the right one to try again.
            self._refused = ""
        outside = shown.is_problem and not shown.may_type
        if not shown.is_problem:
            self.text.setText(shown.text)
            self._sent_text = shown.text if shown.may_type else self._sent_text
        elif inside:
            self.text.setText(self._sent_text)
        self.text.setVisible(not outside)
        self.problem.setText(shown.text if outside else "")
        self.problem.setVisible(outside)
        for part in (self.field, self.pad, self.sign_in):
            part.setVisible(not outside)
            part.setEnabled(shown.may_type)
        self.resend.set_kind("primary" if outside else "plain")
        # A new figure counts from now, not from wherever the old one's second stood.
        self._tick.stop()
        self._show_resend()
        if inside:
            self.field.show_error(shown.text)
            self.field.edit.selectAll()
        else:
            self.field.clear_error()
        if shown.may_type and not earlier.may_type:
            focus(self.field.edit)
        elif not shown.may_type and shown.resend_in_s == 0:
            focus(self.resend)

    def clear(self) -> None:
        """For another person: nothing of the last one stays."""
        self.field.set_text("")
        self._sent_text = ""
        self.show_picture(Picture())

    @property
    def picture(self) -> Picture:
        """What is shown now."""
        return self._shown

    def showEvent(self, event: QShowEvent) -> None:
        """The countdown runs only while it is seen."""
        super().showEvent(event)
        self._show_resend()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing ticks."""
        self._tick.stop()
        super().hideEvent(event)

    def _show_resend(self) -> None:
        left = self._shown.resend_in_s
        self.resend.setVisible(left is not None)
        self.resend.setEnabled(left == 0)
        self.resend.setText(words.resend_in(left) if left else words.SEND_NEW)
        if not left or not self.isVisible():
            self._tick.stop()
        elif not self._tick.isActive():
            self._tick.start()

    def _second_passed(self) -> None:
        before, self._shown = self._shown, ticked(self._shown)
        if self._shown.text != before.text and not self._shown.may_type:
            self.problem.setText(self._shown.text)
        elif self._shown.text != before.text:
            self.field.show_error(self._shown.text, focus=False)
        self._show_resend()

    def _typed(self, text: str) -> None:
        if is_code(text):
            self._submit()

    def _submit(self) -> None:
        if not self._shown.may_type:
            return
        code = self.field.text().strip(" ")
        if code and code == self._refused:
            # It sent itself: Enter out of habit is no second try with the same code.
            self.field.show_error(self._shown.text)
            self.field.edit.selectAll()
            return
        self._sent = code
        if not is_code(code):
            self.field.show_error(words.PROBLEM[OtpProblem.BAD_CODE])
            return
        self.show_picture(Picture(checking=True, code_live=True, text=words.CHECKING, resend_in_s=None))
        self.submitted.emit(code)

    def _resend(self) -> None:
        if self._shown.resend_in_s != 0 or self._shown.sending:
            return
        self.show_picture(Picture(sending=True, code_live=self._shown.code_live, text=words.SENDING))
        self.field.set_text("")
        self.resend_wanted.emit()
