"""What the screens of the counter's day say in English: takings so far, closing, closed days. No logic."""

from __future__ import annotations

from pos_app.domain.receipt import Verdict
from pos_app.domain.views import DayProblem
from pos_app.i18n.table import Plural, Table


class Day(Table):
    """The words; English until told otherwise."""

    TITLE = "The day"
    TITLE_Z = "Z {number}"
    CLOSE = "Close"
    SINCE = "Open since {time}."
    SINCE_NEVER = "Nothing was recorded yet."
    WHICH = "Report"
    OWN = "My takings so far"
    WHOLE = "The whole till so far"
    CLOSED = "Z {number}"
    READING = "Reading…"
    CHANGED = "This Z is not as it was closed, or does not follow the one before it: the record was changed."

    PRINT = "Print"
    PICTURES = "Pictures"
    CLOSE_DAY = "Close the day"
    CLOSE_ASK = "Close the day?"
    CLOSE_MORE = "Takings are counted and a Z report is made. It cannot be undone. Selling goes on: the next sale is of the new day."
    CLOSE_OPEN = Plural(
        one="One payment is open or waits for an answer: it stays so, and the report names it.",
        other="{count} payments are open or wait for an answer: they stay so, and the report names them.",
    )
    CLOSE_YES = "Close the day"
    CLOSE_NO = "Not now"
    ASKING = "The service is asked about open payments: {asked} of {count}."
    COUNTING = "The payments are counted…"
    DONE = "The day is closed."
    DONE_OWN = "The day is closed. A manager prints the Z report."
    INTERRUPTED = "A closing was interrupted: finish it, or leave the day open."
    FINISH = "Finish closing"
    LEAVE = "Leave it open"
    LEFT = "The day stays open."

    OVERDUE = "The day of {date} is still open: close it."
    OVERDUE_INTERRUPTED = "Closing the day was interrupted."
    SHOW = "Show"

    CHECKED = "Z report checked"
    VERDICT = {
        Verdict.OURS: "This report is ours and unchanged: the till’s record is still the one it was printed from.",
        Verdict.CHANGED: "DO NOT TRUST THE RECORD: its Z {number} is not the one on this paper. An older copy was put back, or the record was changed, or the paper is forged. Call the manager.",
        Verdict.MISSING: "THE RECORD IS OLDER THAN THIS PAPER: it has no Z {number}. An older copy was put back, or the paper is forged. Call the manager.",
        Verdict.FOREIGN: "This report is not this till’s.",
    }
    BEFORE = "This report is of the record before this one, which was damaged or replaced. Nothing here tells whether it is unchanged. Call the manager."
    Z_OF = "Z {number} of {date}"
    LAST_OF = "The last in the record is Z {number} of {date}."
    LAST_NONE = "There is no Z in the record."

    PROBLEM = {
        DayProblem.CANNOT_RECORD: "It could not be recorded: the disk does not take it. The day is still open.",
        DayProblem.CANNOT_READ: "The record cannot be read just now. Nothing was changed.",
        DayProblem.BEING_CLOSED: "The day is being closed already.",
        DayProblem.NO_SUCH_CLOSING: "This closing is over already.",
        DayProblem.NO_SUCH_Z: "There is no such report.",
    }


words = Day()
