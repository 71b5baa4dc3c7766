"""The counter's day at the window: reads X and Z, closes, and lets a manager beside the cashier allow it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from pos_app.domain.commands import (
    CloseDay,
    DecideDifferences,
    LeaveClosing,
    LeaveReconciling,
    ReadDifferences,
    ReadFigures,
    ReadX,
    ReadZ,
    Reconcile,
)
from pos_app.domain.reconcile import Decided, DifferenceKind
from pos_app.domain.views import (
    DayClosed,
    DayNews,
    DayStep,
    DifferencesDecided,
    DifferencesRead,
    FiguresRead,
    ReconEnded,
    ReconNews,
    ReconStep,
    Terminal,
    XRead,
    ZRead,
)
from pos_app.i18n.words.day import words
from pos_app.i18n.words.reconcile import words as recon_words
from pos_app.ui.post import name_request
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.domain.day import X, Z
    from pos_app.ui.dialogs.confirm import Confirm
    from pos_app.ui.dialogs.day.differences import DifferencesPanel
    from pos_app.ui.dialogs.day.panel import DayPanel
    from pos_app.ui.dialogs.day.pictures import DayPictures
    from pos_app.ui.dialogs.people.staff_question import StaffQuestion
    from pos_app.ui.paper.worker import PaperWorker

_WIDE = 1040
_PICTURES_WIDE = 1_600
"""On a large screen all six are seen at once."""

_DIFFERENCES_WIDE = 860


class CounterDayDesk(QObject):
    """Opens the panel of the day and answers what is asked there. One at a time."""

    def __init__(
        self,
        context: TillContext,
        overlay: OverlayHost,
        approvals: ApprovalRequests,
        worker: Callable[[], PaperWorker],
        print_report: Callable[[X | Z | int], None],
        export: Callable[[str], None] | None = None,
    ) -> None:
        """`worker`: draws what is shown; its thread begins with the first paper.

        `print_report`: puts it on paper; with a number, the pictures of that Z, 0: of the open day. `export`: saves
        payments as a file, first of all those of the Z with this number; None where none can be saved.
        """
        super().__init__(overlay)
        self._export = export
        self._print_report = print_report
        self._worker = worker
        self._overlay = overlay
        self._config, _, self._till_state, self._post = context
        self._approvals = approvals
        self._panel: DayPanel | None = None
        self._differences: DifferencesPanel | None = None
        self._question: StaffQuestion | None = None
        self._pictures: DayPictures | None = None
        self._asked = self._put_to_manager = ""
        """What is to be read; and what a manager was asked for, whose answer is as good if the day turned meanwhile."""
        self._figures_asked = ""
        self._closing = self._closer = ""
        """The closing that was asked for here, and who was at the till: its Z is for nobody else."""
        self._ask: Confirm | None = None
        self._ask_of = 0
        self._reconciling = ""
        self._reconciled = -1
        """The Z whose day is being compared for that request, 0 for the open one; -1: that is over."""
        self._beside: tuple[str, int] | None = None
        """The same two of what was under way already when another day was to be compared, and is still."""

    def open(self, on_close: Callable[[], None] | None = None) -> None:
        """What was taken so far, of the person at the till or, for a manager, of the whole till."""
        from pos_app.ui.dialogs.day.panel import DayPanel
        from pos_app.ui.dialogs.day.report_view import ReportView

        person = self._till_state.person
        names = {each.person_id: each.name for each in self._till_state.terminal.people}
        view = ReportView(self._config, self._worker(), names)
        terminal = self._till_state.terminal
        panel = DayPanel(
            terminal.day,
            person,
            view,
            has_printer=bool(terminal.printing.printer),
            has_files=self._export is not None,
        )
        self._panel = panel

        def gone() -> None:
            self._panel, self._asked, self._put_to_manager = None, "", ""
            if on_close is not None:
                on_close()

        panel.closed.connect(lambda: self._overlay.close_panel(panel))
        panel.read_wanted.connect(self._read)
        panel.print_wanted.connect(self._print_report)
        if self._export is not None:
            panel.export_wanted.connect(self._export)
        panel.close_wanted.connect(self._ask_to_close)
        panel.leave_wanted.connect(self._leave)
        panel.reconcile_wanted.connect(self._reconcile)
        panel.without_wanted.connect(self._go_on_without)
        panel.pictures_wanted.connect(self._open_pictures)
        self._overlay.open(panel, width=_WIDE, on_close=gone)
        panel.read()

    def receive(self, published: Terminal | DayNews) -> None:
        """What the engine says of the day."""
        if isinstance(published, FiguresRead):
            if self._pictures is not None and published.request_id == self._figures_asked:
                self._pictures.take(published)
            return
        if isinstance(published, ReconEnded):
            self._over(published.request_id)
        panel = self._panel
        if self._differences is not None:
            self._of_differences(self._differences, published)
        if panel is None:
            return
        match published:
            case Terminal():
                self._follow(panel, published)
            case XRead() | ZRead() if published.request_id in (self._asked, self._put_to_manager):
                panel.take(published)
            case DayClosed() if published.request_id == self._closing:
                if self._closer == self._till_state.who:
                    panel.take(published)

    def _over(self, request_id: str) -> None:
        """What was compared for a request is; or there was to be no such comparison."""
        if request_id == self._reconciling:
            self._reconciled = -1
        elif self._beside is not None and request_id == self._beside[0]:
            self._beside = None

    def say_not_printed(self, why: str) -> None:
        """Where somebody wanted paper, and the notice of it is covered."""
        if self._pictures is not None:
            self._pictures.say(why, "bad")
        elif self._panel is not None:
            self._panel.say(why, "bad")

    def _follow(self, panel: DayPanel, terminal: Terminal) -> None:
        panel.show_day(terminal.day)
        if self._ask is not None and self._ask_of != terminal.day.number:
            # That day is closed: a yes would close the next one.
            self._overlay.close_panel(self._ask)
        if terminal.locked:
            return
        panel.follow()
        if self._pictures is not None:
            self._pictures.follow(terminal.day.last_z)

    def _open_pictures(self) -> None:
        """Over the day's report, which is there again when they are closed."""
        from pos_app.ui.dialogs.day.pictures import DayPictures

        terminal = self._till_state.terminal
        panel = DayPictures(self._config, terminal.day.last_z, has_printer=bool(terminal.printing.printer))
        self._pictures = panel

        def gone() -> None:
            self._pictures = None

        def read(number: int) -> None:
            self._figures_asked = name_request()
            self._post(ReadFigures(request_id=self._figures_asked, number=number))

        panel.wanted.connect(read)
        panel.print_wanted.connect(self._print_report)
        panel.closed.connect(lambda: self._overlay.close_panel(panel))
        self._overlay.open(panel, width=_PICTURES_WIDE, on_close=gone)
        panel.read()

    def _read(self, which: str) -> None:
        self._asked = name_request()
        if which.isdecimal():
            self._post(ReadZ(request_id=self._asked, number=int(which)))
            return
        if not self._approvals.want(ReadX(request_id=self._asked, whose=which)) and self._panel is not None:
            # A manager is asked, and may say no.
            self._put_to_manager = self._asked
            self._panel.say_nothing()

    def _go_on_without(self) -> None:
        self._approvals.want(LeaveReconciling(request_id=self._closing or name_request()))

    def _reconcile(self, z: int) -> None:
        """Beside the day's own panel: how far it is, then what differs."""
        from pos_app.ui.dialogs.day.differences import DifferencesPanel

        panel = DifferencesPanel()
        self._differences = panel
        recon = self._till_state.terminal.recon
        if self._beside is not None and self._reconciled < 0:
            # The last wish was refused because of that one, which is looked at again, and can be stopped.
            (self._reconciling, self._reconciled), self._beside = self._beside, None
        under_way = self._reconciled >= 0 and recon.step is not ReconStep.NONE
        goes_on = under_way and self._reconciled == z

        def gone() -> None:
            self._differences = None

        panel.left.connect(lambda: self._overlay.close_panel(panel))
        panel.stop_wanted.connect(self._go_on_without)
        panel.more_wanted.connect(self._read_differences)
        panel.sign_wanted.connect(self._ask_to_sign)
        panel.sign_all_wanted.connect(self._ask_to_sign_all)
        self._overlay.open(panel, width=_DIFFERENCES_WIDE, on_close=gone)
        if goes_on:
            # It was left while it was under way, and is looked at again.
            panel.show_view(recon)
            return
        self._beside = (self._reconciling, self._reconciled) if under_way else None
        self._reconciling, self._reconciled = name_request(), z
        self._post(Reconcile(request_id=self._reconciling, z=z, again=bool(z)))

    def _of_differences(self, panel: DifferencesPanel, published: Terminal | DayNews) -> None:
        if isinstance(published, Terminal):
            panel.show_view(published.recon)
            return
        if not isinstance(published, ReconNews) or published.request_id != self._reconciling:
            return
        if published.problem:
            said = recon_words.PROBLEM.get(published.problem) or words.PROBLEM[published.problem]
            (self._question.say if self._question is not None else panel.say_problem)(said)
            return
        match published:
            case ReconEnded(run=run) if run is not None:
                panel.show_run(run)
                panel.begin_list()
                self._read_differences("")
            case DifferencesRead():
                panel.show_found(published.found, more=published.more)
            case DifferencesDecided(count=0) if self._question is not None:
                self._question.say(recon_words.NOT_SIGNED)
            case DifferencesDecided():
                if self._question is not None:
                    self._overlay.close_panel(self._question)
                panel.begin_list()
                self._read_differences("")

    def _read_differences(self, after: str) -> None:
        run = self._differences.run if self._differences is not None else None
        if run is not None:
            self._post(ReadDifferences(request_id=self._reconciling, run=run.number, after=after))

    def _ask_to_sign(self, found: Decided) -> None:
        self._sign(found.difference.kind, (found.difference.key,))

    def _ask_to_sign_all(self, kind: str) -> None:
        self._sign(DifferenceKind(kind), ())

    def _sign(self, kind: DifferenceKind, keys: tuple[str, ...]) -> None:
        """Why, under the manager's name; without keys for all of the class."""
        from pos_app.ui.dialogs.people.staff_question import QuestionText, StaffQuestion

        run = self._differences.run if self._differences is not None else None
        if run is None:
            return
        more = f"{recon_words.KIND[kind]} {recon_words.SIGN_MORE}"
        said = QuestionText(recon_words.SIGN_ASK, more, recon_words.SIGN_YES, recon_words.REASONS)
        question = StaffQuestion(said, name="difference_why")
        self._question = question

        def gone() -> None:
            self._question = None

        def signed(values: dict[str, str]) -> None:
            self._post(
                DecideDifferences(
                    request_id=self._reconciling,
                    run=run.number,
                    reason=values["reason"],
                    keys=keys,
                    kind="" if keys else kind.value,
                )
            )

        question.asked.connect(signed)
        question.left.connect(lambda: self._overlay.close_panel(question))
        self._overlay.open(question, on_close=gone)

    def _ask_to_close(self) -> None:
        from pos_app.ui.dialogs.confirm import Confirm

        terminal = self._till_state.terminal
        number = terminal.day.number
        if terminal.day.step is DayStep.INTERRUPTED:
            self._close(terminal.day.request_id, number)
            return
        waiting = {each.attempt_id for each in (*terminal.open, *terminal.attention)}
        more = words.CLOSE_MORE
        if waiting:
            more = f"{words.CLOSE_OPEN.of(len(waiting))} {more}"
        question = Confirm(words.CLOSE_ASK, more, yes=words.CLOSE_YES, no=words.CLOSE_NO, name="day_ask")
        self._ask, self._ask_of = question, number

        def gone() -> None:
            self._ask = None

        question.ask(self._overlay, lambda: self._close(name_request(), number), on_close=gone)

    def _close(self, request_id: str, number: int) -> None:
        self._closing, self._closer = request_id, self._till_state.who
        self._approvals.want(CloseDay(request_id=request_id, number=number))

    def _leave(self) -> None:
        self._closing, self._closer = self._till_state.terminal.day.request_id, self._till_state.who
        self._approvals.want(LeaveClosing(request_id=self._closing))
