"""The till's own screens: amount, methods, the running payment, the bar and its notices."""

from __future__ import annotations

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.money import AmountProblem
from pos_app.domain.phone import NumberProblem
from pos_app.i18n.table import Plural, Table
from pos_app.i18n.words.facts import Facts
from pos_app.i18n.words.results import AskWords, ResultWords

_ENDED_BY_ITSELF = frozenset({State.FAILED, State.CANCELLED, State.REFUSED, State.NOT_SENT})
_RANGE = "Enter an amount between {least} and {most}, for example {example}."
_NUMBER = "Enter the mobile number, for example {example}."


class PadWords(Table):
    """Amount, keypad, invoice number and reference."""

    amount = "Amount"
    fold = "Invoice, reference"
    invoice = "Invoice number"
    reference = "Reference"
    text_problem = "Use up to 40 letters, digits, space, - / ."
    backspace = "Delete last digit"
    scanned = "Scanned: {code}. Esc takes it away."
    no_scan = "What was scanned is no invoice number: up to 40 letters, digits, space, - / ."
    point = "Decimal point"
    clear = "Clear the amount"
    plus = "Add another price"
    refused_sign = "“{key}” is no part of an amount. Prices are added with +."
    take_away = "Backspace takes the key away."
    other_separator = "Write it with “{sign}”, like {example}: “{other}” does not stand there."
    problem = {
        AmountProblem.EMPTY: _RANGE,
        AmountProblem.NOT_A_NUMBER: _RANGE,
        AmountProblem.TOO_SMALL: _RANGE,
        AmountProblem.TOO_LARGE: _RANGE,
        AmountProblem.TOO_MANY_DIGITS: "{currency} has {digits} digits after the point, like {example}.",
    }


class MethodWords(Table):
    """Choosing how the customer pays, and the wallet number."""

    ask = "How does the customer pay?"
    ask_again = "Sale {sale}: how does the customer pay now?"
    qr = "Show a QR code"
    qr_more = "They scan it with their wallet"
    push = "Send to their phone"
    push_more = "They approve on their phone"
    or_enter = "{key} or Enter"
    push_ask = "Which number is their wallet on?"
    number = "Wallet number"
    send = "Send request"
    no_number_scanned = "There is no mobile number in what was scanned."
    back = "Back"
    problem = {
        NumberProblem.EMPTY: _NUMBER,
        NumberProblem.NOT_A_NUMBER: _NUMBER,
        NumberProblem.TOO_SHORT: "The number is too short. " + _NUMBER,
        NumberProblem.TOO_LONG: "The number is too long. " + _NUMBER,
        NumberProblem.NOT_MOBILE: "This is not a mobile number. " + _NUMBER,
    }
    starting = "Starting the payment…"
    park_first = "One payment at a time"
    park_first_more = "{money} (sale {sale}) is not finished. Park it? The till keeps asking about it."
    park_first_yes = "Park it and charge"


class WaitWords(Table):
    """The running payment."""

    title = "Waiting for the customer"
    sending = "Starting the payment…"
    cancelling = "Cancelling…"
    # What has yet to come stands here from the first second: its name may not be read as done, least of all "Paid".
    qr_stages = ("Code shown", "Scanned", "Approval", "Payment")
    push_stages = ("Request sent", "Opened", "Approval", "Payment")
    trust = "Do not trust a screenshot: wait for this screen."
    next_qr = "Ask them to scan the code with their wallet app."
    next_push = "Ask them to approve the request on their phone."
    open_app_qr = "Ask the customer to open their wallet app and scan the code."
    open_app_push = "Ask the customer to open their wallet app: the request is waiting there."
    other_qr = "Still not scanned. You can send it to their phone instead."
    other_push = "Still not opened. You can show a QR code instead."
    left = "{time} left"
    left_extended = "{time} more"
    left_said = "Time left"
    nearly_up = "Time is nearly up: then the till cancels by itself."
    long = "This takes long. Cancel if the customer is not paying."
    scanned = "They scanned it. Ask them to approve."
    opened = "They opened it. Ask them to approve."
    approved = "The customer approved. The money is not here yet: wait."
    scan_failed = "The scan failed: try again, or cancel."
    unknown_status = "The service reports a status this till does not know. We keep asking."
    sending_next = "Nothing is asked of the customer yet."
    cancel_asked = "Do not take the payment again until the service confirms the cancel."
    gave_up = "Time is up. We cancel and keep asking. Do not take the payment again until it is certain."
    phone = "Request on its way to"
    code = "QR code with the payment of {amount}"
    no_code = "The code is no longer shown"
    cancel = "Cancel"
    check = "Check now"
    park = "Park"
    use_qr = "Use QR instead"
    use_push = "Use phone instead"
    passed = "Time passed"


