"""What the customer's screen says in English. Nothing of staff, other payments or the service's reasons."""

from __future__ import annotations

from pos_app.i18n.table import Table


class CustomerWords(Table):
    """The words. The screen has a table of its own, because it may speak another language than the till."""

    WELCOME = "Welcome"
    READY = "Pay with your phone at this counter."

    AMOUNT = "To pay"
    AMOUNT_MORE = "Please check the amount."

    MOMENT = "One moment, please"
    MOMENT_MORE = "The payment is being prepared."
    SCAN = "Scan to pay"
    SCAN_MORE = "Open your wallet app and scan this code."
    PHONE = "Look at your phone"
    PHONE_MORE = "Open your wallet app: the payment is waiting there."
    APPROVE = "Approve on your phone"
    APPROVE_MORE = "Check the amount, then approve the payment."
    COMPLETING = "Almost done"
    COMPLETING_MORE = "Your payment is being completed. Please wait."
    SCAN_AGAIN = "Please scan again"
    SCAN_AGAIN_MORE = "The scan did not work. Try again, or ask the cashier."
    ENDING = "Please wait"
    ENDING_MORE = "This payment is being ended. Please do not approve it any more."

    PAID = "Paid"
    PAID_MORE = "Thank you!"
    PAID_ASK = "Please wait a moment: the cashier will talk to you."
    NOT_PAID = "Not paid"
    NOT_PAID_MORE = "The cashier will help you."
    WAIT = "Please wait"
    WAIT_MORE = "Your payment is not certain yet. Please do not pay again: ask the cashier."
    ASK = "Please ask the cashier"
    ASK_MORE = "The cashier can tell you about this payment."

    QR_STEPS = ("Scanned", "Approval", "Payment")
    PHONE_STEPS = ("Opened", "Approval", "Payment")
    CODE = "QR code with the payment of {amount}"
    TITLE = "Customer’s screen of {shop}"


words = CustomerWords()
