"""What the people panel says in English: acts, forms, and each problem with field, limit and example. No logic."""

from __future__ import annotations

from pos_app.domain.people import Person, Role
from pos_app.domain.views import StaffProblem
from pos_app.i18n.table import Plural, Table
from pos_app.i18n.words.sign_in import words as sign_in_words


class People(Table):
    """The words; English until told otherwise."""

    TITLE = "People"
    HINT = "Everybody who may sign in at this till. Touch a name to change something."
    ENROL = "Enrol a person"
    BACK = "Back"
    CLOSE = "Close"
    COUNT = Plural(one="1 person", other="{count} people")

    OFF = "Disabled"
    PASSCODE_SET = "passcode set"
    PASSCODE_NONE = "no passcode yet"
    PASSCODE_DEAD = "passcode dead"
    PASSCODE_ALONE = "passcode set, signs in without SMS"
    COUNTER_LANGUAGE = "The counter’s language"
    LANGUAGE = {"en": "English", "si": "සිංහල (Sinhala)", "ta": "தமிழ் (Tamil)", "ar": "العربية (Arabic)"}

    ROW_ROLE = "Role"
    ROW_NUMBER = "Mobile number"
    ROW_PASSCODE = "Passcode"
    ROW_LANGUAGE = "Language"
    ROW_STATE = "May sign in"
    YES, NO = "Yes", "No"

    RENAME = "Rename"
    ROLE_ACT = "Role"
    LANGUAGE_ACT = "Language"
    NUMBER_ACT = "New number"
    ALONE_ON = "Allow sign-in without SMS"
    ALONE_OFF = "Ask for an SMS again"
    RESET = "Reset passcode"
    DISABLE = "Disable"
    ENABLE = "Enable"

    NAME_FIELD = "Name"
    NAME_EXAMPLE = "Nimali Perera"
    NUMBER_FIELD = "Mobile number"
    ROLE_FIELD = "Role"
    LANGUAGE_FIELD = "Language"
    REASON_FIELD = "Reason"

    ENROL_TITLE = "Enrol a person"
    ENROL_MORE = "A code goes to this number by SMS. The new person types it here themselves, which proves the number, and tells it to nobody."
    RENUMBER_TITLE = "New number for {name}"
    RENUMBER_MORE = (
        "Now: {mask}. A code goes to the new number by SMS; typed here it proves the number. "
        "Until then the old one holds."
    )
    SEND = "Send the code"
    CODE_TITLE = "Type the code"
    OTHER_NUMBER = "Other number"
    CONFIRM_CODE = "Confirm"

    RENAME_TITLE = "Rename {name}"
    RENAME_MORE = (
        "The new name stands on the sign-in and in the record from now on. Earlier entries keep the old one."
    )
    RENAME_DO = "Rename"
    ROLE_TITLE = "Role of {name}"
    ROLE_MORE = (
        "A manager enrols people, changes settings, allows and signs. "
        "A cashier takes payments and cancels their own."
    )
    ROLE_DO = "Change the role"
    LANGUAGE_TITLE = "Language of {name}"
    LANGUAGE_MORE = "The till speaks it to them, and the sign-in code’s SMS is written in it."
    LANGUAGE_DO = "Change the language"
    ALONE_ON_TITLE = "Let {name} sign in without SMS?"
    ALONE_ON_MORE = (
        "The passcode alone then opens this till for {name}, also when the SMS service is down. Whoever sees the "
        "passcode can sign in."
    )
    ALONE_ON_DO = "Allow it"
    ALONE_OFF_TITLE = "Ask {name} for an SMS again?"
    ALONE_OFF_MORE = "The passcode still unlocks the till; each day begins with a code by SMS."
    ALONE_OFF_DO = "Ask for the SMS"
    RESET_TITLE = "Reset the passcode of {name}?"
    RESET_MORE = (
        "{name} signs in with a code by SMS and chooses a new passcode then. The old one no longer works."
    )
    RESET_DO = "Reset it"
    DISABLE_TITLE = "Disable {name}?"
    DISABLE_MORE = "{name} can no longer sign in, from now on. Payments under way go on. Nothing in the record is removed."
    DISABLE_DO = "Disable"
    ENABLE_TITLE = "Enable {name} again?"
    ENABLE_MORE = "{name} can sign in again, first with a code by SMS."
    ENABLE_DO = "Enable"

    REASONS = {
        "enrol": ("New at this shop", "Helps out today"),
        "number": ("Has a new number", "Lost the phone"),
        "rename": ("Changed the name", "Was misspelt"),
        "role": ("Other duties", "Stands in for the manager"),
        "language": ("Asked for it",),
        "alone_on": ("SMS often comes late", "The SMS service is down"),
        "alone_off": ("No longer needed", "The passcode may have been seen"),
        "reset": ("Forgotten", "Too many wrong ones", "It may have been seen"),
        "disable": ("Has left the shop", "Away for some weeks"),
        "enable": ("Is back",),
    }
    """Offered as touches; the first is the example in an error."""

    DONE_ENROLLED = "{name} is enrolled and can sign in."
    DONE_NUMBER = "{name} has the new number {mask}."
    DONE = "Done and recorded: {what}."
    WORKING = "One moment…"
    NOT_DONE = "This was not done. Try again."

    PROBLEM = {
        StaffProblem.NONE: "",
        StaffProblem.NOT_ALLOWED: "Only a manager may do this. Nothing was changed.",
        StaffProblem.NOT_SIGNED_IN: "Nobody is signed in any more. Sign in and try again; nothing was changed.",
        StaffProblem.LOCKED: "The till is locked. Unlock it and try again; nothing was changed.",
        StaffProblem.UNKNOWN_PERSON: "This person is not on the list any more. Nothing was changed.",
        StaffProblem.LAST_MANAGER: "This is the last manager who can sign in. Make somebody else a manager first.",
        StaffProblem.NAME_TAKEN: "Somebody on the list has this name. Enter another, for example Nimali P.",
        StaffProblem.BAD_NAME: "Enter a name of 1 to 40 letters, for example Nimali Perera.",
        StaffProblem.BAD_NUMBER: "Enter the mobile number, for example {number}.",
        StaffProblem.NUMBER_TAKEN: "Somebody on the list has this number. Enter their own, for example {number}.",
        StaffProblem.NO_REASON: "Enter a reason, at least 3 letters, for example “{reason}”.",
        StaffProblem.NO_CHANGE: "It is like this already. Nothing was changed.",
        StaffProblem.UNKNOWN_PAYMENT: "This payment is not known to this till.",
        StaffProblem.PAYMENT_CHANGED: "This payment has changed meanwhile, so nothing was signed off. Look at it again.",
        StaffProblem.CANNOT_RECORD: "This till cannot record it, so it was not done. Call the manager.",
        StaffProblem.CANNOT_READ: "This till’s record cannot be read just now. Try again in a moment.",
    }
    """One text for each problem; a test fails when one is missing."""

    def problem(self, kind: StaffProblem, *, number: str = "", reason: str = "") -> str:
        """The problem in words, with an example where a field is wrong."""
        return self.PROBLEM[kind].format(number=number, reason=reason)

    def passcode_of(self, person: Person) -> str:
        """The state of somebody's passcode."""
        if person.passcode_dead:
            return self.PASSCODE_DEAD
        if not person.passcode_set:
            return self.PASSCODE_NONE
        return self.PASSCODE_ALONE if person.passcode_signs_in else self.PASSCODE_SET

    def language_of(self, code: str) -> str:
        """A language by its own name; one without a name here by its code."""
        return self.LANGUAGE.get(code, code) if code else self.COUNTER_LANGUAGE

    def line_of(self, person: Person) -> str:
        """The second line of somebody's row."""
        parts = [sign_in_words.ROLE[person.role], person.number_mask, self.passcode_of(person)]
        if person.language:
            parts.append(self.language_of(person.language))
        return " · ".join(([] if person.enabled else [self.OFF]) + parts)

    def count(self, people: int) -> str:
        """How many are on the list."""
        return self.COUNT.of(people)

    def roles(self) -> tuple[tuple[str, str], ...]:
        """The choice of a role: value and name."""
        return tuple((role.value, sign_in_words.ROLE[role]) for role in (Role.CASHIER, Role.MANAGER))


words = People()