class BarWords(Table):
    """Top bar and notices."""

    counter = "Counter {id}"
    open = Plural(one="1 open payment", other="{count} open payments")
    sign_in = "Sign in"
    signed_in = "Signed in: {name}"
    sign_out = "Sign out {name}?"
    sign_out_more = "Running payments go on and stay on the list."
    sign_out_yes = "Sign out"
    settings = "Manager"
    help = "Help: the keys"
    clock = "Time of day"
    mute = "Switch the sounds off"
    unmute = "The sounds are off: switch them on"
    recent = "Last payments"
    none_yet = "The last five payments will appear here."
    starting = Plural(
        one="Finishing 1 payment from before the restart ({which})…",
        other="Finishing {count} payments from before the restart ({which})…",
    )
    show = "Show"
    parked_ended = "Sale {sale} · {money} · {state}"
    rebuilt = "The record of payments was damaged and has been begun anew. Payments found again: {found}."
    rebuilding = "We still ask the service for the others."
    moved = (
        "This till’s data came from another machine: it has a new identity now. Payments from before are still "
        "asked about."
    )
    list_incomplete = (
        "The service’s list could not be proven complete for: {times}. Payments of that time may be missing here: "
        "have a manager ask the service for its list."
    )
    need_manager = "Payments that need a manager: {count}."
    not_taken_up = "Payments of this counter at the service that nothing says are this till’s: {count}. Compare them with the service’s list."
    no_manager = "No manager is on the list any more. The administrator of this machine makes one, at the command line: {command}"


class Words(Facts):
    """All that is said about payments, and the tables of its screens."""

    key = {
        "amount": "Type the amount",
        "delete": "Delete the last digit; Delete clears the amount",
        "plus": "Add another price",
        "qr": "Charge by QR code",
        "push": "Charge by a request to the phone",
        "enter": "Charge by the counter’s default method",
        "back": "Clear the amount; back, or cancel the waiting payment (asks once)",
        "find": "Today’s payments: look one up",
        "check": "Check this payment now",
        "park": "Park the waiting payment; with none, bring back the next parked one",
        "note": "Note whose the parked payment is",
        "invoice": "Invoice number and reference",
        "open": "Open payments that need attention",
        "lock": "Lock the till",
        "print": "Print the last receipt",
        "manager": "Manager: people, settings, what was done",
        "help": "Help: these keys",
    }
    pad = PadWords()
    method = MethodWords()
    wait = WaitWords()
    result = ResultWords()
    ask = AskWords()
    bar = BarWords()

    def state_of(self, attempt: Attempt) -> str:
        """Its state; of one that was signed off, as what."""
        if attempt.state is State.SIGNED_OFF and attempt.resolution is not None:
            is_paid = attempt.resolution.action == "paid"
            return self.result.signed_off_paid if is_paid else self.result.signed_off_not_paid
        return self.state[attempt.state]

    def because(self, attempt: Attempt) -> str:
        """What a person decided about it, with name and reason; else why it stands where it stands."""
        settled = attempt.resolution
        if settled is None or not (attempt.is_final and attempt.state not in _ENDED_BY_ITSELF):
            return super().because(attempt)
        sentence = {
            "paid": self.result.signed_paid,
            "not_paid": self.result.signed_not_paid,
            "complete": self.result.settled_complete,
            "refund": self.result.settled_refund,
        }.get(settled.action, "{name}: {reason}")
        return sentence.format(name=settled.name, reason=settled.reason)


words = Words()
