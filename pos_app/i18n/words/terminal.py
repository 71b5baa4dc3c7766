"""What the command line says of payments in English: the service's statuses in our words, headings, empty lists."""

from __future__ import annotations

from pos_app.i18n.table import Table


class TerminalWords(Table):
    """The words; English until told otherwise."""

    # Beside a word of ours for the state, or under the heading that says whose word it is: never proof by itself.
    SERVICE = {
        "Merchant Initiated": "Waits for the customer",
        "Verification Success": "Scanned or opened",
        "Verification Fail": "The scan failed",
        "Customer Approved": "Approved, the money is not there yet",
        "Payment Success": "Paid",
        "Payment Fail": "Not paid",
        "Customer Reject": "Rejected by the customer",
        "Merchant Cancel": "Cancelled",
    }
    UNKNOWN = "A status this till does not know"
    STATUS = "{id}: the service says: {said}. This till: {here}."
    REFUSED = "it does not answer ({code}). {why}"
    NOT_HERE = "no record of it"

    TIME = "Time"
    AMOUNT = "Amount"
    STATE = "State"
    SAID = "The service says"
    NUMBER = "Number"
    SALE = "Sale"
    ID = "Payment id"
    NO_PAYMENTS = "No payments in this list."
    NOTHING_OPEN = "Nothing is open, and nothing needs an answer."

    def said(self, status: str) -> str:
        """A status of the service in our words (rule 14); "" for none."""
        return self.SERVICE.get(status, self.UNKNOWN) if status else ""


words = TerminalWords()
