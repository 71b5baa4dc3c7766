"""What the screens say of payments of the shop's other counters: that it was told, when, and never that money came. No logic."""

from __future__ import annotations

from pos_app.domain.elsewhere import Proof, Unanswered
from pos_app.i18n.table import Plural, Table


class ElsewhereWords(Table):
    """The words; English until told otherwise."""

    OPEN = "Other counters"
    OPEN_SAID = "Look up a payment of another counter"
    TITLE = "Payments of other counters"
    HINT = "Say what is in hand, or scan the receipt. All that is given has to fit."
    NUMBER = "Receipt number or id"
    AMOUNT = "Amount"
    DIGITS = "Last digits of the number"
    FROM = "From"
    TO = "To"
    ASK = "Look up"
    CLOSE = "Close"
    ASKING = "The central store is being asked…"
    LIST = "Payments of other counters, newest first"
    ROW = "{counter} · told {time} · {by}"
    HERE = "this counter"
    NONE = "No counter of this shop has told of such a payment. One that has not told it yet may have it: ask there."
    NONE_SINCE = "No counter of this shop has told of such a payment since {day}. One that has not told it yet may have it: ask there."
    MORE = "There are more than these: say more of the payment."
    UNREAD = Plural(
        one="One more was told by another version of the till: look at its own counter.",
        other="{count} more were told by another version of the till: look at their own counters.",
    )

    PROBLEM = {
        Unanswered.NO_STORE: "This counter belongs to no central store. Nothing was asked.",
        Unanswered.AWAY: "The central store does not answer. Nothing was found out: such a payment may be there or not. Try again, or ask at the other counter.",
        Unanswered.REFUSED: "The central store does not take this counter’s questions. Nothing was found out. Call a manager.",
        Unanswered.BUSY: "The central store cannot answer just now. Nothing was found out. Try again in a moment.",
        Unanswered.FIELD: "The central store cannot read this question. Nothing was found out.",
        Unanswered.NO_CODE: "This is no code of a receipt.",
        Unanswered.NOT_ALLOWED: "Sign in to see payments.",
    }
    BUSY_FOR = "Too many were looked up within a minute. Nothing was found out. Try again in {seconds} s."

    BAD_NUMBER = "At most {most} letters, digits and signs, for example {example}."
    BAD_AMOUNT = "An amount has at most {digits} digits after the point, for example {example}."
    BAD_DIGITS = "The last 2 to 15 digits, for example 567."
    BAD_TIME = "A day or a time, for example 2026-03-01 or 2026-03-01 14:30."
    BAD_ORDER = "The first time is after the last."
    TOO_LONG = "At most {most} days at once: a later first day."
    NOTHING = "At least one of these, for example the number on the receipt."

    CARD = "Payment of another counter"
    PAPER = "Receipt of another counter"
    COUNTER_IS = "{name}, no. {number}"
    STATE_TOLD = "{state}, as told at {time}"
    AS_TOLD = "As its own counter told it then: it may be over by now. It is no payment of this counter, and stands in no list or sum here."
    OWN = "It is a payment of this very counter: Today (F4) has it."
    VERDICT = {
        Proof.UNCHANGED: "This receipt is unchanged, as {counter} told it.",
        Proof.CHANGED: "DO NOT TRUST IT: {counter} gave that number, but to another payment, amount or time.",
        Proof.MISSING: "NOT PROVEN: no counter of this shop has told of that number. It is forged, another shop’s, or not told yet: ask at the counter that stands on it.",
        Proof.UNPROVEN: "It cannot be proven here: its own counter can tell.",
    }
    NOT_HERE = "This receipt is not this till’s."
    PRINT = "Print a copy"
    COPY_ASKED = "Copy {number} goes to the printer."
    NO_COPY = "It has no receipt that could be copied here."
    IN_DISPUTE = "It is in dispute: there is no receipt to copy."


words = ElsewhereWords()
