"""Paper from the command line: a headless till with a line to the counter's printer, and a verb that waits for it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.journal import InUseError
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note
from pos_app.bootstrap.printing import VIRTUAL, printer_of
from pos_app.bootstrap.shop import Shop, letterhead_of, settings_ahead
from pos_app.bootstrap.working_shop import shop_at_work
from pos_app.cli.headless_till import Deadline, Run
from pos_app.domain.commands import LeavePrint, PrintPaper
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import JobState, PaperKind, PrintJob, Why
from pos_app.domain.receipt import Receipt
from pos_app.domain.views import Block, PrintAnswered, PrintProblem, Published, Terminal
from pos_app.engine.core.mailbox import Message, Post
from pos_app.engine.printing.line import Line
from pos_app.i18n.words.printing import words
from pos_app.journal import Journal, JournalError
from pos_app.settings import Settings

PAPER_S = 15.0
"""So long a verb waits for the paper of what it has done; once the printer is at it, as long as a job may take."""

OFFER_S = 8.0
"""So long a receipt is offered where the settings ask: as long as a window does (result_panel.OFFER_MS)."""

_BESIDE_A_WINDOW = (
    "the virtual printer is beside a window: here is none; `pos-app sandbox --printer N` has one"
)

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

_COPY = {PaperKind.RECEIPT: "print a copy with `pos-app receipt ID --print --again`"}
_COPY_ELSE = "say so at the till's window, which prints a copy"
"""No verb prints another paper once more."""

_SAID = {
    JobState.PRINTED: "on paper",
    JobState.SENT: "sent; this printer does not report what became of it",
    JobState.UNKNOWN: "NOT KNOWN whether it is on paper ({why}): look, and {copy}",
    JobState.LEFT: "not printed: {why}",
    JobState.EXPIRED: "not printed: {why}",
    JobState.QUEUED: "not printed yet: {why}",
    JobState.HELD: "not printed yet: {why}",
    JobState.SENDING: "a till prints it just now",
}


def refuse_unprintable(options: Options) -> None:
    """Raises CommandError where the settings name no printer that is there without a window; opens nothing."""
    printer = settings_ahead(options).printer
    if not printer.is_there:
        raise CommandError(*_PROBLEMS[PrintProblem.NO_PRINTER])
    if printer.kind == VIRTUAL:
        raise CommandError(Exit.UNAVAILABLE, _BESIDE_A_WINDOW)


@contextmanager
def line_to_printer(settings: Settings) -> Iterator[Callable[[Post], Line] | None]:
    """What makes a run's line to the printer of these settings; None where no printer is there without a window.

    Papers can be drawn inside. A machine that cannot draw is told so once, and all but paper works on it.
    """
    if not settings.printer.is_there or settings.printer.kind == VIRTUAL:
        yield None
        return
    try:
        from pos_app.ui.paper.drawing import PaperDrawing
        from pos_app.ui.paper.offscreen import drawing
    except ImportError as error:
        note(f"nothing is printed: {error}")
        yield None
        return

    def line(post: Post) -> Line:
        return Line(printer_of(settings), PaperDrawing(letterhead_of(settings)), post)

    with drawing():
        yield line


def print_receipt(
    options: Options, attempt_id: str, *, again: bool, wait_s: float | None = None
) -> tuple[PrintJob, list[PrintJob], Exit]:
    """The job as it ended, all prints of its receipt, and 0, 4 (UNKNOWN), 69 or 73.

    Raises CommandError where no job came of it. `again`: a copy, where the original may be on paper. What the printer
    does not take now, or with `wait_s` (s) within that time, is given up: whoever asked has been told so, and nothing
    comes out behind their back.
    """
    try:
        with shop_at_work(options) as shop:
            if options.language:
                # The last word on the paper's language, too, which else is the customer's.
                display = replace(shop.settings.customer_display, language="")
                shop.settings = replace(shop.settings, customer_display=display)
            printing = _Printing(shop, PaperKind.RECEIPT, attempt_id, again=again, wait_s=wait_s)
            with line_to_printer(shop.settings) as line:
                Run(shop, printing, needs_ready=False, printing=line).run()
            job, code = printing.outcome()
            return (
                job,
                shop.journal.print_jobs_of(PaperKind.RECEIPT, attempt_id) if shop.journal else [],
                code,
            )
    except InUseError as error:
        raise InUseError(error.exit_code, f"{error}; it prints, too: at its window, F12") from error


def print_elsewhere(
    options: Options, receipt: Receipt, *, wait_s: float | None = None
) -> tuple[PrintJob, Exit]:
    """A copy of another counter's receipt: the job as it ended, and 0, 4 (UNKNOWN), 69 or 73. As `print_receipt`."""
    with shop_at_work(options) as shop:
        if options.language:
            display = replace(shop.settings.customer_display, language="")
            shop.settings = replace(shop.settings, customer_display=display)
        about = receipt.attempt_id
        printing = _Printing(shop, PaperKind.ELSEWHERE, about, again=True, wait_s=wait_s, receipt=receipt)
        with line_to_printer(shop.settings) as line:
            Run(shop, printing, needs_ready=False, printing=line).run()
        return printing.outcome()


