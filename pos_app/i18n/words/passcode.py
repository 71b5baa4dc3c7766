"""What the till says of passcodes in English: each problem with its limit, an example and a next step. No logic."""

from __future__ import annotations

from pos_app.domain.passcode import FEWEST, MOST, PasscodeProblem
from pos_app.i18n.table import Plural, Table
from pos_app.i18n.words.times import words as time_words


class Passcode(Table):
    """The words; English until told otherwise."""

    FIELD = "Passcode"
    TITLE = "Type your passcode"
    HINT = "{name}, your passcode opens this till."
    HINT_LOCKED = "{name}, your passcode unlocks this till."
    UNLOCK = "Unlock"
    SIGN_IN = "Sign in"
    CHECKING = "Checking the passcode…"
    WAIT = "Wait {wait}"
    BY_SMS = "Send a code by SMS instead"
    BY_PASSCODE = "Use the passcode instead"
    CLEAR = "Clear the passcode"
    BACKSPACE = "Delete the last digit"

    CHOOSE_TITLE = "Choose a passcode"
    CHOOSE_HINT = "{name}, it unlocks this till without an SMS. Tell it to nobody."
    RULES = (
        "{fewest} to {most} digits, no part of your mobile number",
        "not one or two digits alone (111111, 121221)",
        "no run and no repeated block (123456, 482482)",
    )
    REPEAT_HINT = "{name}, type the same digits once more, so that no slip of a finger locks you out."
    NEW = "New passcode"
    AGAIN = "The same once more"
    OTHER = "Choose another"
    SAVE = "Save the passcode"
    SAVING = "Saving the passcode…"
    SAVED = "The passcode is changed."
    DIFFERENT = "That was not the same twice. Choose again."

    CHANGE_TITLE = "Change the passcode"
    CHANGE_HINT = "{name}, first the passcode you have now. Forgotten? A manager can reset it."
    NEXT = "Next"
    CLOSE = "Close"

    PROBLEM = {
        PasscodeProblem.NONE: "",
        PasscodeProblem.WRONG: "Wrong passcode.",
        PasscodeProblem.WAIT: "Too many wrong passcodes.",
        PasscodeProblem.DEAD: "Ten wrong passcodes: this passcode is dead. Sign in with a code by SMS, or ask a manager "
        "to reset it.",
        PasscodeProblem.NOT_SET: "No passcode is set yet. Sign in with a code by SMS, then choose one.",
        PasscodeProblem.NEEDS_SMS: "Your session has ended. Sign in with a code by SMS; after that the passcode is "
        "enough again.",
        PasscodeProblem.TOO_SHORT: "A passcode has at least {fewest} digits, for example 704918 (but not this one).",
        PasscodeProblem.TOO_LONG: "A passcode has at most {most} digits, for example 704918 (but not this one).",
        PasscodeProblem.NOT_DIGITS: "A passcode is {fewest} to {most} digits 0–9, for example 704918 "
        "(but not this one).",
        PasscodeProblem.TOO_EASY: "Too easy to guess. Take no repeated digit, run or block (111111, 123456, 482482) "
        "and no part of your number.",
        PasscodeProblem.SAME_AS_BEFORE: "That is the passcode you already have. Choose another.",
        PasscodeProblem.UNKNOWN_PERSON: "Not on the list of cashiers any more. Choose another name, or call the manager.",
        PasscodeProblem.NOT_A_MANAGER: "Only a manager can do this. Choose a manager’s name.",
        PasscodeProblem.BUSY: "Another passcode is being checked. Try again in a moment.",
        PasscodeProblem.CANNOT_RECORD: "This till cannot record the passcode. Nothing was changed. Call the manager.",
    }
    """One text for each problem; a test fails when one is missing."""

    UNKNOWN = "The passcode was not taken. Try again, or sign in with a code by SMS."

    WRONG_LEFT = Plural(one="Wrong passcode – 1 try left.", other="Wrong passcode – {count} tries left.")
    WRONG_NONE_LEFT = "Wrong passcode – no tries left."
    NEXT_TRY = "The next try in {wait}."

    def rules(self) -> tuple[str, ...]:
        """What a passcode must be."""
        return tuple(rule.format(fewest=FEWEST, most=MOST) for rule in self.RULES)

    def problem(self, kind: PasscodeProblem, tries_left: int | None, wait_s: int | None) -> str:
        """The problem, with the tries left where one was lost, and the wait where there is one."""
        said = self.PROBLEM[kind].format(fewest=FEWEST, most=MOST)
        if kind is PasscodeProblem.WRONG and tries_left is not None:
            said = self.WRONG_LEFT.of(tries_left) if tries_left > 0 else self.WRONG_NONE_LEFT
        if wait_s and kind in (PasscodeProblem.WRONG, PasscodeProblem.WAIT, PasscodeProblem.BUSY):
            said = f"{said} {self.NEXT_TRY.format(wait=time_words.duration(wait_s))}"
        return said

    def waiting(self, seconds: int) -> str:
        """The button's words while no passcode is looked at."""
        return self.WAIT.format(wait=time_words.duration(seconds))


words = Passcode()
