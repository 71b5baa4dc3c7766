"""What people did at this till, newest first: who, what, to whom, when, why. It reads and changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from pos_app.domain.people import Person
from pos_app.domain.views import StaffLog
from pos_app.i18n.words.manager import words
from pos_app.i18n.words.people import words as people_words
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading
from pos_app.ui.dialogs.people.staff_lines import Told, told
from pos_app.ui.theme.theme import tokens
from pos_app.ui.theme.tokens import S3
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.rows import Row, Rows

_EDGE = 8


class StaffLogPanel(Panel):
    """`show_log` once it was read; `closed` when it is to go away."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("staff_log")
        self.lines = _Lines()
        self.said = Label(words.LOG_READING, "body", "muted", wrap=True, name="staff_log_said")
        self.close_button = Button(words.CLOSE, name="staff_log_close", keycap="Esc")
        title = heading(words.LOG_TITLE, "staff_log_title")
        column(self, title, self.said, self.lines, button_row(self.close_button), spacing=S3)
        self.lines.hide()
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.closed)

    def show_log(self, log: StaffLog, people: Sequence[Person]) -> None:
        """All of it, in words."""
        if log.problem:
            self.said.setText(people_words.problem(log.problem))
        else:
            self.said.setText(words.LOG_HINT if log.lines else words.LOG_NONE)
        self.lines.show_lines([told(line, people) for line in log.lines])
        self.lines.setVisible(bool(log.lines))
        if log.lines:
            self.setFocusProxy(self.lines)
            self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
            return
        super().keyPressEvent(event)


class _Lines(Rows):
    """Read with the arrows; nothing in it can be chosen."""

    def __init__(self) -> None:
        super().__init__("staff_log_lines", words.LOG_TITLE, steady=20)

    def show_lines(self, lines: Sequence[Told]) -> None:
        """These and no others."""
        self.clear()
        for line in lines:
            self.add_row(" · ".join(part for part in line if part), line)
        self.setCurrentRow(0)
        self.fit_rows()

    def paint_row(self, row: Row, data: Told) -> None:
        """What was done and when; below it why."""
        on = tokens()
        width, line = row.room.width() - 2 * S3, (row.room.height() - 2 * _EDGE) / 2
        # With nothing below it a line stands in the middle.
        top = _EDGE if data.why else (row.room.height() - line) / 2
        taken = row.write(row.place(S3, top, width, line), "second", on.muted, data.when, at_end=True)
        row.write(row.place(S3, top, width - taken - S3, line), "strong", on.text, data.what)
        row.write(row.place(S3, _EDGE + line, width, line), "second", on.muted, data.why)