class _Printing:
    """Asks for the paper once the till says where it stands, and waits until nothing more becomes of it by itself."""

    def __init__(
        self,
        shop: Shop,
        paper: PaperKind,
        about: str,
        *,
        again: bool,
        wait_s: float | None,
        receipt: Receipt | None = None,
    ) -> None:
        if shop.journal is None:
            raise ValueError("printing needs the journal")
        self._journal = shop.journal
        self._wanted = PrintPaper(
            request_id="print", paper=paper, about=about, again=again, who=TERMINAL, receipt=receipt
        )
        self._wait_s = wait_s
        self._deadline = Deadline(self._time_is_up)
        self._asked = self._was_interrupted = self._left = self._is_late = False
        before = self._journal.print_jobs_of(paper, about)
        self._waiting = next((job for job in before if job.is_waiting), None)
        self._before = self._journal.last_print_job()
        self._answer: PrintAnswered | None = None
        self._why = self._held = Why.NONE
        self._job: PrintJob | None = None

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post, self._end_run = post, end
        self._deadline.set(PAPER_S if self._wait_s is None else self._wait_s)

    def _end(self, code: Exit) -> None:
        self._deadline.cancel()
        self._end_run(code)

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
        elif self._is_late:
            self._give_up(self._held)

    def _look(self, answer: PrintAnswered, terminal: Terminal) -> None:
        if answer.job is None or self._left:
            return
        job = _come_to(self._journal, answer.job, terminal)
        if job is None:
            return
        if not job.is_waiting or _is_stuck(terminal):
            self._job = job
            self._end(Exit.OK)
        elif self._wait_s is None:
            self._give_up(job.why)
        else:
            self._held = job.why

    def _time_is_up(self) -> None:
        """What has not begun is left; a byte that has gone is waited for, as long as a job may take."""
        self._is_late = True
        self._give_up(self._held)

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
        """What has not begun is left; a byte that has gone is waited for, as long as a job may take."""
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


def _is_stuck(terminal: Terminal) -> bool:
    """Whether nothing can be printed, because nothing can be written first."""
    return terminal.block.unrecorded or terminal.block is Block.ENGINE_HALTED


def _come_to(journal: Journal, job: PrintJob, terminal: Terminal) -> PrintJob | None:
    """The job as it stands where nothing more becomes of it by itself just now; None while something may."""
    if terminal.printing.printing == job.number:
        return None
    try:
        job = journal.print_job(job.number) or job
    except JournalError:
        return replace(job, why=Why.CANNOT_RECORD)
    if not job.is_waiting:
        # What the disk did not take of its end is told as what the next start will make of it.
        return replace(job, state=JobState.UNKNOWN) if job.state is JobState.SENDING else job
    why = Why.CANNOT_RECORD if _is_stuck(terminal) else terminal.printing.why
    return None if why is Why.NONE else replace(job, why=why)


