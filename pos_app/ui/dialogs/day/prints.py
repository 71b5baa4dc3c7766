"""What did not print, or may not have: each with what a person can do about it. It decides and posts nothing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.print_job import JobState, PrintJob
from pos_app.domain.views import PrintView
from pos_app.i18n.words.printing import words
from pos_app.ui.dialogs.parts.lines import (
    LeftByEsc,
    beside_each_other,
    button_row,
    column,
    focus,
    heading,
    title_row,
)
from pos_app.ui.theme.tokens import S3, S4
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.card import Card
from pos_app.ui.widgets.label import Label
from pos_app.ui.widgets.said import SaidLabel

_ABOVE = 2
"""Parts above the first row."""

_Facts = tuple[PrintJob, tuple[Decimal, str] | None]


class PrintsPanel(LeftByEsc):
    """`seen(number)`, `again(number)`, `now(PrintJob)`, `unwanted(number)`, `test_wanted`, `left`."""

    seen = Signal(int)
    again = Signal(int)
    now = Signal(object)
    unwanted = Signal(int)
    test_wanted = Signal()

    def __init__(self, view: PrintView, money: Callable[[Decimal, str], str]) -> None:
        """`money`: an amount, with its currency's code."""
        super().__init__()
        self.setObjectName("prints")
        self._money = money
        self._view: PrintView | None = None
        self._rows: dict[int, tuple[_Facts, QWidget]] = {}
        self.said = SaidLabel("", "body", "muted", wrap=True, name="prints_said")
        self.test = Button(words.TEST, name="prints_test")
        self.close_button = Button(words.CLOSE, name="prints_close", keycap="Esc")
        title = title_row(heading(words.TITLE, "prints_title"), self.close_button)
        self._column = column(self, title, self.said, button_row(self.test), spacing=S3)
        self.setFocusProxy(self.close_button)
        self.close_button.clicked.connect(self.left)
        self.test.clicked.connect(self.test_wanted)
        self.show_view(view)

    def show_view(self, view: PrintView) -> None:
        """What waits now; a row that is still there keeps its place."""
        if view == self._view:
            return
        self._view = view
        found = {job.number: (job, view.amounts.get(job.number)) for job in reversed(view.unprinted)}
        held = self.window().focusWidget()
        at = ""
        for number in [number for number, (facts, _) in self._rows.items() if found.get(number) != facts]:
            _, row = self._rows.pop(number)
            if held is not None and row.isAncestorOf(held):
                # The keyboard goes to no other paper's button by itself.
                at = held.objectName()
                focus(self.close_button)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, (number, facts) in enumerate(found.items(), _ABOVE):
            if number not in self._rows:
                self._rows[number] = (facts, self._row(*facts))
            row = self._rows[number][1]
            if self._column.indexOf(row) != place:
                self._column.removeWidget(row)
                self._column.insertWidget(place, row)
                row.show()
            same = row.findChild(Button, at) if at else None
            if same is not None:
                focus(same)
        self.test.setEnabled(bool(view.printer))
        self.say("")

    def say(self, text: str, tone: str = "muted") -> None:
        """What became of a wish; "" says where there is nothing on the list that it is empty, or why."""
        if not text and not self._rows:
            is_there = self._view is not None and self._view.printer
            text, tone = words.NOTHING if is_there else words.NO_PRINTER, "muted"
        self.said.setText(text)
        self.said.set_tone(tone)
        self.said.setVisible(bool(text))

    def _row(self, job: PrintJob, amount: tuple[Decimal, str] | None) -> QWidget:
        name = f"print_{job.number}"
        row = Card(f"{name}_card", ground="bg", edge="line")
        said = [words.paper(job), *([self._money(*amount)] if amount else [])]
        what = Label(" · ".join(said), "strong", wrap=True, name=f"{name}_what")
        tone = "warn" if job.state is JobState.UNKNOWN else "muted"
        state = Label(words.state(job), "body", tone, wrap=True, name=f"{name}_state")
        layout = column(row, what, state, beside_each_other(*self._buttons(job, name)), spacing=S3)
        layout.setContentsMargins(S4, S3, S4, S3)
        return row

    def _buttons(self, job: PrintJob, name: str) -> list[Button]:
        if job.state is JobState.UNKNOWN:
            there = Button(words.THERE, name=f"{name}_there")
            again = Button(words.AGAIN, name=f"{name}_again")
            there.clicked.connect(lambda: self.seen.emit(job.number))
            again.clicked.connect(lambda: self.again.emit(job.number))
            return [there, again]
        leave = Button(words.NOT_WANTED, name=f"{name}_leave")
        now = Button(words.NOW, name=f"{name}_now")
        leave.clicked.connect(lambda: self.unwanted.emit(job.number))
        now.clicked.connect(lambda: self.now.emit(job))
        return [leave, now]
