"""What the first start and the counter's settings say in English: fields, limits, examples, test results."""

from __future__ import annotations

from pos_app.domain.phone import NumberError, NumberProblem
from pos_app.domain.replies import Listing, NoAnswer, QueryReply, Refused, Why
from pos_app.i18n.table import Table
from pos_app.i18n.words.numbers import words as number_words


class SetUp(Table):
    """The words; English until told otherwise."""

    WELCOME = "Welcome"
    WELCOME_TEXT = "This till takes wallet payments by QR code and by a request sent to the customer’s phone."
    TRY_TITLE = "Try it in the sandbox"
    TRY_TEXT = "No real money. A pretend customer’s phone stands beside the till."
    TRY_STARTING = "Starting the sandbox…"
    TRY_FAILED = "The sandbox could not be started: {why}"
    SET_UP_TITLE = "Set up this counter"
    SET_UP_TEXT = "With the merchant id and the secrets of your payment service."

    COUNTER_TITLE = "This counter"
    MANAGER_TITLE = "The first manager"
    MANAGER_TEXT = "The manager signs in with a code sent by SMS, and may add cashiers and change settings."
    LOST_TITLE = "Nobody is on the list of this till any more"
    LOST_TEXT = "The record of this till was damaged or lost, and nothing that is left of it names a manager. So that nobody takes the till over, the administrator of this machine makes the first one. Close this till, then type on this machine:"
    LOST_MORE = (
        "A code by SMS proves the number. What is known of the payments is kept, and open ones are checked."
    )
    READY_TITLE = "The till is ready"
    READY_TEXT = "You are signed in as manager."

    BACK = "Back"
    NEXT = "Next"
    CANCEL = "Cancel"
    SEND_CODE = "Send a code"
    START = "Start selling"
    TEST = "Test connection"
    TESTING = "Testing the connection…"
    NOT_SAVED = "The settings could not be saved. Nothing was changed."
    SET_UP_MEANWHILE = (
        "This counter was set up in another window meanwhile. Nothing was changed: close this window."
    )
    SECRETS_HINT = "Token, code and password are stored safely and never shown again."

    LABEL = {
        "shop_name": "Shop name",
        "counter_id": "Counter number",
        "merchant_pg_identifier": "Merchant id",
        "base_url": "Address of the payment service",
        "country": "Country",
        "currency": "Currency",
        "access_token": "Access token",
        "merchant_secret_code": "Merchant secret code",
        "merchant_password": "Merchant password",
        "default_method": "Enter key charges by",
        "theme": "Colours",
        "name": "Your name",
        "number": "Your mobile number",
    }
    """The fields by the names the settings file gives them."""

    PROBLEM = {
        "shop_name": "Enter the shop name, 1 to 40 characters, for example Corner Shop.",
        "counter_id": "Enter the counter number, 1 to 2147483647, for example 3.",
        "merchant_pg_identifier": "Enter the merchant id, 1 to 64 letters, digits or signs without spaces, for example M-0001.",
        "base_url": "Enter the address of the payment service. It begins with https://, for example https://pay.example.com.",
        "country": "Choose the country, for example Sri Lanka.",
        "currency": "Choose the currency, for example LKR.",
        "access_token": "Enter the access token, for example eyJhbGciOi….",
        "merchant_secret_code": "Enter the secret code, for example 7fK2-x91.",
        "merchant_password": "Enter the password, for example s3cret-Word.",
        "default_method": "Choose QR code or phone.",
        "theme": "Choose light, dark or like the system.",
        "name": "Enter your name, 1 to 40 characters, for example Nimali Perera.",
    }
    """Field, limit, example: what is said whenever the field's text cannot be used."""

    LIVE_LOOPBACK = (
        "Enter the address of the real payment service, for example https://pay.example.com. "
        "An address of this machine or of a local network takes no real payments."
    )
    SANDBOX_ONLY_LOCAL = (
        "Enter an address of this machine for the sandbox, for example http://127.0.0.1:8080. "
        "The sandbox never talks to a real service."
    )

    NUMBER = {
        NumberProblem.EMPTY: "Enter your mobile number, for example {example}.",
        NumberProblem.NOT_A_NUMBER: "This is no mobile number. Enter one, for example {example}.",
        NumberProblem.TOO_SHORT: "The mobile number is too short. Enter all of it, for example {example}.",
        NumberProblem.TOO_LONG: "The mobile number is too long: at most 15 digits. Enter one, for example {example}.",
        NumberProblem.NOT_MOBILE: "This is no mobile number (a landline gets no SMS). Enter one, for example {example}.",
    }

    CONNECTED = "Connected: the service answered and accepted this terminal."

    NO_ANSWER = {
        Why.NAME: "No such address. Check the address of the payment service, and the network.",
        Why.CONNECT: "The service cannot be reached. Check the network and the address.",
        Why.TLS: "The service’s identity is not proven. Check the address and this machine’s clock.",
        Why.TIME_OUT: "The service did not answer in time. Try again.",
        Why.BROKEN: "The connection broke. Try again.",
        Why.SIGN_IN: "The service answered, but refused the access token. Check the access token.",
        Why.FORBIDDEN: "The service answered, but this terminal has no right to ask. Check the secrets.",
        Why.SLOW_DOWN: "The service answered, but is busy. Try again in a minute.",
        Why.HTTP: "The service answered, but not as a payment service does. Check the address.",
        Why.REDIRECT: "The address leads elsewhere, and this till does not follow. Check the address.",
        Why.TOO_LARGE: "The answer is too large to be a payment service’s. Check the address.",
        Why.UNREADABLE: "The answer is not a payment service’s. Check the address. Is a network log-in open?",
    }
    """One text for each way of getting no answer; a test fails when one is missing."""

    NO_TOKEN = "There is no access token to ask with. Check where it comes from."

    REFUSED = {
        "5001": "The service misses something in the request. Check the merchant id.",
        "5002": "The service does not know this merchant id. Check it.",
        "5008": "This merchant has no permission. Check the merchant id and secrets.",
        "5011": "These secrets belong to no merchant admin user. Ask for others.",
        "5012": "This merchant may not see its payments. Check the merchant id and secrets.",
        "5015": "The service misses something in the request. Check the merchant id.",
    }

    REFUSED_OTHERWISE = "The service answered, but refused the test."

    def number_problem(self, error: NumberError, example: str) -> str:
        """Why the number cannot be used: what is missing, or an example of the counter's country."""
        return number_words.slip(error) or self.NUMBER[error.problem].format(example=example)

    def outcome_of_test(self, reply: QueryReply) -> str:
        """What the answer to "Test connection" means for whoever sets up the counter."""
        match reply:
            case Listing():
                return self.CONNECTED
            case Refused(code=code):
                said = self.REFUSED.get(code, self.REFUSED_OTHERWISE)
                return f"{said} ({code})" if code.isascii() and code.isalnum() and len(code) <= 8 else said
            case NoAnswer(why=Why.SIGN_IN, sent=False):
                return self.NO_TOKEN
            case NoAnswer(why=Why.HTTP, http_status=502 | 503 | 504):
                # Out of order for a while: whoever changed the address then would lose the right one.
                return self.NO_ANSWER[Why.SLOW_DOWN]
            case NoAnswer(why=Why.HTTP, http_status=407 | 511):
                # A proxy that wants a password, and a network that wants a log-in (RFC 6585).
                return self.NO_ANSWER[Why.UNREADABLE]
            case NoAnswer(why=why):
                return self.NO_ANSWER[why]


words = SetUp()
