"""What the sign-in says in English: each problem of a code, and the lines around the six digits. No logic."""

from __future__ import annotations

from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import Role
from pos_app.ui.words.table import Table


class SignIn(Table):
    """The words; English until told otherwise."""

    TITLE = "Who is at the till?"
    NOBODY_LISTED = "Nobody is on the list of cashiers yet. Call the manager."
    PICK_HINT = "Choose your name. Then type your passcode or, the first time, the code that comes by SMS."
    SWITCH_HINT = "Choose your name. Payments under way go on, each under the name of its cashier."
    CODE_TITLE = "Type the code"
    CODE_FIELD = "Code from the SMS"
    CODE_EXAMPLE = "six digits, for example 482913"
    SIGN_IN = "Sign in"
    SEND_NEW = "Send a new code"
    BACK = "Someone else"
    SENDING = "Sending a code…"
    CHECKING = "Checking the code…"
    SIGNED_IN = "Signed in"
    RESENT = "A new code is on its way. The earlier code no longer works."

    ROLE = {Role.CASHIER: "Cashier", Role.MANAGER: "Manager"}

    PROBLEM = {
        OtpProblem.NONE: "",
        OtpProblem.WRONG_CODE: "Wrong code.",
        OtpProblem.CODE_EXPIRED: "Code expired. Request a new one.",
        OtpProblem.TOO_MANY_TRIES: "Too many tries with this code. Request a new one, or call the manager.",
        OtpProblem.TOO_MANY_CODES: "Too many codes were requested for this number.",
        OtpProblem.WAIT: "A code was sent a moment ago.",
        OtpProblem.DAY_LIMIT: "This person has had today’s 10 codes. Call the manager.",
        OtpProblem.TERMINAL_LIMIT: "This till has sent today’s 30 codes. Call the manager.",
        OtpProblem.TIME_NOT_SURE: "How long this till was off is not known: the payment service has not answered since.",
        OtpProblem.NUMBER_BLOCKED: "The operator blocks SMS to this number. The manager can change it.",
        OtpProblem.NUMBER_NOT_ALLOWED: "This number cannot receive codes. The manager can change it.",
        OtpProblem.SIGN_IN_REFUSED: "The SMS service refused this terminal’s sign-in. Call the manager.",
        OtpProblem.SERVICE_BUSY: "The SMS service is busy.",
        OtpProblem.SERVICE_DOWN: "The SMS service does not work just now. If a code comes, it will not work. "
        "Try again in a minute.",
        OtpProblem.NO_CONNECTION: "No connection to the SMS service. Check the network and try again.",
        OtpProblem.NOT_PROVEN: "The SMS service’s identity could not be proven. Check the terminal’s clock, "
        "and call the manager.",
        OtpProblem.NOT_CHECKED: "The code could not be checked. It counts as a try.",
        OtpProblem.NOT_SENT_FOR_SURE: "A code may be on its way, but it will not work. Send a new one.",
        OtpProblem.BAD_REPLY: "This till cannot read the SMS service’s answer. Try again, or call the manager.",
        OtpProblem.BAD_CODE: "Enter the 6 digits from the SMS, for example 482913.",
        OtpProblem.BAD_REQUEST: "The SMS service did not understand this till. Call the manager.",
        OtpProblem.UNKNOWN_PERSON: "Unknown user: not on the list of cashiers. Call the manager.",
        OtpProblem.CANNOT_RECORD: "This till cannot record the sign-in. Nothing was sent. Call the manager.",
    }
    """One text for each problem; a test fails when one is missing."""

    def problem(self, kind: OtpProblem, tries_left: int | None, wait_s: int | None) -> str:
        """The problem, the tries left where a try was lost, and the wait where there is one."""
        said = self.PROBLEM[kind]
        if kind is OtpProblem.WRONG_CODE and tries_left is not None:
            return f"Wrong code – {self.tries(tries_left)}."
        if kind is OtpProblem.NOT_CHECKED and tries_left is not None:
            said = f"{said} {self.tries(tries_left).capitalize()}."
        if kind is OtpProblem.TIME_NOT_SURE and wait_s:
            return f"{said} A code can be sent when it answers, or in {self.duration(wait_s)}."
        if wait_s:
            said = f"{said} Try again in {self.duration(wait_s)}."
        return said

    def unknown_problem(self, wait_s: int | None) -> str:
        """A problem this version has no words for: the cashier still learns what to do."""
        return "The sign-in did not work." + (
            f" Try again in {self.duration(wait_s)}." if wait_s else " Try again."
        )

    def tries(self, left: int) -> str:
        """The tries left of one code."""
        return "no tries left" if left <= 0 else "1 try left" if left == 1 else f"{left} tries left"

    def sent_to(self, name: str, number_mask: str) -> str:
        """Where the code went; the mask keeps the number from the queue's eyes."""
        return f"{name}, a code was sent to {number_mask}." if name else f"A code was sent to {number_mask}."

    def resend_in(self, seconds: int) -> str:
        """The button's words while a new code may not be sent yet."""
        return f"New code in {self.duration(seconds)}"

    def duration(self, seconds: int) -> str:
        """20 s, 2 min 5 s, 3 h 10 min: whole units, the largest two."""
        if seconds < 60:
            return f"{seconds} s"
        minutes, rest = divmod(seconds, 60)
        if minutes < 60:
            return f"{minutes} min {rest} s" if rest else f"{minutes} min"
        hours, minutes = divmod(minutes, 60)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"


words = SignIn()
