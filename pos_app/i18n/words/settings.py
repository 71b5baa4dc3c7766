"""What the managers' settings say in English: sections, fields, where a value comes from, what became of it."""

from __future__ import annotations

from datetime import date

from pos_app.domain.attempt import Attempt
from pos_app.domain.replies import (
    Listing,
    NoAnswer,
    OtpRefusal,
    OtpRefused,
    OtpSubmitReply,
    OtpVerified,
    QueryReply,
    Why,
)
from pos_app.domain.sms import Alphabet, SmsSize
from pos_app.domain.views import StaffProblem
from pos_app.i18n.table import Plural, Table
from pos_app.i18n.words.checks import words as check_words
from pos_app.i18n.words.people import People
from pos_app.i18n.words.set_up import words as set_up_words
from pos_app.i18n.words.times import words as time_words

_REFUSED = frozenset({OtpRefusal.UNAUTHENTICATED, OtpRefusal.PERMISSION_DENIED})


class Settings(Table):
    """The words; English until told otherwise."""

    TITLE = "Settings"
    SAVE = "Save"
    SAVING = "Saving…"
    CLOSE = "Close"
    TEST = "Test connection"
    TRY_SOUND = "Try it"
    TESTING = "Asking both services…"
    REASON = "Why (goes into the journal)"
    REASON_EXAMPLE = "New merchant contract"
    NEEDS_REASON = "Enter why, for example New merchant contract."
    NOTHING_CHANGED = "Nothing was changed, so there is nothing to save."
    UNSAVED = "Your changes are not saved. To leave without them, close once more."
    ONLY_MANAGERS = "Only a manager can change these settings."
    FOR_THIS_RUN = (
        "This till runs on a sandbox of its own: what is changed here holds until the till is closed."
    )

    SECTION = {
        "counter": "Counter",
        "shop": "Shop",
        "receipt": "Receipt",
        "sign_in": "Sign-in and messages",
        "payment": "Payments and polling",
        "printer": "Printer",
        "window": "Look, sound and language",
        "store": "Central store",
        "secrets": "Secrets",
        "token": "Token provider",
    }
    SECTION_TEXT = {
        "counter": "Who this counter is to the payment service, and where that service is.",
        "shop": "What stands on the screens, and the limits at this counter.",
        "receipt": "What stands on a receipt beside its payment: the shop’s own lines above and below.",
        "sign_in": "The SMS with the sign-in code, and how long a sign-in lasts.",
        "payment": "How long the till waits for a customer. It asks for the result about every two seconds.",
        "printer": "The printer of this counter, and which receipts it prints without being asked.",
        "window": "How the till and the customer’s screen look and sound, and their languages.",
        "store": "Where this counter tells what it did, once it has joined. No payment ever waits for it.",
        "secrets": "Stored safely and never shown again. An empty field keeps the stored secret.",
        "token": "Where the access token comes from.",
    }

    LABEL = {
        "gateway.environment": "Environment",
        "gateway.base_url": "Address of the payment service",
        "gateway.merchant_pg_identifier": "Merchant id",
        "gateway.counter_id": "Counter number",
        "gateway.qr_amount_field": "Amount in a QR request",
        "gateway.ca_file": "File with an extra root certificate",
        "gateway.otp_base_url": "Address of the SMS service",
        "gateway.token_provider": "The access token comes from",
        "gateway.token_file": "File with the token",
        "gateway.token_command": "Command that prints the token",
        "gateway.token_url": "Address of the token service",
        "gateway.token_client_id": "Client id",
        "gateway.verification_fail_is_final": "A failed verification ends the payment",
        "shop.name": "Shop name",
        "shop.currency": "Currency",
        "shop.country": "Country",
        "shop.outlet_id": "Outlet id",
        "shop.max_amount": "Highest amount",
        "shop.confirm_above": "Ask again above",
        "shop.default_method": "Enter key charges by",
        "payment.give_up_s": "Give up after (seconds)",
        "payment.extension_s": "Once more, if under way (seconds)",
        "day.cutoff": "A business day ends at",
        "day.cashier_may_close": "Cashiers may close the day",
        "day.auto_close": "The till closes the day by itself",
        "printer.kind": "Printer",
        "printer.auto": "Receipts by themselves",
        "printer.host": "Its name or address in the network",
        "printer.port": "Its port",
        "printer.path": "Its device or folder",
        "printer.name": "Its name in the system",
        "printer.width": "Width of the paper",
        "receipt.header": "Lines above, with | between them",
        "receipt.footer": "Lines below, with | between them",
        "receipt.tax_id": "Tax number",
        "receipt.cashier": "The cashier is told by",
        "receipt.size": "Size of letters",
        "otp.message": "SMS text",
        "otp.message_si": "SMS text in Sinhala",
        "otp.message_ta": "SMS text in Tamil",
        "otp.message_ar": "SMS text in Arabic",
        "sign_in.lock_after_min": "Lock when idle for (minutes)",
        "sign_in.session_hours": "A sign-in by SMS lasts (hours)",
        "window.theme": "Colours",
        "window.language": "Language",
        "window.text_percent": "Size of texts",
        "window.motion": "Movement on the screen",
        "window.keyboard": "Keyboard on the screen",
        "sound.on": "A sound with each result",
        "sound.volume": "Volume of the sounds (1 to 100)",
        "customer_display.name": "Customer’s screen",
        "customer_display.language": "Customer’s language",
        "scanner.into": "Scanned codes",
        "scanner.prefix": "Sent before a code",
        "scanner.suffix": "Sent after a code",
        "store.address": "Address of the central store",
        "store.ca_file": "File with its certificate",
        "store.pin": "Fingerprint of that certificate",
        "store.references": "Tell it invoice numbers and references",
    }
    """By the names of the settings file."""

    SECRET = {
        "access_token": "Access token",
        "merchant_secret_code": "Merchant secret code",
        "merchant_password": "Merchant password",
        "otp_access_token": "Access token of the SMS service",
        "token_client_secret": "Client secret of the token service",
    }
    REVOKE = "Revoke"
    KEEP = "Keep it"
    WILL_BE_REVOKED = "is revoked when you save"
    NOT_STORED = "not set"
    STORED = "stored"
    NEW_SECRET = "type a new one"

    CHOICE = {
        "gateway.environment": {"live": "Live: real money", "sandbox": "Sandbox"},
        "gateway.qr_amount_field": {"chargeTotal": "chargeTotal", "amount": "amount"},
        "gateway.token_provider": {
            "static": "A stored secret",
            "file": "A file",
            "command": "A command",
            "oauth2": "A token service (OAuth2)",
        },
        "gateway.verification_fail_is_final": {"false": "No, ask on", "true": "Yes"},
        "day.cashier_may_close": {"true": "Yes", "false": "No"},
        "day.auto_close": {"true": "Yes", "false": "No"},
        "store.references": {"true": "Yes", "false": "No"},
        "printer.kind": {
            "none": "None",
            "network": "In the network",
            "device": "At a USB cable",
            "system": "The system’s",
            "windows": "Windows’",
            "file": "Files in a folder",
            "virtual": "A pretended one",
        },
        "printer.auto": {
            "all": "Each payment’s",
            "ask": "When asked after a payment",
            "off": "Never",
        },
        "printer.width": {"80": "80 mm", "58": "58 mm"},
        "receipt.cashier": {"name": "Name", "number": "Number", "none": "Not at all"},
        "receipt.size": {"24": "As most read it", "36": "Large print"},
        "sound.on": {"true": "Yes", "false": "No"},
        "shop.default_method": {"qr": "QR code", "push": "Their phone"},
        "window.theme": {"light": "Light", "dark": "Dark", "system": "Like the system"},
        "window.language": People.LANGUAGE,
        "window.text_percent": {
            "100": "100 %",
            "125": "125 %",
            "150": "150 %, on a large screen",
            "200": "200 %, on a very large screen",
        },
        "window.motion": {"true": "Yes", "false": "No"},
        "window.keyboard": {
            "auto": "Where it is needed",
            "always": "At every touch",
            "never": "Never",
        },
        "scanner.into": {
            "invoice": "Invoice number",
            "reference": "Reference",
            "nowhere": "Not used",
        },
    }
    FIRST_FREE_DISPLAY = "The first free display"
    DISPLAY = "{name} · {width} × {height}"
    NO_DISPLAY = "None"
    LIKE_THE_TILL = "Like the till"
    SAME_FOR_ALL = "the one above"
    NO_FILE = "none"
    SAME_SERVICE = "the payment service’s"

    FROM_DEFAULT = "default"
    FROM_SITE = "site file"
    FROM_FILE = "settings file"
    FROM_COMMAND_LINE = "command line"
    FROM_ENVIRONMENT = "environment"
    FROM_SANDBOX = "this sandbox"
    FROM_THIS_RUN = "this run"

    LOCKED = "locked"
    LOCKED_BECAUSE = "What is locked here: {why}."
    LOCKED_BY_SITE = "Locked by the site file"
    LOCKED_BY_COMMAND_LINE = "Set on the command line"
    LOCKED_BY_VARIABLE = "Set by {variable} in the environment"
    LOCKED_BY_SANDBOX = "Belongs to the sandbox this till runs on"
    SECRETS_OF_SANDBOX = "The sandbox this till runs on made these secrets; they cannot be changed."
    SECRETS_GIVEN = "The secrets are given by the service manager: change them there."

    SAVED = "Saved. It holds from now on."
    TEXT_FITS = "This screen has room for texts of {percent} %."
    SAVED_FOR_THIS_RUN = "Done. It holds until the till is closed."
    BEGUN_ANEW = "Saved. The till was begun anew with it."
    NOT_SAVED = "Nothing was changed. The settings could not be saved: {why}"
    NOT_OPENED = "Nothing was changed. The till could not be opened with the new settings: {why}"
    BUSY = "One moment: the last wish is still being worked on. Try again."
    OPENED_MEANWHILE = "Nothing was changed: a payment was opened meanwhile. Close it first."
    UPDATING = "Nothing was changed: the till is being updated. Try again in a minute."

    STAFF = {
        StaffProblem.NOT_SIGNED_IN: "Nobody is signed in. Sign in as manager.",
        StaffProblem.LOCKED: "The till is locked. Unlock it first.",
        StaffProblem.NO_REASON: "Enter why, for example New merchant contract.",
        StaffProblem.CANNOT_RECORD: "The journal cannot be written just now, so nothing was changed.",
    }
    FIELD_PROBLEM = "{label} {problem}."
    FIELD_PROBLEM_EXAMPLE = "{label} {problem}, for example {example}."
    STILL_OPEN = Plural(
        one="1 payment is open: it belongs to merchant {merchant}, counter {counter}. Close it first, then change "
        "this ({label}).",
        other="{count} payments are open: they belong to merchant {merchant}, counter {counter}. Close them first, "
        "then change this ({label}).",
    )
    DAY_IS_OPEN = (
        "Today’s takings are of merchant {merchant}, counter {counter}, in one currency. Close the day first "
        "(F10), then change this ({label})."
    )
    STORED_ON = "stored {day}"
    SMS_ONE = "{used} of {limit} characters: 1 SMS"
    SMS_ONE_WIDE = "{used} of {limit} characters, in the wide alphabet: 1 SMS"
    SMS_PARTS = "{used} characters: goes out as {parts} SMS (one holds {limit})"
    SMS_PARTS_WIDE = "{used} characters, in the wide alphabet: goes out as {parts} SMS (one holds {limit})"

    SMS_SERVICE = {
        Why.NAME: "SMS service: there is no such address.",
        Why.CONNECT: "SMS service: it cannot be reached.",
        Why.TLS: "SMS service: its identity is not proven; check the address and this machine’s clock.",
        Why.TIME_OUT: "SMS service: it did not answer in time.",
        Why.BROKEN: "SMS service: the connection broke.",
        Why.SIGN_IN: "SMS service: it refused the access token.",
        Why.FORBIDDEN: "SMS service: this terminal has no right to use it.",
        Why.SLOW_DOWN: "SMS service: it is busy; try again in a minute.",
        Why.HTTP: "SMS service: what answered is no SMS service.",
        Why.REDIRECT: "SMS service: the address leads elsewhere, and this till does not follow.",
        Why.TOO_LARGE: "SMS service: the answer is too large.",
        Why.UNREADABLE: "SMS service: what answered is no SMS service.",
    }
    SMS_SERVICE_UNSURE = {
        OtpRefusal.TOO_MANY_REQUESTS: "SMS service: it is busy; try again in a minute.",
        OtpRefusal.INTERNAL: "SMS service: it has a trouble of its own; try again later.",
        OtpRefusal.UNAVAILABLE: "SMS service: it is out of order; try again later.",
        OtpRefusal.TIMEOUT: "SMS service: it has a trouble of its own; try again later.",
        OtpRefusal.UNKNOWN: "SMS service: what answered is no SMS service.",
    }
    SMS_NO_TOKEN = "SMS service: there is no access token to ask it with."
    SMS_SERVICE_WELL = "SMS service: it answered and accepted this terminal. No SMS was sent, so that one arrives was not tested."
    PAYMENTS_WELL = "Payment service: it answered and accepted this terminal."
    PAYMENTS_PROBLEM = "Payment service: {problem}"

    def not_permitted(self, problem: StaffProblem) -> str:
        """Why the engine did not allow it."""
        return self.STAFF.get(problem, self.ONLY_MANAGERS)

    def problem(self, key: str, text: str, example: str) -> str:
        """Field, limit, example."""
        example = example.strip('"')
        said = self.FIELD_PROBLEM_EXAMPLE if example else self.FIELD_PROBLEM
        return said.format(label=self.LABEL.get(key, key), problem=check_words.said(text), example=example)

    def open_payments(self, attempts: tuple[Attempt, ...], merchant: str, counter: int, key: str) -> str:
        """Why whom the counter belongs to cannot change now."""
        return self.STILL_OPEN.of(len(attempts), merchant=merchant, counter=counter, label=self.LABEL[key])

    def day_is_open(self, merchant: str, counter: int, key: str) -> str:
        """Why the takings' merchant, counter and currency cannot change now."""
        return self.DAY_IS_OPEN.format(merchant=merchant, counter=counter, label=self.LABEL[key])

    def stored_on(self, day: date | None) -> str:
        """ "stored 12 Nov", or "stored" where nobody knows when."""
        return self.STORED if day is None else self.STORED_ON.format(day=time_words.day(day))

    def sms_size(self, size: SmsSize) -> str:
        """How long a message is, and what more than one costs."""
        narrow = size.alphabet is Alphabet.GSM_7
        if size.is_one:
            said = self.SMS_ONE if narrow else self.SMS_ONE_WIDE
        else:
            said = self.SMS_PARTS if narrow else self.SMS_PARTS_WIDE
        return said.format(used=size.used, limit=size.limit, parts=size.parts)

    def sign_in_outcome(self, reply: OtpSubmitReply) -> tuple[bool, str]:
        """Whether the SMS service takes this terminal, as far as can be told without sending an SMS."""
        match reply:
            case NoAnswer(why=Why.SIGN_IN, sent=False):
                return False, self.SMS_NO_TOKEN
            case NoAnswer(why=why):
                return False, self.SMS_SERVICE[why]
            case OtpRefused(refusal=refusal) if refusal in _REFUSED:
                return False, self.SMS_SERVICE[Why.SIGN_IN]
            case OtpRefused(refusal=refusal) if refusal in self.SMS_SERVICE_UNSURE:
                return False, self.SMS_SERVICE_UNSURE[refusal]
            case OtpRefused(by_status=True):
                return False, self.SMS_SERVICE[Why.HTTP]
            case OtpRefused() | OtpVerified():
                return True, self.SMS_SERVICE_WELL

    def payments_outcome(self, reply: QueryReply) -> tuple[bool, str]:
        """Whether the payment service takes this terminal."""
        if isinstance(reply, Listing):
            return True, self.PAYMENTS_WELL
        return False, self.PAYMENTS_PROBLEM.format(problem=set_up_words.outcome_of_test(reply))


words = Settings()
