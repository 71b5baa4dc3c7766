"""The jobs for the printer, one after the other. It writes and decides; a line of its own does the waiting.

Never in the way of money: a receipt's job is written in the transaction of the money, everything else of it after,
and nothing here waits. SENDING is durable before the first byte (docs/payment-rules.md, I14); where it cannot be
written nothing is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from msgspec.structs import replace

from pos_app.domain import print_job
from pos_app.domain.attempt import MONEY, Attempt, State
from pos_app.domain.commands import AnswerPrint, LeavePrint, PrintPaper
from pos_app.domain.day import X
from pos_app.domain.figures import DayFigures
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import (
    EXPIRES_MS,
    HANGS_MS,
    SLIPS,
    JobState,
    PaperKind,
    PrintJob,
    Why,
    content_of,
    is_expired,
    moved,
    next_copy,
    retry_ms,
    subject_of,
    taken_up,
)
from pos_app.domain.receipt import Receipt
from pos_app.domain.record import Record, wall_of
from pos_app.domain.refund import REFUND_RECOVERED
from pos_app.domain.refund import subject_of as subject_of_note
from pos_app.domain.views import PrintAnswered, PrintProblem, PrintView
from pos_app.engine.core.config import EngineConfig, Printing
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports
from pos_app.engine.core.receipts import made_of
from pos_app.engine.printing.content import PaperContent
from pos_app.engine.printing.news import PrintEnded, PrinterHeld, PrinterLine, PrinterReady, PrintNews
from pos_app.engine.staff.authorizer import Allowed

MOST = 100
"""So many jobs that are not over are in memory; the older ones stand in the journal."""

_OPEN = ("", "0")
"""Which day's pictures: of the open one."""

SHOWN = 20
"""So many of them are shown."""


class _NoLine:
    """Where nothing is printed: a till without a printer, and each verb of the command line."""

    def prepare(self, job: PrintJob, content: PaperContent) -> None:
        """Nobody asks for it."""

    def send(self, number: int) -> None:
        """Nobody asks for it."""

    def leave(self, number: int) -> None:
        """There is nothing to leave."""


