"""The queue of the printer: nothing twice by itself, nothing without a durable SENDING, never in the way of money."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import State
from pos_app.domain.commands import AnswerPrint, CloseDay, LeavePrint, PrintPaper
from pos_app.domain.day import Copies
from pos_app.domain.people import TERMINAL
from pos_app.domain.print_job import KINDS, SLIPS, JobState, PaperKind, PrintJob, Why, job_in
from pos_app.domain.refund import REFUND_NOTED, REFUND_RECOVERED
from pos_app.domain.refund import content_of as content_of_note
from pos_app.domain.refund import subject_of as subject_of_note
from pos_app.domain.views import Block, PrintAnswered, PrintProblem, PrintView
from pos_app.engine.core.config import Printing, Reconfigured
from pos_app.engine.printing.news import PrintEnded, PrinterHeld, PrinterReady
from tests.support import receipts
from tests.support.memory_journal import MemoryJournal
from tests.unit.engine.recorder import PrinterNotes
from tests.unit.engine.rig import SITE, Rig


class Counter:
    """A till with a printer on a journal in memory."""

    def __init__(self, auto: str = "all") -> None:
        self.journal = MemoryJournal()
        self.rig = Rig(self.journal, replace(SITE, printing=Printing(printer="network", auto=auto)))
        self.line = PrinterNotes()
        self.restart()

    def restart(self) -> None:
        """What the printer was told is gone; what is written stands."""
        self.line.asked.clear()
        self.rig.restart_with(printer=self.line)

    def asked(self) -> list[tuple[Any, ...]]:
        """What was asked of the line since last time, without the contents."""
        found = [each[:2] for each in self.line.asked]
        self.line.asked.clear()
        return found

    def jobs(self) -> list[PrintJob]:
        """As they are written."""
        jobs = (job_in(each.content) for each in self.journal.records if each.kind in KINDS)
        return [*{job.number: job for job in jobs}.values()]

    def job(self, number: int = 1) -> PrintJob:
        """One of them."""
        return next(job for job in self.jobs() if job.number == number)

    @property
    def view(self) -> PrintView:
        """As it was last shown."""
        return self.rig.terminal.printing

    def wish(self, command: Any) -> PrintAnswered:
        """Somebody wants something of the queue."""
        self.rig.tell(command)
        return self.rig.last(PrintAnswered)

    def print(
        self, about: str, *, again: bool = False, paper: PaperKind = PaperKind.RECEIPT
    ) -> PrintAnswered:
        """Somebody wants paper."""
        return self.wish(PrintPaper(request_id="q", paper=paper, about=about, again=again))

    def printed(self, number: int = 1, state: JobState = JobState.SENT) -> None:
        """The printer takes it."""
        self.rig.tell(PrinterReady(number, "sha"))
        self.rig.tell(PrintEnded(number, state))


@pytest.fixture
def counter() -> Counter:
    return Counter()


def test_a_receipt_is_asked_for_with_the_money_and_sent_once_that_is_durable(counter: Counter) -> None:
    attempt_id = counter.rig.pay()
    kinds = [each.kind for each in counter.journal.records]
    assert kinds[kinds.index("STATUS_ANSWERED") + 1] == "PRINT_QUEUED"
    assert counter.asked() == [("prepare", 1)]
    counter.rig.tell(PrinterReady(1, "sha"))
    assert counter.job().state is JobState.SENDING, "durable before the first byte"
    assert counter.asked() == [("send", 1)]
    assert counter.view.printing == 1
    counter.rig.tell(PrintEnded(1, JobState.PRINTED))
    job = counter.job()
    assert (job.state, job.about, job.copy, job.picture) == (JobState.PRINTED, attempt_id, 0, "sha")
    assert counter.view.unprinted == ()
    assert counter.asked() == []


def test_a_receipt_is_not_drawn_while_its_result_is_being_painted() -> None:
    """It rests first, where there is a window; what waited longer for another reason does not rest again."""
    counter = Counter()
    printing = Printing(printer="network", auto="all", rests_ms=250)
    counter.rig = Rig(counter.journal, replace(SITE, printing=printing))
    counter.restart()
    counter.rig.pay()
    counter.rig.wait(0.2)
    assert counter.asked() == []
    counter.rig.wait(0.05)
    assert counter.asked() == [("prepare", 1)]
    counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    counter.rig.wait(1)
    assert counter.asked() == [("prepare", 1)]


def test_the_job_lies_in_the_transaction_of_the_money(counter: Counter) -> None:
    """A till that dies right after the money has the job, too."""
    written: list[list[str]] = []
    append = counter.journal.append

    def noted(records: Any) -> int:
        written.append([each.kind for each in records])
        return append(records)

    counter.journal.append = noted  # type: ignore[method-assign]
    counter.rig.pay()
    assert ["STATUS_ANSWERED", "PRINT_QUEUED"] in written


@pytest.mark.parametrize("auto", ["ask", "off"])
def test_a_till_that_does_not_print_by_itself_prints_when_asked(auto: str) -> None:
    counter = Counter(auto)
    attempt_id = counter.rig.pay()
    assert counter.asked() == []
    assert counter.print(attempt_id).problem is PrintProblem.NONE
    assert counter.asked() == [("prepare", 1)]
    assert [each.kind for each in counter.journal.records if each.kind in KINDS] == ["PRINT_ASKED"]


def test_a_till_without_a_printer_says_so_and_sells_as_ever() -> None:
    rig = Rig(MemoryJournal()).start()
    attempt_id = rig.pay()
    rig.tell(PrintPaper(request_id="q", paper=PaperKind.RECEIPT, about=attempt_id))
    assert rig.last(PrintAnswered).problem is PrintProblem.NO_PRINTER
    assert rig.terminal.printing == PrintView()


def test_what_waits_is_tried_again_and_its_reason_written_once(counter: Counter) -> None:
    counter.rig.pay()
    gaps = []
    for _ in range(8):
        at = counter.rig.clock.ms
        while not counter.asked():
            counter.rig.wait(0.5)
        gaps.append(round((counter.rig.clock.ms - at) / 1000))
        counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    assert gaps == [0, 1, 2, 4, 8, 16, 30, 30]
    assert [each.kind for each in counter.journal.records if each.kind in KINDS] == [
        "PRINT_QUEUED",
        "PRINT_HELD",
    ]
    assert (counter.view.why, counter.view.unprinted[0].why) == (Why.PAPER_OUT, Why.PAPER_OUT)
    assert counter.view.amounts == {counter.view.unprinted[0].number: (Decimal("12.50"), "LKR")}
    counter.rig.tell(PrinterHeld(1, Why.COVER_OPEN))
    assert counter.view.why is Why.PAPER_OUT, "nobody is at the printer: old news"


def test_new_paper_at_noon_does_not_print_the_morning(counter: Counter) -> None:
    attempt_id = counter.rig.pay()
    counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    for _ in range(200):
        counter.rig.wait(5)
        if counter.asked():
            counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    assert counter.job().state is JobState.EXPIRED
    assert [job.number for job in counter.view.unprinted] == [1]
    assert counter.asked() == []
    # By hand, and still an original: no byte of it has left.
    answer = counter.print(attempt_id)
    assert answer.job is not None
    assert (answer.job.number, answer.job.copy) == (2, 0)
    assert counter.job(1).state is JobState.LEFT
    counter.printed(2)
    assert counter.view.unprinted == ()


def test_another_counters_copy_that_did_not_come_out_is_printed_by_hand_from_what_is_known(
    counter: Counter,
) -> None:
    """The list of what did not print names it alone: what was to stand on it is in its job, and no store is asked."""
    receipt = replace(receipts.sandboxed(), check="7K2MQ9XBWA")
    wish = PrintPaper(
        request_id="q", paper=PaperKind.ELSEWHERE, about=receipt.attempt_id, again=True, receipt=receipt
    )
    assert counter.wish(wish).job is not None
    counter.rig.tell(PrinterHeld(1, Why.CANNOT_DRAW))
    assert counter.job(1).state is JobState.EXPIRED
    answer = counter.print(receipt.attempt_id, paper=PaperKind.ELSEWHERE)
    assert answer.job is not None
    assert (answer.job.number, answer.job.copy, answer.job.receipt) == (2, 1, receipt)
    counter.printed(2)
    # With nothing of it known here there is nothing to print.
    assert counter.print("SBX-TQ4W7Z2XA-0009-1-K7Q2M9", paper=PaperKind.ELSEWHERE).problem is (
        PrintProblem.NO_RECEIPT
    )


def test_after_a_restart_what_was_being_sent_is_asked_about_and_never_sent(counter: Counter) -> None:
    attempt_id = counter.rig.pay()
    counter.rig.tell(PrinterReady(1, "sha"))
    counter.restart()
    counter.rig.wait(60)
    job = counter.job()
    assert (job.state, job.why) == (JobState.UNKNOWN, Why.TILL_STOPPED)
    assert counter.asked() == []
    assert counter.view.unprinted == (job,)
    assert counter.print(attempt_id).problem is PrintProblem.ORIGINAL_USED


def test_after_a_restart_what_waited_goes_on(counter: Counter) -> None:
    counter.rig.pay()
    counter.restart()
    counter.rig.wait(1)
    assert counter.asked() == [("prepare", 1)]
    counter.printed()
    assert counter.job().state is JobState.SENT


def test_unknown_is_answered_it_is_there(counter: Counter) -> None:
    counter.rig.pay()
    counter.printed(state=JobState.UNKNOWN)
    answer = counter.wish(AnswerPrint(request_id="q", number=1, seen=True))
    assert answer.problem is PrintProblem.NONE
    assert counter.job().state is JobState.PRINTED
    assert counter.journal.records[-1].kind == "PRINT_SEEN"
    assert counter.wish(AnswerPrint(request_id="q", number=1, seen=False)).problem is PrintProblem.NO_SUCH_JOB
    assert counter.asked() == [("prepare", 1), ("send", 1)]


def test_what_somebody_is_asked_about_is_shown_however_much_came_after_it(counter: Counter) -> None:
    """Behind twenty others that did not come out it was asked on no screen. The newest of those stand beside it."""
    counter.rig.pay()
    counter.printed(state=JobState.UNKNOWN)
    for number in range(2, 27):
        counter.print(f"person-{number}", paper=PaperKind.X)
        counter.rig.tell(PrinterHeld(number, Why.CANNOT_DRAW))
    assert [job.number for job in counter.view.unprinted] == [1, *range(8, 27)]
    counter.wish(AnswerPrint(request_id="q", number=1, seen=True))
    assert [job.number for job in counter.view.unprinted] == [*range(7, 27)]


def test_unknown_is_answered_print_again_and_the_second_is_a_copy(counter: Counter) -> None:
    counter.rig.pay()
    counter.printed(state=JobState.UNKNOWN)
    answer = counter.wish(AnswerPrint(request_id="q", number=1, seen=False))
    assert answer.job is not None
    assert (answer.job.copy, counter.job(1).state) == (1, JobState.LEFT)
    counter.printed(2)
    again = counter.print(answer.job.about, again=True)
    assert again.job is not None
    assert again.job.copy == 2


def test_a_second_wish_for_what_waits_is_the_same_job_tried_at_once(counter: Counter) -> None:
    attempt_id = counter.rig.pay()
    counter.rig.tell(PrinterHeld(1, Why.OFFLINE))
    counter.rig.wait(1.5)
    counter.rig.tell(PrinterHeld(1, Why.OFFLINE))
    counter.asked()
    answer = counter.print(attempt_id)
    assert answer.job is not None
    assert answer.job.number == 1
    assert counter.asked() == [("prepare", 1)]


def test_what_waited_is_drawn_for_the_paper_that_is_set_by_then(counter: Counter) -> None:
    """Whoever corrected the width got the test page of before, too wide for its paper."""
    counter.print("", paper=PaperKind.TEST)
    counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    narrow = replace(SITE, printing=Printing(printer="device", width=58))
    counter.rig.tell(Reconfigured(config=narrow, who="person-1", changed=("printer.kind", "printer.width")))
    counter.print("", paper=PaperKind.TEST)
    counter.printed()
    assert (counter.job().width, counter.job().printer) == (58, "device")
    assert counter.line.drawn[-1].width == 58


def test_nothing_is_printed_that_cannot_be_written_first(counter: Counter) -> None:
    counter.rig.pay()
    counter.journal.full = True
    counter.rig.tell(PrinterReady(1, "sha"))
    assert counter.asked() == [("prepare", 1), ("leave", 1)]
    assert counter.job().state is JobState.QUEUED
    assert counter.view.why is Why.CANNOT_RECORD
    assert counter.rig.terminal.block is Block.NONE, "a receipt that cannot be printed halts no sale"
    counter.rig.wait(1)
    counter.rig.tell(PrinterReady(1, "sha"))
    assert counter.asked() == [("prepare", 1), ("leave", 1)]
    counter.journal.full = False
    counter.rig.wait(40)
    assert counter.asked() == [("prepare", 1)]
    counter.printed()
    assert counter.job().state is JobState.SENT


def test_money_that_comes_while_nothing_can_be_written_is_paid_and_not_printed(counter: Counter) -> None:
    attempt_id = counter.rig.charge()
    counter.rig.initiated()
    counter.journal.full = True
    counter.rig.wait(3)
    counter.rig.asked("Payment Success")
    assert counter.rig.attempt(attempt_id).receipt == 1
    assert counter.asked() == []
    counter.journal.full = False
    counter.rig.wait(5)
    assert counter.asked() == [("prepare", 1)]


def test_jobs_are_printed_one_after_the_other(counter: Counter) -> None:
    first = counter.rig.pay()
    counter.rig.pay(another_customer=True)
    assert counter.asked() == [("prepare", 1)]
    counter.printed(1)
    assert counter.asked() == [("send", 1), ("prepare", 2)]
    assert counter.job(1).about == first
    counter.printed(2)
    assert [job.state for job in counter.jobs()] == [JobState.SENT] * 2


def test_what_cannot_be_drawn_is_in_nobodys_way(counter: Counter) -> None:
    counter.rig.pay()
    counter.rig.pay(another_customer=True)
    counter.rig.tell(PrinterHeld(1, Why.CANNOT_DRAW))
    assert counter.job(1).state is JobState.EXPIRED
    assert counter.asked() == [("prepare", 1), ("prepare", 2)]


def test_what_nobody_wants_is_left_and_the_original_is_still_there(counter: Counter) -> None:
    attempt_id = counter.rig.pay()
    assert counter.wish(LeavePrint(request_id="q", number=1)).problem is PrintProblem.NONE
    assert counter.asked() == [("prepare", 1), ("leave", 1)]
    counter.rig.tell(PrinterReady(1, "sha"))
    assert counter.job().state is JobState.LEFT
    answer = counter.print(attempt_id)
    assert answer.job is not None
    assert (answer.job.number, answer.job.copy) == (2, 0)
    counter.rig.tell(PrinterReady(2, "sha"))
    assert counter.wish(LeavePrint(request_id="q", number=2)).problem is PrintProblem.NO_SUCH_JOB


def test_what_is_no_money_has_no_receipt(counter: Counter) -> None:
    open_ = counter.rig.charge()
    assert counter.print(open_).problem is PrintProblem.NO_RECEIPT
    assert counter.print("T7K3M9QRD-0123-1").problem is PrintProblem.NO_RECEIPT
    assert counter.print("1", paper=PaperKind.Z).problem is PrintProblem.NO_RECEIPT
    assert counter.print("Z", paper=PaperKind.Z).problem is PrintProblem.NO_RECEIPT


def test_what_another_installation_took_is_a_copy(counter: Counter) -> None:
    """Nobody here knows what it has printed."""
    attempt_id = counter.rig.pay()
    counter.wish(LeavePrint(request_id="q", number=1))
    counter.journal.installation_id = "ABCDEFGH"
    assert counter.print(attempt_id).problem is PrintProblem.ORIGINAL_USED
    answer = counter.print(attempt_id, again=True)
    assert answer.job is not None
    assert answer.job.copy == 1


@pytest.mark.parametrize("paper", SLIPS)
def test_a_slip_of_a_note_that_was_taken_over_is_a_copy(counter: Counter, paper: PaperKind) -> None:
    """The damaged record's till may have printed both, and somebody signed: a second one looked like the first."""
    rig = counter.rig
    rig.pay()
    for kind, number in ((REFUND_RECOVERED, 7), (REFUND_NOTED, 8)):
        content = content_of_note(receipts.refund_note(number=number))
        counter.journal.append([rig.record(kind, subject_of_note(number), TERMINAL, content=content)])
    assert counter.print("7", paper=paper).problem is PrintProblem.ORIGINAL_USED
    answer = counter.print("7", paper=paper, again=True)
    assert answer.job is not None
    assert answer.job.copy == 1
    answer = counter.print("8", paper=paper)
    assert answer.job is not None
    assert answer.job.copy == 0


