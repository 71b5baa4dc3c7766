"""What the screens say of paper in English: what prints, what did not and why, what a person is asked. No logic."""

from __future__ import annotations

from pos_app.domain.print_job import SLIPS, JobState, PaperKind, PrintJob, Why
from pos_app.domain.refund import shown_note
from pos_app.domain.views import PrintProblem, PrintView
from pos_app.i18n.table import Plural, Table


class Printing(Table):
    """The words; English until told otherwise."""

    TITLE = "What did not print"
    CLOSE = "Close"
    SHOW = "Show"
    NOTHING = "Nothing waits for paper."
    NO_PRINTER = "This counter has no printer."

    WAITS = "Not printed: {why}. It is tried again."
    ASKS = Plural(
        one="One print may lie on paper, or may not: somebody has to look.",
        other="{count} prints may lie on paper, or may not: somebody has to look.",
    )
    UNPRINTED = Plural(one="One print did not come out.", other="{count} prints did not come out.")

    RECEIPT = "Receipt of sale {sale}"
    PAPER = {
        PaperKind.X: "X report",
        PaperKind.Z: "Z report {number}",
        PaperKind.PICTURES: "Pictures of the day",
        PaperKind.TEST: "Test page",
        PaperKind.SLIP: "Slip of refund note {number}, the customer’s",
        PaperKind.SHOP_SLIP: "Slip of refund note {number}, the shop’s",
        PaperKind.ELSEWHERE: "Another counter’s receipt",
    }
    COPY = "{paper}, copy {number}"
    WAITING = "Waits: {why}"
    EXPIRED = "Not printed: {why}"
    LOOK = "Is it on paper? ({why})"
    THERE = "It is there"
    AGAIN = "Print again, as a copy"
    NOW = "Print now"
    NOT_WANTED = "Not wanted"
    TEST = "Print a test page"

    WHY = {
        Why.NO_CONNECTION: "the printer cannot be reached",
        Why.OFFLINE: "the printer is off line",
        Why.COVER_OPEN: "the printer’s cover is open",
        Why.PAPER_OUT: "the printer has no paper",
        Why.BUSY: "another program has the printer",
        Why.NO_SUCH_PRINTER: "there is no such printer",
        Why.CANNOT_DRAW: "it cannot be drawn",
        Why.CANNOT_RECORD: "the journal cannot be written",
        Why.BROKE_OFF: "the printer broke off",
        Why.TOO_SLOW: "the printer did not finish",
        Why.TILL_STOPPED: "the till was stopped while it printed",
    }
    WHY_OTHER = "it was not its turn"

    PRINT_RECEIPT = "Print the receipt"
    COPY_ASK = "Print a copy?"
    COPY_MORE = "{paper}: it was printed already, or may have been. What is printed now is marked COPY."
    COPY_YES = "Print a copy"
    COPY_NO = "No"

    PROBLEM = {
        PrintProblem.NO_PRINTER: "This counter has no printer.",
        PrintProblem.NO_RECEIPT: "There is no receipt to print.",
        PrintProblem.ORIGINAL_USED: "It was printed already.",
        PrintProblem.NO_SUCH_JOB: "This was settled meanwhile.",
        PrintProblem.CANNOT_RECORD: "The journal cannot be written just now, so nothing is printed.",
        PrintProblem.CANNOT_READ: "The journal cannot be read just now, so nothing is printed.",
    }

    def why(self, why: Why) -> str:
        """A reason, in the middle of a sentence."""
        return self.WHY.get(why, self.WHY_OTHER)

    def mark(self, view: PrintView) -> str:
        """What the strip says of paper; "" where all is well. A question comes first."""
        asked = sum(job.state is JobState.UNKNOWN for job in view.unprinted)
        if asked:
            return self.ASKS.of(asked)
        if view.why is not Why.NONE:
            return self.WAITS.format(why=self.why(view.why))
        unprinted = sum(job.state is JobState.EXPIRED for job in view.unprinted)
        return self.UNPRINTED.of(unprinted) if unprinted else ""

    def paper(self, job: PrintJob) -> str:
        """What a job prints; a receipt by its sale."""
        said = self.RECEIPT.format(sale=job.sale_id)
        if job.paper is not PaperKind.RECEIPT:
            number = shown_note(int(job.about)) if job.paper in SLIPS else job.about
            said = self.PAPER[job.paper].format(number=number)
        return self.COPY.format(paper=said, number=job.copy) if job.copy else said

    def state(self, job: PrintJob) -> str:
        """Where it is, and why."""
        return self.where(job.state, job.why)

    def where(self, state: JobState, why: Why) -> str:
        """The same of any job that is not over."""
        said = {JobState.UNKNOWN: self.LOOK, JobState.EXPIRED: self.EXPIRED}.get(state, self.WAITING)
        return said.format(why=self.why(why))


words = Printing()
