"""Paper at the window: the mark of what did not print, the list of it, F12, and the question before a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from pos_app.domain.attempt import MONEY, Attempt
from pos_app.domain.commands import AnswerPrint, LeavePrint, PrintPaper
from pos_app.domain.day import X, Z
from pos_app.domain.print_job import SLIPS, PaperKind, PrintJob
from pos_app.domain.refund import Note
from pos_app.domain.staff import OfPaper
from pos_app.domain.views import PrintAnswered, PrintProblem, StaffAnswered, StaffProblem, Terminal
from pos_app.i18n.words.printing import words
from pos_app.ui.post import About, name_request
from pos_app.ui.till.amount.methods_panel import Notice
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.state import TillContext
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.dialogs.day.prints import PrintsPanel

_WIDE = 760


class PrintingDesk(QObject):
    """One list at a time. What is asked for here is answered here. `not_printed(why)`: for what covers the notice."""

    not_printed = Signal(str)

    def __init__(
        self, context: TillContext, overlay: OverlayHost, approvals: ApprovalRequests, notice: Notice
    ) -> None:
        super().__init__(overlay)
        self._overlay = overlay
        self._config, _, self._till_state, self._post = context
        self._approvals = approvals
        self._notice = notice
        self._panel: PrintsPanel | None = None
        self._asked: dict[str, tuple[OfPaper, About]] = {}
        """What was asked for and not answered, by its request, with what it is about."""
        self._problem = ""
        notice.pressed.connect(self.open)

    def receive(self, published: Terminal | PrintAnswered) -> None:
        """What the engine says of paper."""
        if isinstance(published, Terminal):
            self._show(published)
        else:
            self._take(published)

    def _show(self, terminal: Terminal) -> None:
        mark = words.mark(terminal.printing) or self._problem
        self._notice.say(mark, button=words.SHOW if mark else "")
        if self._panel is not None:
            self._panel.show_view(terminal.printing)

    def _take(self, answered: PrintAnswered) -> None:
        wanted, about = self._asked.pop(answered.request_id, (None, None))
        if wanted is None:
            return
        is_first = isinstance(wanted, PrintPaper) and not wanted.again
        if answered.problem is PrintProblem.ORIGINAL_USED and isinstance(wanted, PrintPaper) and is_first:
            self._ask_copy(wanted, about)
            return
        self._problem = words.PROBLEM.get(answered.problem, "")
        if self._panel is not None:
            self._panel.say(self._problem, "bad")
        elif self._problem:
            self.not_printed.emit(self._problem)
        self._show(self._till_state.terminal)

    def take_refused(self, answered: StaffAnswered) -> None:
        """Of what was asked for here: not everybody may, and a manager beside the cashier may allow it."""
        asked = self._asked.get(answered.request_id)
        if asked is not None and answered.problem is StaffProblem.NOT_ALLOWED:
            self._approvals.ask_manager(*asked)

    def open(self) -> None:
        """What did not print."""
        from pos_app.ui.dialogs.day.prints import PrintsPanel

        if self._overlay.top is not None:
            return
        self._problem = ""
        panel = self._panel = PrintsPanel(self._till_state.terminal.printing, self._config.money_of)
        panel.left.connect(lambda: self._overlay.close_panel(panel))
        panel.seen.connect(lambda number: self._answer(number, seen=True))
        panel.again.connect(lambda number: self._answer(number, seen=False))
        panel.now.connect(lambda job: self._print(job.paper, job.about))
        panel.unwanted.connect(self._leave)
        panel.test_wanted.connect(self.print_test)
        self._overlay.open(panel, width=_WIDE, on_close=self._closed)

    def _closed(self) -> None:
        self._panel = None
        # It was said where it was read.
        self._problem = ""
        self._show(self._till_state.terminal)

    def print_test(self) -> None:
        """What shows whether the printer is set as it is."""
        self._print(PaperKind.TEST, "")

    def print_last(self) -> None:
        """F12: the receipt of the payment on the panel, else of the newest that was paid."""
        change = self._till_state.shown
        shown = [change.attempt] if change is not None else []
        found = next((each for each in (*shown, *self._till_state.terminal.recent) if _has_paper(each)), None)
        if found is not None:
            self._print(PaperKind.RECEIPT, found.attempt_id, about=found)
        elif self._till_state.terminal.printing.printer:
            self._problem = words.PROBLEM[PrintProblem.NO_RECEIPT]
            self._show(self._till_state.terminal)

    def print_report(self, report: X | Z | int) -> None:
        """An X or a Z of the day that is looked at, or by a Z's number (0: the open day) its pictures.

        A Z that was printed when it was closed is asked about: a copy.
        """
        if isinstance(report, int):
            self._print(PaperKind.PICTURES, str(report))
        elif isinstance(report, Z):
            self._print(PaperKind.Z, str(report.number))
        else:
            self._print(PaperKind.X, report.whose)

    def print_slips(self, note: Note) -> None:
        """Both slips of a refund note; what was printed when it was noted is asked about: a copy."""
        for paper in SLIPS:
            self._print(paper, str(note.number), about=note)

    def _print(self, paper: PaperKind, of: str, *, again: bool = False, about: About = None) -> None:
        wanted = PrintPaper(
            request_id=name_request(), paper=paper, about=of, again=again, who=self._till_state.who
        )
        self.want(wanted, about)

    def want(self, wanted: OfPaper, about: About = None) -> None:
        """Asks for it; a manager is asked where whoever is there may not."""
        self._asked[wanted.request_id] = (wanted, about)
        self._approvals.want(wanted, about)

    def _ask_copy(self, wanted: PrintPaper, about: About) -> None:
        """A second paper is somebody's decision, and stands in what was done."""
        from pos_app.ui.dialogs.confirm import Confirm

        about = about or self._till_state.listed(wanted.about)
        paper = PrintJob(number=0, paper=wanted.paper, about=wanted.about)
        more = words.COPY_MORE.format(paper=words.paper(paper))
        question = Confirm(words.COPY_ASK, more, yes=words.COPY_YES, no=words.COPY_NO, name="copy_ask")
        question.ask(self._overlay, lambda: self._print(wanted.paper, wanted.about, again=True, about=about))

    def _answer(self, number: int, *, seen: bool) -> None:
        about: dict[str, Any] = {
            "request_id": name_request(),
            "number": number,
            "who": self._till_state.who,
        }
        self.want(AnswerPrint(**about, seen=seen))

    def _leave(self, number: int) -> None:
        self.want(LeavePrint(request_id=name_request(), number=number, who=self._till_state.who))


def _has_paper(attempt: Attempt) -> bool:
    return bool(attempt.receipt) and attempt.state in MONEY
