"""What the list of open payments says in English, beside the words every payment has. No decisions."""

from __future__ import annotations

from pos_app.i18n.table import Table


class OpenPayments(Table):
    """The words; English until told otherwise."""

    TITLE = "Open payments"
    NONE = "Nothing is open. All payments are settled."
    HINT = "The till keeps asking about each of these by itself."
    CLOSE = "Close"
    HELP_TITLE = "Keys of the till"

    MORE = "These are {shown} of {all}. The others follow as these are settled."
    RECOVERED = "{count} payments, together {money}, were found again after the record of payments was lost."
    RECOVERED_ANSWER = "Answer all of these together"
    RECOVERED_TITLE = "{count} payments, {money}: were the goods handed over?"
    RECOVERED_MORE = (
        "They are from before the record was lost. Your name is recorded with each. Whoever did not get the goods "
        "after all can still be given the money back: note a refund of that payment."
    )
    RECOVERED_YES = "All were handed over"
    RECOVERED_REASON = "Found again after the record was lost"

    SHOW = "Show"
    CHECK = "Check now"
    CANCEL = "Cancel"
    CONTINUE = "Continue"
    SHUT = "Close for good"
    ANSWER = "Complete or refund"
    SIGN_OFF = "Sign off"
    SIGN_REFUND = "Sign the refund"

    ADVICE_DOUBT = "Do not take the payment again. We are finding out."
    ADVICE_WAITING = "The customer can still pay."
    ADVICE_CANCELLING = "Being cancelled. Wait for the service’s word."
    ADVICE_RESTART = "From before the restart: go on with it, or close it for good."
    ADVICE_RESTART_CLOSE = "From before the restart: close it for good, or wait."
    ADVICE_UNRESOLVED = "Do not take the payment again. A manager may sign it off."
    ADVICE_DISPUTED = "Do not hand over goods. A manager has to settle it."
    ADVICE_LATE = "Paid after the till let go: complete the sale, or refund it."
    ADVICE_CROSSED = "Paid before the cancel arrived: complete the sale, or refund it."
    ADVICE_TWICE = "Paid twice. Refund one outside this terminal, then a manager signs."

    SIGN_OFF_TITLE = "Sign off {money}, sale {sale}"
    SIGN_OFF_MORE = (
        "Only when you know from the wallet or the service what happened. Your name and reason are recorded."
    )
    SIGN_OFF_PAID = "It was paid"
    SIGN_OFF_NOT_PAID = "It was not paid"
    SIGN_OFF_EXAMPLE = "Seen in the service’s list"
    ANSWER_TITLE = "{money}, sale {sale}"
    ANSWER_MORE = "The money has arrived. Does the customer get the goods, or the money back? It is recorded."
    REFUND_TITLE = "Refund of sale {sale}"
    REFUND_MORE = (
        "One of the two payments goes back outside this till: it is noted, with your name and reason."
    )
    REFUND_EXAMPLE = "The second payment goes back"


words = OpenPayments()