def test_a_z_has_its_job_in_its_own_transaction_and_a_second_print_is_a_copy() -> None:
    counter = Counter("off")
    counter.rig.tell(CloseDay(request_id="c"))
    assert [each.kind for each in counter.journal.records[-2:]] == ["Z_CLOSED", "PRINT_QUEUED"]
    assert counter.asked() == [("prepare", 1)]
    counter.printed()
    assert counter.print("1", paper=PaperKind.Z).problem is PrintProblem.ORIGINAL_USED
    again = counter.print("1", paper=PaperKind.Z, again=True).job
    assert again is not None
    assert again.copy == 1


def test_a_z_names_who_had_copies_made_and_what_is_not_on_paper(counter: Counter) -> None:
    """And not its own paper, which comes behind it."""
    attempt_id = counter.rig.pay()
    counter.printed()
    counter.print(attempt_id, again=True)
    counter.printed(2, JobState.UNKNOWN)
    counter.rig.tell(CloseDay(request_id="c"))
    z = counter.journal.z(1)
    assert z is not None
    assert z.copies == (Copies(TERMINAL, 1),)
    (open_,) = z.unprinted
    assert (open_.about, open_.state, open_.copy) == (attempt_id, "UNKNOWN", 1)
    assert open_.receipt.endswith("-R000001")


