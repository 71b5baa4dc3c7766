"""What the sign-in says in English: each problem of a code, and the lines around the six digits. No logic."""

from __future__ import annotations

from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import Role
from pos_app.i18n.table import Plural, Table
from pos_app.i18n.words.times import words as time_words


class SignIn(Table):
    """The words; English until told otherwise."""

    TITLE = "Who is at the till?"
    NOBODY_LISTED = "Nobody is on the list of cashiers yet. Call the manager."
    PICK_HINT = "Choose your name. Then type your passcode or, the first time, the code that comes by SMS."
    SWITCH_HINT = "Choose your name. Payments under way go on, each under the name of its cashier."
    CODE_TITLE = "Type the code"
    CODE_FIELD = "Code from the SMS"
    CLEAR = "Clear the code"
    CODE_EXAMPLE = "six digits, for example 482913"
    SIGN_IN = "Sign in"
    SEND_NEW = "Send a new code"
    BACK = "Someone else"
    SENDING = "Sending a code…"
    CHECKING = "Checking the code…"
    SIGNED_IN = "Signed in"
    LANGUAGES = "Language of the screen"
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
        OtpProblem.ONLY_ADMINISTRATOR: "The record of this till was damaged, and nobody on it is a manager any more. "
        "The administrator of this machine makes one.",
        OtpProblem.CANNOT_RECORD: "This till cannot record the sign-in. Nothing was sent. Call the manager.",
    }
    """One text for each problem; a test fails when one is missing."""

    WRONG_LEFT = Plural(one="Wrong code – 1 try left.", other="Wrong code – {count} tries left.")
    WRONG_NONE_LEFT = "Wrong code – no tries left."
    LEFT = Plural(one="1 try left.", other="{count} tries left.")
    NONE_LEFT = "No tries left."
    AGAIN = "Try again."
    AGAIN_IN = "Try again in {wait}."
    AGAIN_WHEN_ANSWERED = "A code can be sent when it answers, or in {wait}."
    NOT_SIGNED_IN = "The sign-in did not work."
    SENT_TO = "{name}, a code was sent to {mask}."
    SENT = "A code was sent to {mask}."
    RESEND_IN = "New code in {wait}"

    def problem(self, kind: OtpProblem, tries_left: int | None, wait_s: int | None) -> str:
        """The problem, the tries left where a try was lost, and the wait where there is one."""
        said = self.PROBLEM[kind]
        if kind is OtpProblem.WRONG_CODE and tries_left is not None:
            return self.WRONG_LEFT.of(tries_left) if tries_left > 0 else self.WRONG_NONE_LEFT
        if kind is OtpProblem.NOT_CHECKED and tries_left is not None:
            said = f"{said} {self.LEFT.of(tries_left) if tries_left > 0 else self.NONE_LEFT}"
        if wait_s:
            then = self.AGAIN_WHEN_ANSWERED if kind is OtpProblem.TIME_NOT_SURE else self.AGAIN_IN
            said = f"{said} {then.format(wait=time_words.duration(wait_s))}"
        return said

    def unknown_problem(self, wait_s: int | None) -> str:
        """A problem this version has no words for: the cashier still learns what to do."""
        then = self.AGAIN_IN.format(wait=time_words.duration(wait_s)) if wait_s else self.AGAIN
        return f"{self.NOT_SIGNED_IN} {then}"

    def sent_to(self, name: str, number_mask: str) -> str:
        """Where the code went; the mask keeps the number from the queue's eyes."""
        return (self.SENT_TO if name else self.SENT).format(name=name, mask=number_mask)

    def resend_in(self, seconds: int) -> str:
        """The button's words while a new code may not be sent yet."""
        return self.RESEND_IN.format(wait=time_words.duration(seconds))


words = SignIn()
