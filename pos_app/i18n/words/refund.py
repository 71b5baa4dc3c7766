"""What the screens and papers say of refund notes in English: that money back was noted, never that it was paid. No logic."""

from __future__ import annotations

from pos_app.domain.refund import Note, NoteProblem, NoteReason, NoteState, NoteWay
from pos_app.i18n.table import Plural, Table


class Refund(Table):
    """The words; English until told otherwise."""

    TITLE = "Money back"
    KEY = "Money back"
    NOTED = "Money back noted"
    MORE = "Money goes back outside this till, which can neither move nor see it. What is noted here is what people say."
    NONE = "Nothing is noted."
    BEFORE = "It was answered with money back, and no note was made of it."
    READING = "Reading…"
    CLOSE = "Close"

    NEW = "Note money back"
    NEW_TITLE = "Note money back: {money}, sale {sale}"
    NEW_MORE = "The till moves no money. It writes down that this much goes back outside it, and prints two slips: one to sign."
    AMOUNT = "Amount"
    AT_MOST = "At most {money}"
    WHY = "Reason"
    IN_WORDS = "In words"
    WAY = "How"
    RECEIVER = "Who gets it"
    RECEIVER_EXAMPLE = "a name, or the last digits of an account"
    DO = "Note it"
    BACK = "Back"
    WORKING = "Working…"
    IF_BACK = "How, if money goes back"

    REASON = {
        NoteReason.LATE: "Came late",
        NoteReason.PAID_TWICE: "Charged twice",
        NoteReason.WRONG_AMOUNT: "Wrong amount",
        NoteReason.RETURNED: "Goods returned",
        NoteReason.OTHER: "Another reason",
    }
    BY_WAY = {
        NoteWay.CASH: "Cash",
        NoteWay.TRANSFER: "Transfer",
        NoteWay.SHOP_CREDIT: "Shop credit",
    }
    STATE = {
        NoteState.PROMISED: "promised",
        NoteState.GIVEN: "marked as given",
        NoteState.WITHDRAWN: "withdrawn",
    }
    LINE = "{number} · {money} · {state}"
    FACTS = "{reason} · {way}"
    BY = "noted by {name}"
    BESIDE = "asked for by {name}"
    OWN = "signed alone, of an own payment"

    ADVICE = "Money back is promised: give it, have the shop’s slip signed, then mark it as given."
    GIVE = "Mark as given"
    WITHDRAW = "Withdraw"
    PRINT = "Print the slips"
    GIVE_ASK = "Is the slip signed?"
    GIVE_MORE = "{number}, {money}. Mark it only when the money was handed over and the shop’s slip is signed. It is recorded under your name."
    GIVE_YES = "Yes, it is signed"
    GIVE_NO = "Not yet"
    WITHDRAW_ASK = "Withdraw {number}?"
    WITHDRAW_MORE = "The promise of {money} is taken back. Your name and reason are recorded."
    WITHDRAW_YES = "Withdraw it"
    WITHDRAW_REASONS = ("The customer kept the goods", "Noted by mistake")

    PROBLEM = {
        NoteProblem.UNKNOWN_PAYMENT: "This till knows no such payment.",
        NoteProblem.NOT_PAID: "There is no proven money in this payment: nothing can be noted.",
        NoteProblem.BAD_AMOUNT: "The amount must be a number, as {example}.",
        NoteProblem.TOO_MUCH: "That is more than is left of the payment.",
        NoteProblem.NO_REASON: "Say the reason in words.",
        NoteProblem.NO_RECEIVER: "Say who gets the transfer.",
        NoteProblem.NO_SUCH_NOTE: "There is no such note.",
        NoteProblem.NOT_OPEN: "This note was settled meanwhile.",
        NoteProblem.CANNOT_RECORD: "It could not be recorded: the disk does not take it. Nothing was noted.",
        NoteProblem.CANNOT_READ: "The record cannot be read just now. Nothing was noted.",
    }

    SLIP = "MONEY BACK NOTED"
    SLIP_TITLE = "Refund note {number}"
    SLIP_MORE = "The shop has noted that this amount goes back outside its till. The till has not moved it and cannot see it."
    SLIP_WITHDRAWN = "WITHDRAWN"
    SLIP_GIVEN = "MARKED AS GIVEN"
    FOR_CUSTOMER = "For the customer"
    FOR_SHOP = "For the shop, to be signed and kept"
    SIGN = "Date and signature of who gets it"
    NUMBER = "Refund note"
    NOTED_AT = "Noted at"
    NOTED_BY = "Noted by"
    ASKED_BY = "Asked for by"
    ENDED_AT = "On"
    ENDED_BY = "By"

    ON_REPORT = "Money back noted, outside the till"
    MADE = "Noted"
    GIVEN = "Marked as given"
    WITHDRAWN = "Withdrawn"
    STILL = "Still promised"
    AFTER = "Taken after notes, for information"
    MORE_NOTES = Plural(one="and 1 more note", other="and {count} more notes")
    EVER = "Ever noted to go back"

    def facts(self, note: Note) -> str:
        """Why and how, with what was typed."""
        reason = f"{self.REASON[note.reason]} ({note.text})" if note.text else self.REASON[note.reason]
        way = f"{self.BY_WAY[note.way]}: {note.receiver}" if note.receiver else self.BY_WAY[note.way]
        return self.FACTS.format(reason=reason, way=way)


words = Refund()