def test_each_test_page_is_an_original(counter: Counter) -> None:
    for number in (1, 2):
        counter.print("", paper=PaperKind.TEST)
        counter.printed(number)
    assert [job.copy for job in counter.jobs()] == [0, 0]


def test_the_printer_blocks_no_sale(counter: Counter) -> None:
    """However long it says nothing."""
    for _ in range(5):
        attempt_id = counter.rig.charge(another_customer=True)
        counter.rig.initiated()
        counter.rig.wait(3)
        counter.rig.asked("Payment Success", attempt_id)
        assert counter.rig.state(attempt_id) is State.PAID
    assert counter.rig.terminal.block is Block.NONE
    assert counter.asked() == [("prepare", 1)]


def test_a_line_that_hangs_hides_nothing(counter: Counter) -> None:
    """A device that keeps the call (a spooler that prints past its queue, a disk that is away) ends no thread."""
    counter.rig.pay()
    counter.rig.pay(another_customer=True)
    assert counter.asked() == [("prepare", 1)]
    counter.rig.wait(62)
    assert (counter.job().state, counter.job().why) == (JobState.HELD, Why.NO_CONNECTION)
    assert counter.view.why is Why.NO_CONNECTION
    assert counter.asked() == [("leave", 1), ("prepare", 1)], "it is tried again"
    counter.rig.tell(PrinterReady(1, "sha"))
    assert counter.asked() == [("send", 1)]
    counter.rig.wait(62)
    job = counter.job()
    assert (job.state, job.why, job.began) == (JobState.UNKNOWN, Why.TOO_SLOW, True), "a person is asked"
    assert counter.view.printing == 0
    assert counter.asked() == [("leave", 1), ("prepare", 2)]
    counter.rig.tell(PrinterReady(1, "sha"))
    counter.rig.tell(PrintEnded(1, JobState.PRINTED))
    assert counter.job().state is JobState.UNKNOWN
    counter.rig.tell(PrinterReady(2, "sha"))
    counter.rig.tell(PrintEnded(2, JobState.PRINTED))
    assert counter.job(2).state is JobState.PRINTED
    assert ("send", 1) not in counter.asked()


