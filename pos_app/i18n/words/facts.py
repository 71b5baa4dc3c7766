"""States, reasons, service codes, declines, blocks, the connection. One line each, no decisions."""

from __future__ import annotations

from pos_app.domain.attempt import Attempt, Flag, Reason, State
from pos_app.domain.views import Block, Connection, Decline
from pos_app.i18n.table import CodeWords, Table


class Facts(Table):
    """What is known about a payment, the till and the service, in words."""

    state = {
        State.INTENT: "Starting",
        State.IN_DOUBT: "Checking",
        State.WAITING: "Waiting",
        State.UNRESOLVED: "Not known yet",
        State.DISPUTED: "Disputed",
        State.PAID: "Paid",
        State.PAID_LATE: "Paid late",
        State.FAILED: "Not paid",
        State.CANCELLED: "Cancelled",
        State.REFUSED: "Refused",
        State.NOT_SENT: "Not sent",
        State.SIGNED_OFF: "Signed off",
    }

    reason = {
        Reason.NONE: "",
        Reason.PAYMENT_FAILED: "The wallet could not make the payment.",
        Reason.CUSTOMER_REJECTED: "The customer rejected the payment.",
        Reason.VERIFICATION_FAILED: "The customer’s scan could not be verified.",
        Reason.NO_NAME: "The payment service’s address could not be found: no network, or a wrong address.",
        Reason.NO_CONNECTION: "The payment service could not be reached.",
        Reason.NOT_PROVEN: "The payment service’s identity could not be proven. Check the terminal’s clock, "
        "and call the manager.",
        Reason.HTTP_REFUSED: "The payment service did not accept this terminal’s request.",
        Reason.GAVE_UP: "The time for this payment ran out before the service gave a final answer.",
        Reason.NO_ANSWER: "The payment service has not answered.",
        Reason.UNREADABLE: "The payment service’s answers cannot be read.",
        Reason.UNKNOWN_STATUS: "The payment service reports a status this till does not know.",
        Reason.MISCONFIGURED: "The payment service says this terminal asks wrongly. Call the manager.",
        Reason.REFUSED_COPY: "The service refused it, but an earlier copy of the request may be on its way.",
        Reason.OTHER_AMOUNT: "The service reports another amount for this sale.",
        Reason.OTHER_TRANSACTION: "The service reports another transaction under this sale’s number.",
        Reason.CONTRADICTED: "The service said paid, and now says something else.",
        Reason.IDENTITY_USED_TWICE: "This terminal’s identity is used twice. Call the manager.",
        Reason.CODE_NEVER_SHOWN: "The service reports this payment, but its code was never on this till’s screen. "
        "Another copy of this till may be selling.",
        Reason.OTHER_ORIGIN: "It was opened at another payment service, {opened}; the settings now name {named}. "
        "Nobody is asked about it until the first address is set again, or a manager signs it off.",
        Reason.NOT_PROVEN_OURS: "The service lists it under this counter. The record that could say whether it is "
        "this till’s is gone. The manager settles it.",
    }

    NO_TOKEN = "This till had no valid access token to ask the payment service with. Call the manager."

    def because(self, attempt: Attempt) -> str:
        """Why the attempt stands where it stands; "" where its state says it all."""
        never_left = attempt.state is State.NOT_SENT and attempt.reason is Reason.NO_CONNECTION
        if never_left and Flag.SIGN_IN_REFUSED in attempt.flags:
            # Nobody can have refused what never left: it was the token that was missing, not the line.
            return self.NO_TOKEN
        return self.reason[attempt.reason].format(opened=attempt.origin, named=attempt.other_origin)

    _MANAGER = "Call the manager."
    _OTHER = "Try the other method, or another way to pay."

    code = {
        "5000": CodeWords("The payment’s number is already in use.", "We are checking what it belongs to."),
        "5001": CodeWords("A necessary detail is missing in the request.", _MANAGER),
        "5002": CodeWords("This merchant is not known to the service.", _MANAGER),
        "5003": CodeWords("The customer’s wallet is blocked.", _OTHER),
        "5004": CodeWords("The customer’s account is not active.", _OTHER),
        "5005": CodeWords("No wallet with this number.", "Check the number, or show a QR code."),
        "5006": CodeWords("Already being processed.", "We are checking."),
        "5007": CodeWords("The service cannot change it to this.", "We are checking."),
        "5008": CodeWords("This terminal may not change the payment.", _MANAGER),
        "5009": CodeWords("The service does not know this payment.", "We keep asking."),
        "5010": CodeWords("The user account is not active.", _OTHER),
        "5011": CodeWords("A merchant administrator is needed for this.", _MANAGER),
        "5012": CodeWords("This terminal may not see this payment.", _MANAGER),
        "5013": CodeWords("The user does not exist.", _OTHER),
        "5014": CodeWords("No payments were found.", "Change the search."),
        "5015": CodeWords("A parameter is missing in the request.", _MANAGER),
    }

    flag = {
        Flag.STATUS_REGRESSED: "An older status arrived after a newer one and was set aside.",
        Flag.CONTRADICTED: "The service contradicted itself about this payment.",
        Flag.CANCEL_NOT_OURS: "Cancelled by the service, not by this till.",
        Flag.CANCEL_TOO_LATE: "Already being processed – checking.",
        Flag.CANCEL_NOT_ALLOWED: "This terminal may not cancel it: call the manager.",
        Flag.QR_LOST: "The code was lost. It is cancelled, and a new one follows by itself.",
        Flag.ASK_NOT_ALLOWED: "This terminal may not see it: call the manager.",
        Flag.UNKNOWN_STATUS: "The service reports a status this till does not know. We keep asking.",
        Flag.SIGN_IN_REFUSED: "The service refused this terminal’s sign-in.",
        Flag.OTHER_TRANSACTION: "The service answered about another transaction.",
        Flag.FIRST_SEND_WAS_DUPLICATE: "The payment’s number was already in use.",
    }

    decline = {
        Decline.BLOCKED: "No new payment can start now.",
        Decline.LOOKS_OPEN: "A payment like this one is still open.",
        Decline.EARLIER_ATTEMPT_OPEN: "An earlier attempt of this sale is not finished: wait for it.",
        Decline.NOT_DURABLE: "Payment not started: this terminal could not record it. Nothing was sent. "
        "Call the manager.",
        Decline.NOT_ALLOWED: "Payment not started: nobody is signed in at this till, or it is locked. Nothing was sent. "
        "Sign in, then charge again.",
        Decline.BAD_AMOUNT: "Payment not started: the amount cannot be charged. Nothing was sent.",
        Decline.BAD_NUMBER: "Payment not started: the number is not a wallet’s. Nothing was sent.",
        Decline.BAD_TEXT: "Payment not started: use up to 40 letters, digits, space, - / . for invoice and reference.",
        Decline.UNKNOWN_SALE: "Payment not started: the sale is not known any more. Enter the amount again.",
    }

    block = {
        Block.NONE: "",
        Block.STARTING: "Starting: we ask about payments from before.",
        Block.SIGN_IN_REFUSED: "The payment service refused this terminal’s sign-in. No new payments; "
        "open payments stay open. Call the manager.",
        Block.NO_TOKEN: "This till has no valid access token for the payment service. No new payments; "
        "open payments stay open. Call the manager.",
        Block.IDENTITY_USED_TWICE: "This terminal’s identity is used twice. No new payments. Call the manager.",
        Block.JOURNAL_HALTED: "This terminal cannot record payments. No new payments. "
        "Open payments are still checked. Call the manager.",
        Block.LOCK_LOST: "Another program may be selling on this terminal’s record of payments. No new payments. "
        "Open payments are still checked. Close this till and start it again, or call the manager.",
        Block.ENGINE_HALTED: "The till stopped itself to be safe. No new payments. "
        "Restart it, or call the manager.",
        Block.REBUILDING: "The record of payments was damaged. No new payments until we have asked the service "
        "which payments there are.",
        Block.UPDATING: "Closing for an update: no new sale. Payments under way come to their end. "
        "A manager may put it off (F10).",
    }

    connection = {
        Connection.UNKNOWN: "Connecting…",
        Connection.CONNECTED: "Connected",
        Connection.LOST: "No connection",
        Connection.STRANGE: "No clear answer",
        Connection.SLOW: "Service busy",
        Connection.SIGN_IN_REFUSED: "Sign-in refused",
    }

    trouble = {
        Connection.UNKNOWN: "",
        Connection.CONNECTED: "",
        Connection.LOST: "Connection lost – the payment may still complete. Next check in {seconds} s.",
        Connection.STRANGE: "The answers are not the payment service’s: is a network log-in open? The payment may still complete. Next check in {seconds} s.",
        Connection.SLOW: "Service busy – next check in {seconds} s.",
        Connection.SIGN_IN_REFUSED: "The payment service refused this terminal’s sign-in. Payment {sale} stays "
        "open. Call the manager.",
    }
