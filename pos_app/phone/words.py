"""What the customer's phone says, in English. It speaks to whoever tries the till, not to a real customer."""

from __future__ import annotations

TITLE = "The customer’s phone"
WALLET, SCAN, MESSAGES = "Wallet", "Scan", "SMS"
NUMBER = "This phone’s number"
ANY_NUMBER = "answers for every number"
NUMBER_PROBLEM = "Enter the number with country code, for example +94771234567."

ASKS = {"push": "The shop asks you to pay", "qr": "You scanned a code"}
APPROVE, REJECT = "Approve", "Reject"
OPEN, LATER, IGNORE, NO_MONEY = "Open it", "Pay late", "Ignore", "No money"
PAY_NOW = "Pay now"
NOTHING = "Nothing to pay.\nA request from the till rings here; a code on its screen is read under Scan."
EARLIER = "Earlier"

SCAN_READY = "The till shows a code. Hold the phone to it."
SCAN_NOTHING = "No code on the till’s screen.\nCharge by QR on the till, then scan here."
SCAN_NOW, SCAN_BADLY = "Scan the code", "Scan it badly"
NO_MESSAGES = "No messages.\nSign-in codes come here."

STATUS = {
    "Merchant Initiated": "Waiting for you",
    "Verification Success": "Opened, not decided",
    "Verification Fail": "Scan failed",
    "Customer Approved": "Approved, paying…",
    "Payment Success": "Paid",
    "Payment Fail": "Payment failed",
    "Merchant Cancel": "Cancelled by the shop",
    "Customer Reject": "Rejected",
}
UNKNOWN_STATUS = "Unknown"
ASIDE = "Not answered"

TOO_LATE = "Too late: it was already settled."
NOT_DONE = "The sandbox refused that."
SILENT = "No signal: the sandbox does not answer."
NEW_MESSAGE = "New message"


def status(name: str) -> str:
    """A status in the phone's words."""
    return STATUS.get(name, UNKNOWN_STATUS)