def test_news_of_another_job_change_nothing(counter: Counter) -> None:
    counter.rig.pay()
    for news in (
        PrinterReady(7, "x"),
        PrintEnded(1, JobState.SENT),
        PrintEnded(7, JobState.SENT),
        PrinterHeld(7, Why.BUSY),
    ):
        counter.rig.tell(news)
    assert counter.job().state is JobState.QUEUED


def test_what_happened_while_nothing_could_be_written_is_written_later(counter: Counter) -> None:
    """And nothing else is printed before that."""
    counter.rig.pay()
    counter.rig.pay(another_customer=True)
    counter.rig.tell(PrinterReady(1, "sha"))
    counter.journal.full = True
    counter.rig.tell(PrintEnded(1, JobState.SENT))
    assert counter.job().state is JobState.SENDING
    assert counter.asked() == [("prepare", 1), ("send", 1)]
    assert counter.rig.terminal.block is Block.NONE
    counter.rig.wait(10)
    assert counter.asked() == []
    counter.journal.full = False
    counter.rig.wait(40)
    assert counter.job().state is JobState.SENT
    assert counter.asked() == [("prepare", 2)]


def test_an_x_is_of_the_moment_it_is_printed_and_each_is_a_paper_of_its_own(counter: Counter) -> None:
    counter.wish(PrintPaper(request_id="q", paper=PaperKind.X, about="person-1"))
    _, _, content = counter.line.asked.popleft()
    assert content.report.whose == "person-1"
    assert content.receipt is None
    counter.printed()
    counter.print("", paper=PaperKind.X)
    assert [job.copy for job in counter.jobs()] == [0, 0]


