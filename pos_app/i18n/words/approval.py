"""What the till says in English when a manager is needed, and when a number is shown. No logic."""

from __future__ import annotations

from pos_app.domain.rights import Act
from pos_app.i18n.table import Table


class Approval(Table):
    """The words; English until told otherwise."""

    TITLE = "A manager must allow this"
    HINT = "Choose your name, say why and type your passcode. {name} stays signed in."
    HINT_NOBODY = "Choose your name, say why and type your passcode."
    HINT_GIVEN = "Choose your name and type your passcode. {name} stays signed in."
    GIVEN = "{name} gives as reason, recorded as yours: “{reason}”"
    MANAGER = "Manager"
    REASON = "Reason"
    REASON_PROBLEM = "Enter a reason, at least 3 letters, for example “{example}”."
    REASON_LONG = "Enter a reason of at most 120 letters, for example “{example}”."
    ALLOW = "Allow it"
    GO_BACK = "Back"
    NO_PASSCODE = "{name} (no passcode yet)"
    DEAD = "{name} (passcode dead)"
    NO_MANAGER = (
        "No manager can allow it here: none has a passcode that works. A manager signs in once with a code by SMS "
        "and chooses one."
    )
    UNKNOWN = "This was not done. Try again, or call a manager."

    BY_MANAGER = "{text} · manager"
    """On a button that a manager has to allow."""

    WANTED = {
        Act.CHARGE: "Take a payment",
        Act.CHECK: "Check a payment",
        Act.PARK: "Park a payment",
        Act.LEAVE: "Leave a payment on the list",
        Act.CANCEL: "Cancel a payment",
        Act.CONTINUE: "Continue a payment from before the restart",
        Act.CLOSE: "Close a payment for good",
        Act.COMPLETE: "Complete a late payment",
        Act.REFUND: "Note money back, outside the till",
        Act.SIGN_OFF: "Sign off a payment",
        Act.SIGN_REFUND: "Sign the refund of a sale paid twice",
        Act.GIVE_REFUND: "Mark a refund note as given",
        Act.WITHDRAW_REFUND: "Withdraw a refund note",
        Act.UNMASK_NUMBER: "Show a customer’s wallet number",
        Act.CHOOSE_PASSCODE: "Choose a passcode",
        Act.CHOOSE_LANGUAGE: "Choose a language",
        Act.ENROL: "Enrol a person",
        Act.RENUMBER: "Change a person’s number",
        Act.CHANGE_PERSON: "Change a person",
        Act.CHANGE_SETTINGS: "Change the settings",
        Act.CHANGE_SECRETS: "Change the secrets",
        Act.TEST_CONNECTION: "Test the connection",
        Act.DIAGNOSTICS: "Save the diagnostics",
        Act.LEAVE_KIOSK: "Leave the till",
        Act.RENEW_IDENTITY: "Give the till a new identity",
        Act.PUT_OFF_UPDATE: "Put off the update",
        Act.READ_STAFF_LOG: "See what was done",
        Act.FIND_PAYMENTS: "Look up payments",
        Act.SEE_SUMS: "See what a day has brought",
        Act.READ_X: "Read the takings so far",
        Act.CLOSE_DAY: "Close the day",
        Act.RECONCILE: "Reconcile with the service’s list",
        Act.PRINT: "Print a receipt",
        Act.REPRINT: "Print a receipt again",
        Act.EXPORT: "Save payments as a file",
        Act.EXPORT_NUMBERS: "Save payments with whole wallet numbers",
        Act.READ_HISTORY: "Look through all payments",
        Act.JOIN_STORE: "Join a central store, or leave it",
    }
    """What is asked for, one text for each act; a test fails when one is missing."""

    SIGN_OFF = {
        "paid": "Sign off that it was paid",
        "not_paid": "Sign off that it was not paid",
    }
    SIGN_OFF_MORE = {
        "paid": "Without any proof of the service, by your word alone.",
        "not_paid": "The sale can be charged again then.",
    }
    """By the answer: two that must not be mixed up."""

    PRINT = "Print"
    PRINT_AGAIN = "Print again, as a copy"
    SEEN = "Say that it lies on paper"
    LEAVE_PRINT = "Leave unprinted"
    JOB = "print job {number}"
    WHOLE = "the whole till"
    LEAVE_CLOSING = "Give up an interrupted closing, the day stays open"
    LEAVE_RECONCILING = "Stop comparing with the service’s list"
    PERMIT = {
        "join": "Join a central store",
        "leave": "Leave a central store",
    }

    PART_OF = "{part} of {money}"
    LEFT_OF = "{money}, as far as not noted yet"
    OVERPAID_MORE = "Noted now: what was charged too much and is not noted yet."
    PAYER = "Customer’s wallet"

    ABOUT = "{wanted}: {what}."

    ABOUT_PAYMENT = "{wanted}: {money}, sale {sale}."
    ABOUT_OTHERS = "{wanted}: {money}, sale {sale}, of {owner}."
    ABOUT_SALE = "{wanted}: sale {sale}."

    EXAMPLE = "The customer asked for it"
    REASONS = {
        Act.CANCEL: ("The customer asked for it", "The cashier has gone"),
        Act.CLOSE: ("The customer has left", "The cashier has gone"),
        Act.CONTINUE: ("The customer still waits", "The cashier has gone"),
        Act.COMPLETE: ("The customer has the goods", "The cashier has gone"),
        Act.REFUND: ("The customer wants the money back",),
        Act.SIGN_REFUND: ("The second payment goes back",),
        Act.WITHDRAW_REFUND: ("The customer kept the goods",),
        Act.SIGN_OFF: ("Seen in the service’s list", "The wallet’s help desk said so"),
        Act.UNMASK_NUMBER: ("The customer asks about this payment", "For the wallet’s help desk"),
        Act.CHANGE_SETTINGS: ("Set up the counter",),
        Act.DIAGNOSTICS: ("For the help desk",),
        Act.LEAVE_KIOSK: ("Service of the terminal", "End of the day"),
        Act.EXPORT: ("For the accountant",),
        Act.EXPORT_NUMBERS: ("The wallet’s help desk asks for them",),
        Act.RENEW_IDENTITY: (
            "The other copy is switched off",
            "A backup was restored",
            "It has another counter number now",
        ),
        Act.PUT_OFF_UPDATE: ("Customers are waiting",),
        Act.JOIN_STORE: ("Set up the counter", "The owner asked for it"),
    }
    """Offered as touches."""

    NUMBER = "Wallet"
    SHOW_NUMBER = "Show number"
    SHOW_TITLE = "Show the wallet number?"
    SHOW_MORE = "{mask} is shown in full for {seconds} seconds. Your name and reason are recorded."
    SHOW_YES = "Show it"
    SHOWN = "Shown for {seconds} s"
    NOT_SHOWN = "The number is not shown: {why}"
    NO_NUMBER = "The number is not known to this till."

    def reasons(self, act: Act) -> tuple[str, ...]:
        """What is usually said for this act; the first is the example in an error."""
        return self.REASONS.get(act, (self.EXAMPLE,))


words = Approval()