class LastPaper:
    """The paper of what a verb has done: it is durable, it was said, and now its paper is waited for, PAPER_S at most;
    what is being printed by then, to its end: the till would cut it off.

    What the printer does not take just now is not given up: it waits for the counter's next till, as any job does, and
    stands on the list of what did not print. Whatever becomes of it, the verb has ended as it has.
    """

    def __init__(self, journal: Journal, *, offers: bool = False) -> None:
        """`offers`: a receipt is asked about first, as the settings' [printer] auto = "ask" wants it."""
        self._journal = journal
        self._offers = offers
        self._terminal = Terminal()
        self._deadline = Deadline(self.interrupted)
        self._is_over = threading.Event()
        self._request = ""
        self._found: PrintJob | None = None
        self._problem = ""

    def began(self, post: Callable[[Message], None]) -> None:
        """The till is about to run."""
        self._post = post

    def take(self, published: Published) -> None:
        """Everything the till publishes, on its thread."""
        match published:
            case Terminal():
                self._terminal = published
                self._look()
            case PrintAnswered(request_id=request) if request and request == self._request:
                self._found = published.job
                self._problem = words.PROBLEM.get(published.problem, "")
                self._look()
                if published.job is None:
                    self._over()

    def carry(self, paper: PaperKind, about: str, end: Callable[[], None]) -> None:
        """`end` once nothing more becomes of the job that the till has made for this paper; at once without one."""
        self._end = end
        try:
            jobs = self._journal.print_jobs_of(paper, about)
        except JournalError:
            jobs = []
        if not jobs:
            self._problem = words.PROBLEM[PrintProblem.CANNOT_RECORD]
            self._over()
            return
        self._found = jobs[-1]
        self._deadline.set(PAPER_S)
        self._look()

    def receipt(self, attempt_id: str, end: Callable[[], None]) -> None:
        """The receipt of a payment that is paid: the till's own job, or the one that a person at the terminal wants."""
        if self._offers:
            self._offer(attempt_id, end)
        else:
            self.carry(PaperKind.RECEIPT, attempt_id, end)

    def _offer(self, attempt_id: str, end: Callable[[], None]) -> None:
        """Where nobody can answer, nothing is printed."""
        self._end = end
        self._problem = "nobody was asked"
        try:
            sees = sys.stdin.isatty() and sys.stdout.isatty()
        except (AttributeError, ValueError):
            sees = False
        if not sees:
            self._over()
            return
        self._deadline.set(OFFER_S + PAPER_S)
        self._problem = "not wanted"
        note(f"print the receipt? y within {OFFER_S:.0f} s, else Enter")
        answered = threading.Event()
        threading.Thread(target=self._read, args=(attempt_id, answered), daemon=True).start()
        threading.Thread(target=self._stop_asking, args=(answered,), daemon=True).start()

    def _stop_asking(self, answered: threading.Event) -> None:
        if not answered.wait(OFFER_S):
            self._over()

    def _read(self, attempt_id: str, answered: threading.Event) -> None:
        """A line of input, on a thread that nobody waits for (see first_manager)."""
        try:
            typed = os.read(sys.stdin.fileno(), 80).decode("utf-8", "replace")
        except (OSError, ValueError, AttributeError):
            typed = ""
        answered.set()
        if typed.strip().lower() in ("y", "yes") and not self._is_over.is_set():
            self._request = "receipt"
            self._post(
                PrintPaper(request_id="receipt", paper=PaperKind.RECEIPT, about=attempt_id, who=TERMINAL)
            )
        else:
            self._over()

    def _look(self) -> None:
        if self._found is not None and not self._is_over.is_set():
            now = _come_to(self._journal, self._found, self._terminal)
            if now is not None:
                self._found = now
                self._over()

    def _over(self) -> None:
        self._is_over.set()
        self._deadline.cancel()
        self._end()

    def interrupted(self) -> None:
        """Nobody waits any more; what is being sent has its time."""
        if self._found is None or self._terminal.printing.printing != self._found.number:
            self._over()

    @property
    def job(self) -> PrintJob | None:
        """After the run: the job as it was left; None where there is none."""
        job = self._found
        if job is None:
            return None
        try:
            now = self._journal.print_job(job.number) or job
        except JournalError:
            now = job
        if now.state is JobState.SENDING:
            return replace(now, state=JobState.UNKNOWN, why=Why.TILL_STOPPED)
        return replace(now, why=now.why or job.why) if now.is_waiting else now

    def line(self, subject: str) -> str:
        """After the run: what became of it, for a person. `subject`: what the paper is of, as it is shown."""
        job = self.job
        return f"{subject}: not printed: {self._problem}" if job is None else job_line(subject, job)


def paper_in_vain(settings: Settings, subject: str) -> str:
    """What is said instead where `line_to_printer` had no printer to give, though the settings name one."""
    why = _BESIDE_A_WINDOW if settings.printer.kind == VIRTUAL else words.why(Why.CANNOT_DRAW)
    return f"{subject}: not printed: {why}"


def job_line(receipt: str, job: PrintJob) -> str:
    """What became of it, for a person. `receipt`: its number, as it is shown."""
    why = "interrupted" if job.why is Why.NOT_WANTED else words.why(job.why)
    said = _SAID[job.state].format(why=why, copy=_COPY.get(job.paper, _COPY_ELSE))
    copy = f", COPY {job.copy}" if job.copy else ""
    return f"{receipt}{copy}: {said}  [print job {job.number}]"