@pytest.mark.parametrize(("paper", "about"), [(PaperKind.X, ""), (PaperKind.PICTURES, "0")])
def test_what_was_asked_of_a_day_is_not_printed_of_the_next(
    counter: Counter, paper: PaperKind, about: str
) -> None:
    """Paper came after the closing: an X of nothing would have been taken for the day's. It is told, and asked anew."""
    counter.print(about, paper=paper)
    counter.rig.tell(PrinterHeld(1, Why.PAPER_OUT))
    counter.rig.wait(0.5)
    counter.rig.tell(CloseDay(request_id="c1", wait_s=0, reconcile=False))
    counter.line.asked.clear()
    again = counter.print(about, paper=paper).job
    assert again is not None
    assert again.number != 1, "what waits from before is not this one"
    counter.rig.wait(60)
    assert (counter.job().state, counter.job().why) == (JobState.EXPIRED, Why.CANNOT_DRAW)
    prepared = [each[1] for each in counter.line.asked if each[0] == "prepare"]
    assert 1 not in prepared
    counter.printed(2)  # the Z
    counter.rig.wait(1)
    assert counter.line.asked[-1][1] == again.number


def test_a_receipt_has_what_the_journal_says(counter: Counter) -> None:
    attempt_id = counter.rig.pay()
    _, _, content = counter.line.asked.popleft()
    assert (content.receipt.attempt_id, content.receipt.number) == (attempt_id, "SBX-T23456789-R000001")
    assert content.report is None


def test_no_two_papers_are_the_same_copy(counter: Counter) -> None:
    """Asked for again in two ways while the printer has no paper: one waits for it, and the other wish finds that."""
    attempt_id = counter.rig.pay()
    counter.printed(1, JobState.UNKNOWN)
    waiting = counter.print(attempt_id, again=True).job
    assert waiting is not None
    counter.rig.wait(1)
    counter.rig.tell(PrinterHeld(2, Why.PAPER_OUT))
    again = counter.wish(AnswerPrint(request_id="z", number=1, seen=False))
    assert again.job is not None
    assert again.job.number == waiting.number
    counter.rig.wait(40)
    counter.printed(2)
    assert [(each.number, each.copy, each.state) for each in counter.jobs()] == [
        (1, 0, JobState.LEFT),
        (2, 1, JobState.SENT),
    ]
