"""What stands on paper: receipts, the notes of disputes, X and Z reports, the test page, and what the till says of them."""

from __future__ import annotations

from pos_app.domain.receipt import Verdict
from pos_app.domain.views import ReceiptProblem
from pos_app.i18n.table import Plural, Table


class PaperWords(Table):
    """The words. A paper may be in the customer's language, whatever the till speaks."""

    RECEIPT = "Payment receipt"
    PAID = "PAID"
    PAID_LATE = "PAID LATE"
    NOT_SETTLED = "Not settled yet: please ask the shop."
    SETTLED_COMPLETE = "Settled: the sale was completed."
    SETTLED_REFUND = "Settled: money back noted, outside this till."
    NOTE = "PAYMENT IN DISPUTE"
    NOTE_TITLE = "Note"
    NOTE_MORE = "This is not a receipt. The payment service has said different things about this payment. Please ask the shop."
    COPY = "COPY"
    COPY_NUMBER = "COPY {number}"
    COPY_AT = "at counter {counter}"
    PRINTED = "printed {time}"
    MADE = "made {time}, not printed by the till"

    NUMBER = "Receipt"
    PAID_AT = "Paid at"
    METHOD = "Method"
    BY_METHOD = {"qr": "QR code", "push": "Phone"}
    WALLET = "Wallet number"
    INVOICE = "Invoice"
    REFERENCE = "Reference"
    AMOUNT = "Amount"
    SALE = "Sale"
    COUNTER = "Counter"
    CASHIER = "Cashier"
    PAYMENT_ID = "Payment id"
    WALLET_ID = "Wallet’s id"
    TAX_ID = "Tax no."
    CHECK = "Check code {code}"

    X = "X report"
    Z = "Z report {number}"
    X_MORE = "The day is open: nothing is closed by this."
    OWN_MORE = "Own payments of {name} alone."
    BUSINESS_DATE = "Business date"
    BEGAN = "From"
    ENDED = "To"
    BY = "Closed by"
    OLDER = "Record begun anew behind Z {number} of {till}"
    OLDER_UNPROVEN = "Record begun anew behind Z {number} of {till}, which nothing proves"
    TAKEN = "Taken"
    OF_THESE_LATE = "of these late"
    BY_CASHIER = "By cashier"
    SIGNED_PAID = "Signed off as paid, in no sum"
    NOT_TAKEN = "Without money"
    LATE_FROM = "Late, from Z {number}"
    LATE_EARLIER = "Late, from before this journal"
    CORRECTION_OF = "Correction of Z {number}"
    CORRECTION_EARLIER = "Correction from before this journal"
    CARRIED = "Carried over, not known yet"
    CARRIED_TAKEN = "Taken, not settled yet"
    NOT_ANSWERED = "not answered for"
    DISPUTED = "In dispute, in no sum"
    OVERPAID = "Paid twice: sale {sale}"
    RECEIPTS = "Receipts"
    COPIES = "Copies, by whom"
    UNPRINTED = "Not on paper, or not known"
    UNPRINTED_MORE = Plural(one="and 1 more", other="and {count} more")
    EVER = "Ever taken"
    EVER_CORRECTED = "of these corrected"
    PAYMENTS = Plural(one="1 payment", other="{count} payments")
    UNREACHED = "Service not reached since {time}"
    NOT_ASKED = Plural(
        one="1 ended payment was not asked about again",
        other="{count} ended payments were not asked about again",
    )
    RECONCILED = "Reconciled with the service: equal"
    RECONCILED_OTHER = Plural(
        one="Reconciled with the service: 1 difference",
        other="Reconciled with the service: {count} differences",
    )
    RECONCILED_PART = "Reconciled in part: the service’s list was not whole"
    NOT_RECONCILED = "Not reconciled with the service"
    NOT_RECONCILED_Z = "Z {number} not reconciled"
    CLOCK_MOVED = "The clock was moved: the order holds, the times may not."
    ANCHOR = "Scan it later: it says whether the till’s record is still this one."
    TERMINAL = "The till"

    TEST = "Test page"
    TEST_MORE = "All four lines must be whole, and the edge lines must stand at both edges."
    TEST_CODE = "This code must be readable."
    TEST_WIDTH = "Dots across"

    TITLE = "Receipt"
    SHOW = "Receipt"
    SHOWN = "The receipt as it is printed. Its text: {text}"
    DRAWING = "The receipt is being drawn…"
    SAVE = "Save as PDF"
    SAVED = "Saved as {path}, with its text beside it."
    NOT_SAVED = "The file could not be written: {why}"
    CLOSE = "Close"

    PROBLEM = {
        ReceiptProblem.UNKNOWN_PAYMENT: "This till knows no such payment.",
        ReceiptProblem.NOT_PAID: "Nothing was charged, so there is no receipt.",
        ReceiptProblem.NOT_KNOWN_YET: "It is not known yet whether the customer was charged: no receipt so far.",
        ReceiptProblem.NO_NUMBER: "This payment was never given a receipt number, so there is no receipt.",
        ReceiptProblem.CANNOT_READ: "The record of payments cannot be read just now.",
        ReceiptProblem.NO_CODE: "This is no code of a receipt.",
    }
    VERDICT = {
        Verdict.OURS: "This receipt is ours and unchanged.",
        Verdict.CHANGED: "DO NOT TRUST IT: this till gave that number, but to another payment, amount or time.",
        Verdict.MISSING: "DO NOT TRUST IT: this till’s record has no such receipt.",
        Verdict.FOREIGN: "This receipt is not this till’s.",
    }
    REFUNDED = "Money back was noted for it already."
    NOTED = "Money back was noted for it already: {money}."
    NOW_DISPUTED = "The payment is in dispute by now."
    LOOK = "Look at the payment"
    CHECKED = "Receipt checked"


words = PaperWords()
