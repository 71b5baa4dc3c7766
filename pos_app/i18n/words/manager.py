"""What the manager's menu and the list of what was done say in English. No logic."""

from __future__ import annotations

from pos_app.i18n.table import Table


class Manager(Table):
    """The words; English until told otherwise."""

    TITLE = "Manager"
    CLOSE = "Close"
    BACK = "Back"
    DAY = "The day"
    DAY_MORE = "Takings so far, closing, closed days"
    DAY_OWN = "My takings so far; a manager allows more"
    HISTORY = "All payments"
    HISTORY_MORE = "Every payment ever taken here: search, details, export"
    PEOPLE = "People"
    PEOPLE_MORE = "Enrol, disable, new number, role, passcode"
    SETTINGS = "Settings"
    SETTINGS_MORE = "Counter, shop, languages, secrets, connection"
    DONE = "What was done"
    DONE_MORE = "Who did what, when and why"
    DIAGNOSTICS = "Diagnostics"
    DIAGNOSTICS_MORE = "A file for the help desk, without secrets"
    LEAVE = "Leave the till"
    LEAVE_MORE = "Ends the full screen; a reason is asked"
    IDENTITY = "New identity"
    IDENTITY_MORE = "Used twice, or known otherwise to the central store; a reason is asked"
    PUT_OFF = "Put off the update"
    PUT_OFF_MORE = "The till is closing for an update; a reason is asked"
    ONLY_SIGNED_IN = "Only with a manager signed in"
    ALLOWS = "A manager allows it with their passcode"

    LEAVE_TITLE = "Leave the till?"
    LEAVE_WHAT = "The full screen ends. Open payments stay recorded and go on at the next start."
    LEAVE_YES = "Leave the till"

    DIAGNOSTICS_TITLE = "Save the diagnostics?"
    DIAGNOSTICS_WHAT = (
        "Versions, settings, the journal’s verification and the log’s end, in one file. No secret and no wallet "
        "number is in it. Your name and reason are recorded."
    )
    DIAGNOSTICS_YES = "Save it"
    DIAGNOSTICS_MAKING = "The file is being made. This takes some seconds."
    DIAGNOSTICS_MADE = "The file is saved. Give it to the help desk:"
    DIAGNOSTICS_FAILED = "The file could not be made:"
    DIAGNOSTICS_STICK = "Copy to {name}"
    DIAGNOSTICS_NO_STICK = "Plug in a USB stick to take it along."
    DIAGNOSTICS_COPYING = "Copying…"
    DIAGNOSTICS_COPIED = "It is on {name} now. The stick can be pulled out."
    DIAGNOSTICS_NOT_COPIED = "It could not be copied:"

    IDENTITY_TITLE = "Give this till a new identity?"
    IDENTITY_WHAT = (
        "Another copy of this till’s record may be selling: an old backup, or a copied disk. Find it and switch it "
        "off first. From then on payments go under a new identity; open ones are still asked about. Your name and "
        "reason are recorded."
    )
    IDENTITY_STORE = (
        "The central store knows this till as another counter, or in another shop. What it told stays there. From then "
        "on payments go under a new identity; join the store with it. Open ones are still asked about. Your name and "
        "reason are recorded."
    )
    IDENTITY_YES = "New identity"

    PUT_OFF_TITLE = "Put off the update?"
    PUT_OFF_WHAT = "The till sells again at once, and for an hour no update closes it. Your name and reason are recorded."
    PUT_OFF_YES = "Put it off"

    LOG_TITLE = "What was done"
    LOG_NONE = "Nothing was done yet that needs a manager or changes a person."
    LOG_NONE_SUCH = "Nothing of that kind was done by them or on that day."
    LOG_WHO = "Person"
    LOG_EVERYBODY = "Everybody"
    LOG_DAY = "Day"
    LOG_ALL_DAYS = "All days"
    LOG_TODAY = "Today"
    LOG_READING = "Reading the record…"
    LOG_HINT = "The newest first. Nothing here can be changed or removed."
    LOG_WHY = "Why: {reason}"
    LOG_WHOM = "{what}: {whom}"
    LOG_TILL = "The till"
    LOG_FOR = "for {name}"
    LOG_SALE = "sale {sale}"
    LOG_ACT = "{what}: {act}"

    KIND = {
        "PERSON_ENROLLED": "Enrolled",
        "PERSON_RENUMBERED": "New number",
        "PERSON_CHANGED": "Changed",
        "PASSCODE_SET": "Chose a passcode",
        "PASSCODE_RESET": "Passcode reset",
        "PASSCODE_DEAD": "Passcode dead after ten wrong ones",
        "APPROVED": "Allowed",
        "PERMITTED": "",
        "NUMBER_UNMASKED": "",
        "RIGHT_REFUSED": "Refused",
        "APPROVAL_REFUSED": "Refused beside a manager",
        "REFUND_SIGNED": "Signed a refund",
        "REFUND_NOTED": "Noted money back",
        "REFUND_GIVEN": "Marked a refund note as given",
        "REFUND_WITHDRAWN": "Withdrew a refund note",
        "ANSWER": "Settled a payment",
        "SETTINGS_IN_FORCE": "Changed the settings",
        "SETTINGS_NOT_WRITTEN": "Settings could not be changed",
        "X_READ": "Read the takings",
        "CLOSING_BEGAN": "Began to close the day",
        "CLOSING_LEFT": "Left an interrupted closing",
        "Z_CLOSED": "Closed the day",
        "RECON_BEGAN": "Reconciled with the service’s list",
        "DIFFERENCE_DECIDED": "Signed for a difference",
        "PRINT_ASKED": "Had it printed",
        "COPY_ASKED": "Had a copy printed",
        "PRINT_SEEN": "Found it on paper",
        "PRINT_LEFT": "Did not want it printed",
    }
    """By kind of event, "" where the act alone says it; what is not here is shown by its own name."""

    CHANGE = {
        "name": "name",
        "role": "role",
        "enabled": "may sign in",
        "language": "language",
        "passcode_signs_in": "sign-in without SMS",
    }
    ACTION = {
        "complete": "Completed a late payment",
        "refund": "Noted money back, outside the till",
        "paid": "Signed off as paid",
        "not_paid": "Signed off as not paid",
    }
    """What an answer settled a payment as."""

    PROBLEM = {
        "not_allowed": "had no right to it",
        "not_signed_in": "nobody was signed in",
        "locked": "the till was locked",
        "wrong_passcode": "wrong passcode",
        "wait": "too soon after wrong passcodes",
        "only_a_code_by_sms_helps": "the passcode is dead",
        "no_passcode_set": "no passcode was set",
        "not_a_manager": "not a manager",
        "unknown_person": "not on the list",
    }
    TO = "{what} → {value}"
    FROM_TO = "{what}: {old} → {value}"
    EMPTY = "empty"
    SECRET_STORED = "{what}: a new one"
    SECRET_REVOKED = "{what}: revoked"
    YES, NO = "yes", "no"

    def problem_of(self, problem: str) -> str:
        """Why something was refused."""
        return self.PROBLEM.get(problem, problem.replace("_", " "))

    def kind_of(self, kind: str) -> str:
        """What happened."""
        return self.KIND.get(kind, kind.replace("_", " ").capitalize())


words = Manager()
