"""What looking payments up says in English. No decisions."""

from __future__ import annotations

from pos_app.domain.views import StaffProblem
from pos_app.i18n.table import Table


class FindWords(Table):
    """The words; English until told otherwise."""

    TITLE = "Today’s payments"
    TITLE_ALL = "Payments"
    TITLE_DAY = "Payments of {day}"
    DAY_BEFORE = "The day before"
    DAY_AFTER = "The day after"
    ALL = "All"
    PAID = "Paid"
    NOT_PAID = "Not paid"
    MINE = "Mine"
    TOTAL = "{count} paid · {money}"
    OPEN = "Today"
    OPEN_SAID = "Today’s payments: look one up"
    SEARCH = "Search"
    EXAMPLE = "Amount, last digits, reference"
    HINT = "By amount, last digits of the number, invoice, reference, sale number or state."
    LIST = "Payments found, newest first"
    LOOKING = "Looking…"
    NONE_TODAY = "No payments today yet."
    NONE_EVER = "There are no payments."
    NO_MATCH_TODAY = "No payment of today fits “{text}”."
    NONE_OF_DAY = "No payment of that day fits."
    NO_MATCH_EVER = "No payment fits “{text}”."
    NO_MATCH_SO_FAR = "No payment back to {date} fits “{text}”."
    EARLIER = "Look through earlier days"
    CLOSE = "Close"
    EARLIER_DAY = "{day}, {time}"
    BY_QR = "sale {sale} · QR"
    BY_PUSH = "sale {sale} · phone {mask}"
    WITH_TEXT = "{line} · {text}"
    SPOKEN = "{money}, {state}, {time}, {line}"
    PROBLEM = {
        StaffProblem.CANNOT_READ: "The record of payments cannot be read just now. Try again in a moment, "
        "or call a manager.",
        StaffProblem.LOCKED: "The till is locked. Unlock it to see payments.",
        StaffProblem.NOT_SIGNED_IN: "Sign in to see payments.",
    }
    UNKNOWN = "Payments cannot be looked up just now. Try again, or call a manager."


words = FindWords()
