"""What the customer’s phone says in English. It speaks to whoever tries the till, not to a real customer."""

from __future__ import annotations

from pos_app.i18n.table import Table


class Phone(Table):
    """The words; English until told otherwise. Statuses by the names the service has for them."""

    TITLE = "The customer’s phone"
    WALLET = "Wallet"
    SCAN = "Scan"
    MESSAGES = "SMS"
    NUMBER = "This phone’s number"
    ANY_NUMBER = "answers for every number"
    NUMBER_PROBLEM = "Enter the number with country code, for example +94771234567."

    ASKS = {"push": "The shop asks you to pay", "qr": "You scanned a code"}
    APPROVE = "Approve"
    REJECT = "Reject"
    OPEN = "Open it"
    LATER = "Pay late"
    IGNORE = "Ignore"
    NO_MONEY = "No money"
    MORE = "Other answers"
    PAY_NOW = "Pay now"
    NOTHING = "Nothing to pay.\nA request from the till rings here; a code on its screen is read under Scan."

    SCAN_READY = "The till shows a code. Hold the phone to it."
    SCAN_NOTHING = "No code on the till’s screen.\nCharge by QR on the till, then scan here."
    SCAN_NOW = "Scan the code"
    SCAN_BADLY = "Scan it badly"
    NO_MESSAGES = "No messages.\nSign-in codes come here."

    # The till's word for money that is there stands on the till alone: a phone is what the course teaches not to trust.
    STATUS = {
        "Merchant Initiated": "Waiting for you",
        "Verification Success": "Opened, not decided",
        "Verification Fail": "Scan failed",
        "Customer Approved": "Approved, paying…",
        "Payment Success": "Payment successful",
        "Payment Fail": "Payment failed",
        "Merchant Cancel": "Cancelled by the shop",
        "Customer Reject": "Rejected",
    }
    STATUS_AND_ACCOUNT = "{status} · {account}"
    UNKNOWN_STATUS = "Unknown"
    ASIDE = "Not answered"

    TOO_LATE = "Too late: it was already settled."
    NOT_DONE = "The sandbox refused that."
    SILENT = "No signal: the sandbox does not answer."
    NEW_MESSAGE = "New message: {text}"

    def status(self, name: str) -> str:
        """A status in the phone's words."""
        return self.STATUS.get(name, self.UNKNOWN_STATUS)


words = Phone()