class PrintQueue:
    """Owns the jobs that are not over, and which of them is at the printer."""

    def __init__(self, config: EngineConfig, ports: Ports, live_payments: LivePayments) -> None:
        self._config = config
        self._journal = ports.journal
        self._clock = ports.clock
        self._publish = ports.publish
        self._line: PrinterLine = ports.printer or _NoLine()
        self._live_payments = live_payments
        self.reads_x: Callable[[str], X | None] = lambda _whose: None
        """What was taken so far, of everybody (""), or of one person."""
        self.reads_figures: Callable[[int], DayFigures | None] = lambda _number: None
        """What a day's pictures show, of a Z or with 0 of the open day."""
        self.day_began_at: Callable[[], int] = lambda: 0
        """Since when the open day counts (till time, ms)."""
        self._jobs: dict[int, PrintJob] = {}
        self._amounts: dict[int, tuple[Decimal, str]] = {}
        """Of the receipts that are shown as unprinted, by their jobs."""
        self._last = 0
        self._at_printer = 0
        """The job that the line has in hand; 0 for none."""
        self._since = 0
        """Since when it owes its word of it."""
        self._why = Why.NONE
        self._tries = 0
        self._again_at = 0
        self._unwritten: list[Record] = []
        """What happened at the printer and the disk did not take: nothing is halted by it, and nothing printed."""

    def take_config(self, config: EngineConfig) -> None:
        """New settings hold: another printer may answer at once."""
        self._config = config
        self._tries, self._again_at = 0, 0

    def take_up(self) -> None:
        """What was being sent when the last run ended may be on paper: a person is asked, and nothing is sent again."""
        found = [*self._journal.open_print_jobs(MOST)]
        self._last = max(self._last, self._journal.last_print_job())
        self._jobs = {job.number: job for job in found}
        self._at_printer = 0
        for job in found:
            now = taken_up(job)
            if now is not job:
                self._write(now, TERMINAL)

    @property
    def _has_printer(self) -> bool:
        return self._config.printing is not None and not isinstance(self._line, _NoLine)

    def view(self) -> PrintView:
        """What every screen may show."""
        printing = self._config.printing
        open_ = [job for job in self._jobs.values() if job.is_open]
        # What somebody is asked about stands there in any case: behind twenty others it was asked on no screen.
        chosen = sorted(open_, key=lambda job: (job.state is JobState.UNKNOWN, job.number))[-SHOWN:]
        shown = sorted(chosen, key=lambda job: job.number)
        sending = self._jobs.get(self._at_printer)
        is_sending = sending is not None and sending.state is JobState.SENDING
        if printing is None:
            return PrintView(unprinted=tuple(shown), amounts=self._amounts_of(shown))
        return PrintView(
            amounts=self._amounts_of(shown),
            printer=printing.printer,
            auto=printing.auto,
            waiting=sum(job.is_waiting or job.state is JobState.SENDING for job in open_),
            printing=self._at_printer if is_sending else 0,
            why=self._why if any(job.is_waiting for job in open_) else Why.NONE,
            unprinted=tuple(
                job
                for job in shown
                # What has just been asked for is no news before the printer has been tried.
                if job.state is not JobState.QUEUED and job.number != (self._at_printer if is_sending else 0)
            ),
        )

    def _amounts_of(self, jobs: Sequence[PrintJob]) -> dict[int, tuple[Decimal, str]]:
        """Each is looked up once: what is shown is told with every picture of the terminal."""
        before, self._amounts = self._amounts, {}
        for job in jobs:
            amount = before.get(job.number)
            if amount is None and job.paper is PaperKind.RECEIPT:
                attempt = self._live_payments.known(job.about)
                amount = None if attempt is None else (attempt.amount, attempt.currency)
            if amount is not None:
                self._amounts[job.number] = amount
        return self._amounts

    def of_money(self, attempt: Attempt) -> list[Record]:
        """What is written with the money itself: the job of its receipt, where the till prints each by itself.

        Late money has nobody waiting for its receipt: it is printed by hand.
        """
        printing = self._config.printing
        if not self._has_printer or printing is None or printing.auto != "all":
            return []
        if attempt.state is not State.PAID or not attempt.receipt:
            return []
        return [self._queued(PaperKind.RECEIPT, attempt.attempt_id, 0, TERMINAL, print_job.QUEUED)]

    def of_z(self, number: int, actor: str) -> tuple[PrintJob, Record] | None:
        """A Z's job, for its own transaction; `keep` it once that stands."""
        if not self._has_printer:
            return None
        job = self._new(PaperKind.Z, str(number), 0, actor)
        return job, self._record(print_job.QUEUED, job, actor)

    def of_notes(self, numbers: Sequence[int], actor: str) -> list[tuple[PrintJob, Record]]:
        """The slips of refund notes, for the notes' own transaction: each twice, the customer's and the shop's.

        `keep` them once that stands.
        """
        if not self._has_printer:
            return []
        papers = [(paper, str(number)) for number in numbers for paper in SLIPS]
        jobs = [
            replace(self._new(paper, about, 0, actor), number=self._last + place)
            for place, (paper, about) in enumerate(papers, 1)
        ]
        return [(job, self._record(print_job.QUEUED, job, actor)) for job in jobs]

    def keep(self, job: PrintJob) -> None:
        """A job that is written."""
        self._last = max(self._last, job.number)
        self._jobs[job.number] = job
        over = sorted(number for number, each in self._jobs.items() if each.state is JobState.EXPIRED)
        for number in over[:-MOST]:
            del self._jobs[number]

    def _new(self, paper: PaperKind, about: str, copy: int, who: str) -> PrintJob:
        printing = self._config.printing or Printing(printer="")
        return PrintJob(
            number=self._last + 1,
            paper=paper,
            about=about,
            copy=copy,
            language=printing.language,
            width=printing.width,
            printer=printing.printer,
            who=who,
            asked_at=self._clock.now(),
            asked=wall_of(self._clock.wall()),
        )

    def _queued(self, paper: PaperKind, about: str, copy: int, who: str, kind: str) -> Record:
        job = self._new(paper, about, copy, who)
        self.keep(job)
        return self._record(kind, job, who)

    def _record(self, kind: str, job: PrintJob, actor: str) -> Record:
        return self._live_payments.record(kind, subject_of(job.number), actor, content=content_of(job))

    def _write(self, job: PrintJob, actor: str) -> None:
        """What has happened to a job already; a disk that refuses gets it later."""
        self._unwritten.append(self._record(print_job.KIND_OF[job.state], job, actor))
        self._note(job)
        self._flush()

    def _flush(self) -> bool:
        """Whether all that happened is written."""
        if self._unwritten and self._live_payments.try_commit(self._unwritten):
            self._unwritten = []
        return not self._unwritten

    def _commit(self, records: Sequence[Record]) -> bool:
        """What must be durable before it may be done, behind what happened before it."""
        return self._flush() and self._live_payments.try_commit(records)

    def _note(self, job: PrintJob) -> None:
        if job.is_open:
            self.keep(job)
        else:
            self._jobs.pop(job.number, None)

    def do(self, allowed: Allowed) -> None:
        """What somebody wants who has the right."""
        match allowed.command:
            case PrintPaper() as wanted:
                self._publish(self._print(wanted, allowed.actor))
            case AnswerPrint() as wanted:
                self._publish(self._answered(wanted, allowed.actor))
            case LeavePrint() as wanted:
                self._publish(self._left(wanted, allowed.actor))

    def _print(self, wanted: PrintPaper, actor: str) -> PrintAnswered:
        if not self._has_printer:
            return PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.NO_PRINTER)
        waiting = self._waiting(wanted.paper, wanted.about)
        if waiting is not None:
            return PrintAnswered(request_id=wanted.request_id, job=waiting)
        copy = self._copy_of(wanted.paper, wanted.about)
        if isinstance(copy, PrintProblem):
            return PrintAnswered(request_id=wanted.request_id, problem=copy)
        if copy and not wanted.again and wanted.paper is not PaperKind.ELSEWHERE:
            return PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.ORIGINAL_USED)
        before = [job for job in self._of(wanted.paper, wanted.about) if job.state is JobState.EXPIRED]
        receipt = wanted.receipt
        if wanted.paper is PaperKind.ELSEWHERE:
            # Of what did not come out it is known here what was to stand on it: nobody asks the store again.
            receipt = receipt or next(
                (job.receipt for job in before if isinstance(job.receipt, Receipt)), None
            )
            if receipt is None or not receipt.check:
                return PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.NO_RECEIPT)
        return self._commit_new(wanted.request_id, wanted.paper, wanted.about, copy, actor, before, receipt)

    def _of(self, paper: PaperKind, about: str) -> list[PrintJob]:
        return [job for job in self._jobs.values() if (job.paper, job.about) == (paper, about)]

    def _waiting(self, paper: PaperKind, about: str) -> PrintJob | None:
        """The job of this paper that has yet to be sent, to be tried at once: two would bear one copy's number."""
        waiting = next(
            (job for job in self._of(paper, about) if job.is_waiting and not self._is_of_before(job)), None
        )
        if waiting is not None:
            self._tries, self._again_at = 0, 0
        return waiting

    def _is_of_before(self, job: PrintJob) -> bool:
        """Whether what it was to show of the open day has been closed since: drawn now it would be the next one's."""
        if job.paper is not PaperKind.X and (job.paper is not PaperKind.PICTURES or job.about not in _OPEN):
            return False
        return job.asked_at < self.day_began_at()

    def _copy_of(self, paper: PaperKind, about: str) -> int | PrintProblem:
        """Which copy the next print of a paper is; test page, X and pictures are papers of their own each time."""
        unread: int | PrintProblem = PrintProblem.CANNOT_READ
        return self._live_payments.read(lambda: self._counted(paper, about), unread)

    def _counted(self, paper: PaperKind, about: str) -> int | PrintProblem:
        if paper in (PaperKind.X, PaperKind.PICTURES, PaperKind.TEST):
            return 0
        # What is written, and what happened since and could not be.
        written = {job.number: job for job in self._journal.print_jobs_of(paper, about)}
        own = {job.number: job for job in self._of(paper, about)}
        copy = next_copy([*(written | own).values()])
        if paper is PaperKind.Z:
            return copy if self._journal.z(_number_in(about)) is not None else PrintProblem.NO_RECEIPT
        if paper is PaperKind.ELSEWHERE:
            # What its own counter and others have printed nobody here knows: it is a copy in any case.
            return max(copy, 1)
        if paper in SLIPS:
            number = _number_in(about)
            if self._journal.note(number) is None:
                return PrintProblem.NO_RECEIPT
            events = self._journal.events_of(subject_of_note(number))
            # Taken over from a damaged journal: what that one has printed, and who signed it, nobody here knows.
            return max(copy, 1) if any(each.kind == REFUND_RECOVERED for each in events) else copy
        attempt = self._live_payments.known(about)
        if attempt is None or not attempt.receipt or attempt.state not in MONEY:
            return PrintProblem.NO_RECEIPT
        if attempt.receipt_of != self._journal.installation_id:
            # Given by another installation: what that one has printed nobody here knows.
            return max(copy, 1)
        return copy

    def _commit_new(
        self,
        request_id: str,
        paper: PaperKind,
        about: str,
        copy: int,
        actor: str,
        before: Sequence[PrintJob],
        receipt: Receipt | None = None,
    ) -> PrintAnswered:
        """A job that somebody asked for, and the end of those it takes the place of: all in one transaction."""
        job = self._new(paper, about, copy, actor)
        if receipt is not None:
            job = replace(job, receipt=receipt)
        ended = [moved(each, JobState.LEFT, Why.ASKED_AGAIN) for each in before]
        kind = print_job.COPY_ASKED if copy else print_job.ASKED
        records = [
            *(self._record(print_job.LEFT, each, actor) for each in ended),
            self._record(kind, job, actor),
        ]
        if not self._commit(records):
            return PrintAnswered(request_id=request_id, problem=PrintProblem.CANNOT_RECORD)
        for each in [*ended, job]:
            self._note(each)
        return PrintAnswered(request_id=request_id, job=job)

    def _answered(self, wanted: AnswerPrint, actor: str) -> PrintAnswered:
        job = self._open(wanted.number)
        if job is None or job.state is not JobState.UNKNOWN:
            return PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.NO_SUCH_JOB)
        if wanted.seen:
            return self._ended(
                wanted.request_id, moved(job, JobState.PRINTED, Why.SEEN), actor, print_job.SEEN
            )
        if not self._has_printer:
            return PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.NO_PRINTER)
        waiting = self._waiting(job.paper, job.about)
        if waiting is not None:
            ended = self._ended(
                wanted.request_id, moved(job, JobState.LEFT, Why.ASKED_AGAIN), actor, print_job.LEFT
            )
            return ended if ended.problem is not PrintProblem.NONE else replace(ended, job=waiting)
        copy = self._copy_of(job.paper, job.about)
        if isinstance(copy, PrintProblem):
            return PrintAnswered(request_id=wanted.request_id, problem=copy)
        receipt = job.receipt if isinstance(job.receipt, Receipt) else None
        return self._commit_new(wanted.request_id, job.paper, job.about, copy, actor, [job], receipt)

    def _left(self, wanted: LeavePrint, actor: str) -> PrintAnswered:
        job = self._open(wanted.number)
        if job is None or JobState.LEFT not in print_job.NEXT[job.state]:
            return PrintAnswered(request_id=wanted.request_id, problem=PrintProblem.NO_SUCH_JOB)
        if job.number == self._at_printer:
            self._let_go(job.number)
        return self._ended(
            wanted.request_id, moved(job, JobState.LEFT, Why.NOT_WANTED), actor, print_job.LEFT
        )

    def _ended(self, request_id: str, job: PrintJob, actor: str, kind: str) -> PrintAnswered:
        if not self._commit([self._record(kind, job, actor)]):
            return PrintAnswered(request_id=request_id, problem=PrintProblem.CANNOT_RECORD)
        self._note(job)
        return PrintAnswered(request_id=request_id, job=job)

    def _open(self, number: int) -> PrintJob | None:
        """One of those in memory, or an older one."""
        found = self._jobs.get(number) or self._live_payments.print_job(number)
        return found if found is not None and found.is_open else None

    @property
    def _next(self) -> PrintJob | None:
        """The oldest of those that wait for the printer."""
        return min(
            (job for job in self._jobs.values() if job.is_waiting), key=lambda job: job.number, default=None
        )

    @property
    def due_at(self) -> int | None:
        """When `tick` has something to do."""
        if self._live_payments.halted:
            return None
        dues = [job.asked_at + EXPIRES_MS for job in self._jobs.values() if self._may_expire(job)]
        following = self._next if self._has_printer and not self._at_printer else None
        if self._unwritten:
            dues.append(max(self._again_at, self._clock.now()))
        if self._at_printer:
            dues.append(self._since + HANGS_MS)
        if following is not None:
            dues.append(max(self._again_at, self._rested_at(following), self._clock.now()))
        return min(dues, default=None)

    def _rested_at(self, job: PrintJob) -> int:
        """Not drawn sooner: it would take Python from the window just when that has a result to paint."""
        printing, now = self._config.printing, self._clock.now()
        is_fresh = printing is not None and 0 <= now - job.asked_at < printing.rests_ms
        return job.asked_at + printing.rests_ms if printing is not None and is_fresh else now

    def _may_expire(self, job: PrintJob) -> bool:
        return job.is_waiting and job.number != self._at_printer

    def tick(self, now: int) -> bool:
        """The next job goes to the printer; what has waited too long waits no longer. Whether anything changed."""
        if self._live_payments.halted:
            return False
        if self._at_printer and now >= self._since + HANGS_MS:
            self._leave_hanging()
            return True
        if not self._unwritten and self._next is None:
            return False
        old = [job for job in self._jobs.values() if self._may_expire(job) and is_expired(job, now)]
        for job in old:
            self._write(moved(job, JobState.EXPIRED, job.why), TERMINAL)
        if now < self._again_at:
            return bool(old)
        if not self._flush():
            self._wait(Why.CANNOT_RECORD)
            return True
        following = self._next
        if following is None or not self._has_printer or self._at_printer:
            return bool(old)
        if now < self._rested_at(following):
            return bool(old)
        self._prepare(following)
        return True

    def _prepare(self, job: PrintJob) -> None:
        content = self._live_payments.read(lambda: (self._content(job),), None)
        if content is None:
            self._wait(Why.CANNOT_RECORD)
        elif content[0] is None:
            self._give_up(job)
        else:
            job = self._jobs[job.number] = self._as_set(job)
            self._at_printer, self._since = job.number, self._clock.now()
            self._line.prepare(job, content[0])

    def _as_set(self, job: PrintJob) -> PrintJob:
        """For the printer that it goes to: another one, or other paper, may have been set while it waited."""
        printing = self._config.printing
        return job if printing is None else replace(job, printer=printing.printer, width=printing.width)

    def _content(self, job: PrintJob) -> PaperContent | None:
        """None for what is not there: a payment that is not paid any more has no receipt."""
        people = self._journal.people()
        content = PaperContent(
            environment=self._config.environment,
            printed=wall_of(self._clock.wall()),
            names={each.person_id: each.name for each in people},
        )
        match job.paper:
            case PaperKind.RECEIPT:
                attempt = self._journal.attempt(job.about)
                made = None
                if attempt is not None:
                    made = made_of(self._journal, self._journal.receipt_code, attempt, people)
                return None if made is None else replace(content, receipt=made)
            case PaperKind.Z:
                z = self._journal.z(_number_in(job.about))
                return None if z is None else replace(content, report=z)
            case PaperKind.X | PaperKind.PICTURES if self._is_of_before(job):
                return None
            case PaperKind.X:
                x = self.reads_x(job.about)
                return None if x is None else replace(content, report=x)
            case PaperKind.PICTURES:
                figures = self.reads_figures(_number_in(job.about))
                return None if figures is None else replace(content, figures=figures)
            case PaperKind.SLIP | PaperKind.SHOP_SLIP:
                note = self._journal.note(_number_in(job.about))
                return None if note is None else replace(content, note=note)
            case PaperKind.ELSEWHERE:
                made = job.receipt if isinstance(job.receipt, Receipt) else None
                counter_id = self._config.counter_id
                return None if made is None else replace(content, receipt=made, counter_id=counter_id)
            case PaperKind.TEST:
                return content

    def heard(self, news: PrintNews) -> None:
        """What came of a job at the printer. News of a job that is not there any more is none."""
        job = self._jobs.get(news.number)
        if job is None or news.number != self._at_printer:
            return
        match news:
            case PrinterReady() if job.is_waiting:
                self._send(job, news.picture)
            case PrinterHeld(why=Why.CANNOT_DRAW) if job.is_waiting:
                self._at_printer = 0
                self._give_up(job)
            case PrinterHeld() if job.is_waiting:
                self._at_printer = 0
                self._hold(job, news.why)
            case PrintEnded() if job.state is JobState.SENDING:
                self._at_printer = 0
                self._why, self._tries, self._again_at = Why.NONE, 0, 0
                self._write(moved(job, news.state, news.why), TERMINAL)

    def _give_up(self, job: PrintJob) -> None:
        """What cannot be drawn keeps no other job from its paper; it stands on the list, and is an original still."""
        self._write(moved(job, JobState.EXPIRED, Why.CANNOT_DRAW), TERMINAL)

    def _send(self, job: PrintJob, picture: str) -> None:
        """Written first; a disk that takes nothing lets nothing be printed."""
        sending = moved(job, JobState.SENDING, picture=picture)
        if not self._commit([self._record(print_job.KIND_OF[JobState.SENDING], sending, TERMINAL)]):
            self._let_go(job.number)
            self._wait(Why.CANNOT_RECORD)
            return
        self._note(sending)
        self._since = self._clock.now()
        self._line.send(job.number)

    def _leave_hanging(self) -> None:
        """What the line says of this job later is news of one that it has not in hand. The next is tried all the same:
        where the device goes on, so does the line.
        """
        job = self._jobs.get(self._at_printer)
        self._let_go(self._at_printer)
        if job is not None and job.state is JobState.SENDING:
            self._write(moved(job, JobState.UNKNOWN, Why.TOO_SLOW), TERMINAL)
        elif job is not None and job.is_waiting:
            self._hold(job, Why.NO_CONNECTION)

    def _let_go(self, number: int) -> None:
        self._at_printer = 0
        self._line.leave(number)

    def _hold(self, job: PrintJob, why: Why) -> None:
        """Tried again after a while; written once for each reason, not for each try."""
        self._wait(why)
        if (job.state, job.why) != (JobState.HELD, why):
            self._write(moved(job, JobState.HELD, why), TERMINAL)

    def _wait(self, why: Why) -> None:
        self._tries += 1
        self._again_at = self._clock.now() + retry_ms(self._tries)
        self._why = why


def _number_in(about: str) -> int:
    """The number of a Z or a refund note that a paper is about; -1, which none has, for a text that is no number."""
    return int(about) if about.isdecimal() and len(about) < 10 else -1
