"""One paper through the printer's queue from the command line: a headless till with a line to the counter's printer."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import InUseError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.printing import printer_of
from pos_app.bootstrap.shop import Shop, letterhead_of, settings_ahead
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.headless_till import Run
from pos_app.domain.commands import LeavePrint, PrintPaper
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from pos_app.domain.views import Block, PrintAnswered, PrintProblem, Published, Terminal
from pos_app.engine.core.mailbox import Message, Post
from pos_app.engine.printing.line import Line
from pos_app.i18n.words.printing import words

_DONE = frozenset({JobState.SENT, JobState.PRINTED})

_PROBLEMS = {
    PrintProblem.NO_PRINTER: (
        Exit.UNAVAILABLE,
        "this counter has no printer: the settings' [printer] names one",
    ),
    PrintProblem.NO_RECEIPT: (Exit.NOT_PAID, "there is no receipt to print"),
    PrintProblem.CANNOT_RECORD: (Exit.CANNOT_CREATE, "nothing is printed: the journal cannot be written"),
    PrintProblem.CANNOT_READ: (Exit.CANNOT_CREATE, "nothing is printed: the journal cannot be read"),
}

_SAID = {
    JobState.PRINTED: "on paper",
    JobState.SENT: "sent; this printer does not report what became of it",
    JobState.UNKNOWN: "NOT KNOWN whether it is on paper ({why}): look, and print a copy with --print --again",
    JobState.LEFT: "not printed: {why}",
    JobState.EXPIRED: "not printed: {why}",
    JobState.QUEUED: "not printed yet: {why}",
    JobState.HELD: "not printed yet: {why}",
    JobState.SENDING: "a till prints it just now",
}


def refuse_unprintable(options: Options) -> None:
    """Raises CommandError where the settings name no printer that is there without a window; opens nothing."""
    kind = settings_ahead(options).printer.kind
    if kind == "none":
        raise CommandError(*_PROBLEMS[PrintProblem.NO_PRINTER])
    if kind == "virtual":
        text = "the virtual printer is beside a window: here is none; `pos-app sandbox --printer N` has one"
        raise CommandError(Exit.UNAVAILABLE, text)


def print_receipt(options: Options, attempt_id: str, *, again: bool) -> tuple[PrintJob, list[PrintJob], Exit]:
    """The job as it ended, all prints of its receipt, and 0, 4 (UNKNOWN), 69 or 73.

    Raises CommandError where no job came of it. `again`: a copy, where the original may be on paper. What the printer
    does not take now is given up: whoever asked has been told so, and nothing comes out behind their back.
    """
    from pos_app.ui.paper.drawing import PaperDrawing
    from pos_app.ui.paper.offscreen import drawing

    try:
        with shop_at_work(options) as shop, drawing():
            if options.language:
                # The last word on the paper's language, too, which else is the customer's.
                display = replace(shop.settings.customer_display, language="")
                shop.settings = replace(shop.settings, customer_display=display)
            settings = shop.settings
            printing = _Printing(shop, PaperKind.RECEIPT, attempt_id, again=again)

            def line(post: Post) -> Line:
                return Line(printer_of(settings), PaperDrawing(letterhead_of(settings)), post)

            Run(shop, printing, needs_ready=False, printing=line).run()
            job, code = printing.outcome()
            return (
                job,
                shop.journal.print_jobs_of(PaperKind.RECEIPT, attempt_id) if shop.journal else [],
                code,
            )
    except InUseError as error:
        raise InUseError(error.exit_code, f"{error}; it prints, too: at its window, F12") from error


class _Printing:
    """Asks for the paper once the till says where it stands, and waits until nothing more becomes of it by itself."""

    def __init__(self, shop: Shop, paper: PaperKind, about: str, *, again: bool) -> None:
        if shop.journal is None:
            raise ValueError("printing needs the journal")
        self._journal = shop.journal
        self._wanted = PrintPaper(request_id="print", paper=paper, about=about, again=again, who=TERMINAL)
        self._asked = self._was_interrupted = self._left = False
        before = self._journal.print_jobs_of(paper, about)
        self._waiting = next((job for job in before if job.is_waiting), None)
        self._before = self._journal.last_print_job()
        self._answer: PrintAnswered | None = None
        self._why = Why.NONE
        self._job: PrintJob | None = None

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post, self._end = post, end

    def ready(self) -> None:
        """Nothing is charged here."""

    def take(self, published: Published) -> None:
        """The first picture of the terminal, the answer, then what the printer makes of it."""
        match published:
            case Terminal() if not self._asked:
                if self._was_interrupted:
                    self._end(Exit.CANNOT_CREATE)
                    return
                self._asked = True
                self._post(self._wanted)
            case PrintAnswered() if self._answer is None:
                self._take_answer(published)
            case Terminal() if self._answer is not None:
                self._look(self._answer, published)
            case PrintAnswered() if published.job is not None:
                self._job = replace(published.job, why=self._why)
                self._end(Exit.OK)
            case PrintAnswered():
                # It could not be left: a byte of it may have gone by now, and its end is waited for.
                self._left = False

    def _take_answer(self, answer: PrintAnswered) -> None:
        if answer.problem is PrintProblem.ORIGINAL_USED and self._waiting is not None:
            # It waited for the printer before anybody asked here, and this till was quicker to send it.
            answer = PrintAnswered(request_id=answer.request_id, job=self._waiting)
        self._answer = answer
        if answer.job is None:
            self._end(Exit.OK)
        elif self._was_interrupted:
            self._give_up(Why.NOT_WANTED)

    def _look(self, answer: PrintAnswered, terminal: Terminal) -> None:
        if answer.job is None or self._left:
            return
        number = answer.job.number
        job = self._journal.print_job(number) or answer.job
        is_stuck = terminal.block.unrecorded or terminal.block is Block.ENGINE_HALTED
        if terminal.printing.printing == number:
            return
        if not job.is_waiting:
            # What the disk did not take of its end is told as what the next start will make of it.
            self._job = replace(job, state=JobState.UNKNOWN) if job.state is JobState.SENDING else job
            self._end(Exit.OK)
        elif is_stuck:
            self._job = replace(job, why=Why.CANNOT_RECORD)
            self._end(Exit.OK)
        elif terminal.printing.why is not Why.NONE:
            self._give_up(terminal.printing.why)

    def _give_up(self, why: Why) -> None:
        """A job of our own is left; another's, which only waited, waits on for the counter's till."""
        if self._answer is None or self._answer.job is None:
            return
        job = self._answer.job
        self._why = why
        if job.number <= self._before:
            self._job = replace(job, why=why)
            self._end(Exit.OK)
            return
        self._left = why is not Why.NOT_WANTED
        self._post(LeavePrint(request_id="leave", number=job.number, who=TERMINAL))

    def interrupted(self) -> None:
        """What has not begun is left; a byte that has gone is waited for, ten seconds at most."""
        self._was_interrupted = True
        self._give_up(Why.NOT_WANTED)

    def outcome(self) -> tuple[PrintJob, Exit]:
        """After the run. Raises CommandError where no job came of it."""
        if self._answer is None:
            raise CommandError(Exit.CANNOT_CREATE, "interrupted: nothing was asked of the printer")
        if self._answer.problem is PrintProblem.ORIGINAL_USED:
            self._refuse_second()
        if self._answer.job is None:
            raise CommandError(*_PROBLEMS.get(self._answer.problem, _PROBLEMS[PrintProblem.CANNOT_RECORD]))
        job = self._job or self._journal.print_job(self._answer.job.number) or self._answer.job
        if job.state in _DONE:
            return job, Exit.OK
        if job.state in (JobState.UNKNOWN, JobState.SENDING):
            return job, Exit.NOT_KNOWN
        return job, Exit.CANNOT_CREATE if job.why is Why.CANNOT_RECORD else Exit.UNAVAILABLE

    def _refuse_second(self) -> None:
        jobs = self._journal.print_jobs_of(self._wanted.paper, self._wanted.about)
        if any(job.state is JobState.UNKNOWN for job in jobs):
            text = "it may be on paper already: look, and print a copy with --print --again"
            raise CommandError(Exit.NOT_KNOWN, text)
        raise CommandError(Exit.NOT_PAID, "its original was printed: --print --again prints a copy")


def job_line(receipt: str, job: PrintJob) -> str:
    """What became of it, for a person. `receipt`: its number, as it is shown."""
    why = "interrupted" if job.why is Why.NOT_WANTED else words.why(job.why)
    said = _SAID[job.state].format(why=why)
    copy = f", COPY {job.copy}" if job.copy else ""
    return f"{receipt}{copy}: {said}  [print job {job.number}]"
