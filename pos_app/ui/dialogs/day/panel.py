"""The counter's day: a report as it is printed, which one is chosen, and the closing. It asks and posts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.domain.day import X, Z
from pos_app.domain.people import Person
from pos_app.domain.views import DayClosed, DayProblem, DayStep, DayView, XRead, ZRead
from pos_app.i18n.words.day import words
from pos_app.i18n.words.export import words as export_words
from pos_app.i18n.words.reconcile import words as recon_words
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.dialogs.day.closed_days import closed_days
from pos_app.ui.dialogs.day.report_view import ReportView
from pos_app.ui.dialogs.parts.choice import Choice, Option
from pos_app.ui.dialogs.parts.lines import Panel, button_row, column, heading, title_row
from pos_app.ui.theme.tokens import S3, S5
from pos_app.ui.widgets.button import Button
from pos_app.ui.widgets.label import Label

WHOLE = ""
"""The choice of the whole till's takings; a person_id is that person's, and a number is a Z's."""

_SIDE = 320
_NOT_MADE = frozenset({DayProblem.CANNOT_RECORD, DayProblem.CANNOT_READ})
"""Why there is no Z, and the closing can be gone on with."""


class DayPanel(Panel):
    """`read_wanted(which)`, `print_wanted(report)`, `pictures_wanted`, `close_wanted`, `leave_wanted`, `closed`.
    `export_wanted(number)`: of the Z that is looked at, "" for none.

    `leave_wanted`: what was interrupted is not gone on with. `reconcile_wanted(number)`: of a Z's day, 0 for the open
    one; `without_wanted`: the closing goes on without it. `take` shows what was answered.
    """

    read_wanted = Signal(str)
    print_wanted = Signal(object)
    export_wanted = Signal(str)
    close_wanted = Signal()
    leave_wanted = Signal()
    reconcile_wanted = Signal(int)
    without_wanted = Signal()
    pictures_wanted = Signal()
    closed = Signal()

    def __init__(
        self,
        day: DayView,
        person: Person | None,
        view: ReportView,
        *,
        has_printer: bool = False,
        has_files: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`person`: who looks, None where nobody signs in. `view`: where a report is read."""
        super().__init__(parent)
        self.setObjectName("day")
        self._day = day
        self._person = person
        self._has_printer = has_printer
        self._report: X | Z | None = None
        self._followed = 0
        """What is read here is known not to be of the period with this number."""
        self._said = self._step_said = ""
        self._problem = ""
        """Why the last closing came to nothing."""
        self.view = view
        self.which = Choice(words.WHICH, "day_which", _options(day, person))
        self.since = Label("", "second", "muted", wrap=True, name="day_since")
        self.said = Label(words.READING, "body", "muted", wrap=True, name="day_said")
        self.close_button = Button(words.CLOSE, name="day_back", keycap="Esc")
        self.close_day = Button(words.CLOSE_DAY, name="day_close", kind="primary")
        self.leave = Button(words.LEAVE, name="day_leave")
        self.reconcile = Button(recon_words.KEY, name="day_reconcile")
        self.without = Button(recon_words.WITHOUT, name="day_without")
        self.print_button = Button(words.PRINT, name="day_print")
        self.print_button.setEnabled(False)
        self.export = Button(export_words.OPEN, name="day_export")
        self.pictures_button = Button(words.PICTURES, name="day_pictures_button")
        self.title = heading(words.TITLE, "day_title")
        self._lay_out()
        self.print_button.setVisible(has_printer)
        self.reconcile.setVisible(person is None or person.is_manager)
        self.export.setVisible(has_files)
        self.export.clicked.connect(lambda: self.export_wanted.emit(self.which.text()))
        # A cashier sees no sums but their own.
        self.pictures_button.setVisible(person is None or person.is_manager)
        self.which.edited.connect(self.read)
        self.close_button.clicked.connect(self.closed)
        self.close_day.clicked.connect(self.close_wanted)
        self.leave.clicked.connect(self.leave_wanted)
        self.without.clicked.connect(self.without_wanted)
        self.reconcile.clicked.connect(self._want_to_reconcile)
        self.pictures_button.clicked.connect(self.pictures_wanted)
        self.print_button.clicked.connect(lambda: self.print_wanted.emit(self._report))
        self.setFocusProxy(self.which.box)
        self.show_day(day)

    def _lay_out(self) -> None:
        side = QWidget()
        side.setFixedWidth(_SIDE)
        beside = column(side, self.which, self.since, self.said, spacing=S3)
        beside.addStretch(1)
        for more in (self.pictures_button, self.reconcile, self.export):
            beside.addWidget(more)
        both = QWidget()
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(S5)
        row.addWidget(side)
        shown = QVBoxLayout()
        shown.addWidget(self.view)
        row.addLayout(shown, 1)
        top = title_row(self.title, self.close_button)
        buttons = button_row(self.leave, self.without, self.print_button, self.close_day)
        column(self, top, both, buttons, spacing=S3)

    def _want_to_reconcile(self) -> None:
        self.reconcile_wanted.emit(self._report.number if isinstance(self._report, Z) else 0)

    def read(self) -> None:
        """What is chosen is to be read."""
        self.say(words.READING)
        self.read_wanted.emit(self.which.text())

    def follow(self) -> None:
        """The day was closed, and not from here: what is read is what was taken since, and none of it is printed as
        that of before."""
        report = self._report
        if isinstance(report, X) and max(report.number, self._followed) < self._day.number:
            self._followed = self._day.number
            self.which.set_text(_options(self._day, self._person)[0][0])
            self.read()

    def show_day(self, day: DayView) -> None:
        """Where the closing stands, and since when the day is open."""
        was, self._day = self._day, day
        self.since.setText(words.SINCE.format(time=_time(day.began)) if day.began else words.SINCE_NEVER)
        self.leave.setVisible(day.step is DayStep.INTERRUPTED)
        under_way = day.step in (DayStep.ASKING, DayStep.RECONCILING, DayStep.COUNTING)
        self.without.setVisible(day.step is DayStep.RECONCILING)
        self.reconcile.setEnabled(not under_way)
        self.close_day.setEnabled(not under_way)
        self.close_day.setText(words.FINISH if day.step is DayStep.INTERRUPTED else words.CLOSE_DAY)
        if day.last_z != was.last_z:
            chosen = self.which.text()
            self.which.set_options(_options(day, self._person))
            self.which.set_text(chosen)
            self._name_what_is_read()
        self._offer_paper()
        self._say_step(day)

    def _say_step(self, day: DayView) -> None:
        """Once for each: what is said of a report meanwhile stays."""
        before, self._step_said = self._step_said, self._of_step(day)
        if self._step_said != before and (self._step_said or self._said == before):
            self._say_where()

    def _say_where(self) -> None:
        """Where the closing stands; nothing while there is none."""
        tone = "muted"
        if self._day.step is DayStep.INTERRUPTED:
            tone = "bad" if self._problem else "warn"
        self.say(self._step_said, tone)

    def _of_step(self, day: DayView) -> str:
        match day.step:
            case DayStep.ASKING if day.to_ask:
                return words.ASKING.format(asked=day.asked, count=day.to_ask)
            case DayStep.RECONCILING:
                return recon_words.READING
            case DayStep.ASKING | DayStep.COUNTING:
                return words.COUNTING
            case DayStep.INTERRUPTED:
                return " ".join(filter(None, (self._problem, words.INTERRUPTED)))
        return ""

    def take(self, news: XRead | ZRead | DayClosed) -> None:
        """An answer to what was asked for here."""
        said = words.PROBLEM.get(news.problem, words.PROBLEM[DayProblem.CANNOT_READ]) if news.problem else ""
        if isinstance(news, DayClosed):
            self._problem = said if news.problem in _NOT_MADE else ""
        if said:
            self._name_what_is_read()
            self.say(said, "bad")
            return
        match news:
            case XRead(report=report) if report is not None:
                self._show(report)
            case ZRead(reports=reports) if reports:
                self._show(reports[-1])
                if not news.proven:
                    self.say(words.CHANGED, "bad")
            case DayClosed(z=z, own=own):
                self._show_closed(z or own)

    def _show_closed(self, report: X | Z | None) -> None:
        if report is None:
            self.say(words.LEFT)
            return
        self._followed = report.number + 1
        self._show(report)
        # What a cashier has closed prints nothing by itself.
        is_silent = isinstance(report, X) and self._has_printer
        self.say(words.DONE_OWN if is_silent else words.DONE, "text")

    def _show(self, report: X | Z) -> None:
        self._report = report
        self._name_what_is_read()
        self._offer_paper()
        is_z = isinstance(report, Z)
        # Beside a day that is closed already nothing offers to close one.
        self.close_day.setVisible(not is_z)
        self.title.setText(words.TITLE_Z.format(number=report.number) if is_z else words.TITLE)
        self._say_where()
        self.view.show_report(report)

    def say_nothing(self) -> None:
        """Nothing is waited for: a manager is asked, who may say no."""
        self._name_what_is_read()
        self._say_where()

    def _name_what_is_read(self) -> None:
        """The choice is of the report below it, also where another one was wanted and did not come."""
        if isinstance(self._report, X):
            self.which.set_text(self._report.whose)
        elif self._report is not None:
            self.which.set_text(str(self._report.number))

    def _offer_paper(self) -> None:
        """What was taken so far is printed as it is then: of a day that was closed since it would be another's."""
        report = self._report
        is_past = isinstance(report, X) and report.number < self._day.number
        self.print_button.setEnabled(report is not None and not is_past)

    def say(self, text: str, tone: str = "muted") -> None:
        """What became of a wish, or where the closing stands."""
        self._said = text
        self.said.setText(text)
        self.said.set_tone(tone)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, and goes no further."""
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            if not event.isAutoRepeat():
                self.closed.emit()
            return
        super().keyPressEvent(event)


def _options(day: DayView, person: Person | None) -> Sequence[Option]:
    """A cashier's own first; of closed days none but a manager may read more than that."""
    if person is not None and not person.is_manager:
        return [(person.person_id, words.OWN), (WHOLE, words.WHOLE)]
    return [(WHOLE, words.WHOLE), *closed_days(day.last_z, words.CLOSED)]


def _time(wall: str) -> str:
    """21 Nov 08:04, on this day the time alone; a record that was changed may hold anything."""
    try:
        day = datetime.fromisoformat(wall)
    except ValueError:
        return wall
    time = f"{day:%H:%M}"
    today = datetime.now().astimezone().date()
    return time if day.date() == today else f"{time_words.day(day.date())} {time}"
