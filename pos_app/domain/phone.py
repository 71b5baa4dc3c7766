"""Wallet and staff numbers: international form, and the mask that is fit for a screen."""

from __future__ import annotations

from enum import StrEnum

FEWEST_DIGITS, MOST_DIGITS = 7, 15
"""Typed digits. Some countries' plans let fewer pass, as landlines of long ago or short codes: no wallet has one."""


class NumberProblem(StrEnum):
    """Why typed text is no mobile number."""

    EMPTY = "empty"
    NOT_A_NUMBER = "not_a_number"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOT_MOBILE = "not_mobile"


class NumberError(ValueError):
    """Typed text is no mobile number."""

    def __init__(self, problem: NumberProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def parse_number(text: str, country: str) -> str:
    """What a person typed, as "+94771234567".

    `country` (ISO 3166, "LK") resolves the national form "077 123 4567". Digits must be ASCII; spaces,
    hyphens, dots and brackets are allowed between them. Raises NumberError. Source: wallet numbers are
    "a mobile number in international form with plus sign" (docs/services/merchant-payment.md).
    """
    text = text.strip(" ")
    if not text:
        raise NumberError(NumberProblem.EMPTY)
    if not text.isascii() or text.count("+") > 1 or not set(text) <= set("+0123456789 -.()"):
        raise NumberError(NumberProblem.NOT_A_NUMBER)
    if "+" in text[1:] or not any(character.isdigit() for character in text):
        raise NumberError(NumberProblem.NOT_A_NUMBER)
    return _checked(text, country)


def _checked(text: str, country: str) -> str:
    # Loaded at the first number typed, not at start: it is 30 ms of imports.
    import phonenumbers as pn
    from phonenumbers import PhoneNumberType as T

    digits = sum(character.isdigit() for character in text)
    if digits > MOST_DIGITS:
        raise NumberError(NumberProblem.TOO_LONG)
    try:
        number = pn.parse(text, country)
    except pn.NumberParseException as error:
        raise NumberError(NumberProblem.NOT_A_NUMBER) from error
    match pn.is_possible_number_with_reason(number):
        case pn.ValidationResult.TOO_SHORT | pn.ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
            raise NumberError(NumberProblem.TOO_SHORT)
        case pn.ValidationResult.TOO_LONG:
            raise NumberError(NumberProblem.TOO_LONG)
        case pn.ValidationResult.INVALID_COUNTRY_CODE | pn.ValidationResult.INVALID_LENGTH:
            raise NumberError(NumberProblem.NOT_A_NUMBER)
    if digits < FEWEST_DIGITS:
        raise NumberError(NumberProblem.TOO_SHORT)
    # A range this list of ranges does not know may have been opened since: the service knows its wallets
    # (5003, 5005). What the list knows to be something else than a mobile is a slip of the finger.
    mobile = (T.MOBILE, T.FIXED_LINE_OR_MOBILE, T.UNKNOWN)
    if pn.number_type(number) not in mobile:
        raise NumberError(NumberProblem.NOT_MOBILE)
    written = str(pn.format_number(number, pn.PhoneNumberFormat.E164))
    if len(written) > len("+") + MOST_DIGITS:
        raise NumberError(NumberProblem.TOO_LONG)
    if pn.parse(written) != number:
        # Zeros that a second reading takes for a prefix: it would ask another phone.
        raise NumberError(NumberProblem.NOT_A_NUMBER)
    return written


def mask_number(number: str) -> str:
    """Fit for any screen: the country and the last three digits, "+94 •• ••• 567"; nothing of what is none."""
    import phonenumbers as pn

    try:
        prefix = f"+{pn.parse(number).country_code} "
    except pn.NumberParseException:
        prefix = ""
    digits = [sign for sign in number if sign.isascii() and sign.isdigit()]
    return f"{prefix}•• ••• {''.join(digits[-3:])}"


def spaced(number: str) -> str:
    """An international number in groups, as it is read aloud: "+94 77 123 4567"; what is none, as it is."""
    import phonenumbers as pn

    try:
        return str(pn.format_number(pn.parse(number), pn.PhoneNumberFormat.INTERNATIONAL))
    except pn.NumberParseException:
        return number


def msisdn(number: str) -> str:
    """The form the OTP service takes: digits with country prefix, no plus."""
    return number.removeprefix("+")
