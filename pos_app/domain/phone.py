"""Wallet and staff numbers: international form, and the mask that is fit for a screen."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import phonenumbers as pn

FEWEST_DIGITS, MOST_DIGITS = 7, 15
"""Typed digits. Some countries' plans let fewer pass, as landlines of long ago or short codes: no wallet has one."""

_SLIPS = 2
"""So many digits missing, or too many, are a slip that can be named; what lacks more is something else."""


class NumberProblem(StrEnum):
    """Why typed text is no mobile number."""

    EMPTY = "empty"
    NOT_A_NUMBER = "not_a_number"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOT_MOBILE = "not_mobile"


class NumberError(ValueError):
    """Typed text is no mobile number.

    `short`: so many digits are missing, or (below zero) are too many; 0 where that cannot be told. `written`: what
    was typed in the groups of such a number, "071 234 567_" where the last digit is missing.
    """

    def __init__(self, problem: NumberProblem, *, short: int = 0, written: str = "") -> None:
        super().__init__(problem.value)
        self.problem = problem
        self.short = short
        self.written = written


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


def has_numbers(country: str) -> bool:
    """Whether there is a country of that code, so that a number's national form can be read."""
    import phonenumbers as pn

    return bool(pn.country_code_for_region(country))


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
    national = not text.startswith("+") and number.country_code == pn.country_code_for_region(country)
    match pn.is_possible_number_with_reason(number):
        case pn.ValidationResult.TOO_SHORT | pn.ValidationResult.IS_POSSIBLE_LOCAL_ONLY:
            raise _of_length(NumberProblem.TOO_SHORT, number, national)
        case pn.ValidationResult.TOO_LONG:
            raise _of_length(NumberProblem.TOO_LONG, number, national)
        case pn.ValidationResult.INVALID_LENGTH:
            _check_length(number, national)
            raise NumberError(NumberProblem.NOT_A_NUMBER)
        case pn.ValidationResult.INVALID_COUNTRY_CODE:
            raise NumberError(NumberProblem.NOT_A_NUMBER)
    if digits < FEWEST_DIGITS:
        raise NumberError(NumberProblem.TOO_SHORT)
    kind = pn.number_type(number)
    if kind == T.UNKNOWN:
        # A range this list of ranges does not know may have been opened since: the service knows its wallets
        # (5003, 5005). But no such range has mobile numbers of another length, nor one that begins as the
        # country's trunk prefix does: the 0 of "071 234 567" stays in front because a digit is missing.
        _check_length(number, national)
    # What the list knows to be something else than a mobile is a slip of the finger.
    if kind not in (T.MOBILE, T.FIXED_LINE_OR_MOBILE, T.UNKNOWN):
        raise NumberError(NumberProblem.NOT_MOBILE)
    written = str(pn.format_number(number, pn.PhoneNumberFormat.E164))
    if len(written) > len("+") + MOST_DIGITS:
        raise NumberError(NumberProblem.TOO_LONG)
    if pn.parse(written) != number:
        # Zeros that a second reading takes for a prefix: it would ask another phone.
        raise NumberError(NumberProblem.NOT_A_NUMBER)
    return written


def _check_length(number: pn.PhoneNumber, national: bool) -> None:
    short = _short_by(number)
    if short:
        raise _of_length(NumberProblem.TOO_SHORT if short > 0 else NumberProblem.TOO_LONG, number, national)
    if _prefix_in_front(number):
        raise NumberError(NumberProblem.NOT_A_NUMBER)


def _of_length(problem: NumberProblem, number: pn.PhoneNumber, national: bool) -> NumberError:
    """The error, with what is missing where it is a digit or a few of a mobile number."""
    short = _short_by(number)
    if not 0 < abs(short) <= _SLIPS or (short > 0) != (problem is NumberProblem.TOO_SHORT):
        return NumberError(problem)
    return NumberError(problem, short=short, written=_in_groups(number, national))


def _short_by(number: pn.PhoneNumber) -> int:
    """Digits missing to the nearest length of its country's mobile numbers; below zero: too many."""
    plan = _plan(number)
    if plan is None or plan.mobile is None:
        return 0
    lengths = [each for each in plan.mobile.possible_length if each > 0]
    return min((each - len(_subscriber(number)) for each in lengths), key=abs, default=0)


def _subscriber(number: pn.PhoneNumber) -> str:
    """The digits after country code and trunk prefix."""
    import phonenumbers as pn

    return str(pn.national_significant_number(number)).removeprefix(_prefix_in_front(number))


def _prefix_in_front(number: pn.PhoneNumber) -> str:
    """The trunk prefix where it stands in front still: it is taken away from what is a number."""
    import phonenumbers as pn

    plan = _plan(number)
    prefix = str(plan.national_prefix or "") if plan is not None else ""
    return prefix if str(pn.national_significant_number(number)).startswith(prefix) else ""


def _plan(number: pn.PhoneNumber) -> pn.PhoneMetadata | None:
    import phonenumbers as pn

    return pn.PhoneMetadata.metadata_for_region(_region(number))


def _region(number: pn.PhoneNumber) -> str:
    """Whose plan holds; of several countries under one code, the main one."""
    import phonenumbers as pn

    return str(pn.region_code_for_country_code(number.country_code or 0))


def _in_groups(number: pn.PhoneNumber, national: bool) -> str:
    """The digits in the groups of the country's mobile numbers, "_" where one is missing; `national`: without code."""
    import phonenumbers as pn

    example = pn.example_number_for_type(_region(number), pn.PhoneNumberType.MOBILE)
    if example is None:
        return ""
    form = pn.PhoneNumberFormat.NATIONAL if national else pn.PhoneNumberFormat.INTERNATIONAL
    pattern = str(pn.format_number(example, form))
    # Country code, or trunk prefix where the country writes one: whatever stands before the subscriber's digits.
    signs = "".join(sign for sign in pattern if sign.isdigit())
    left = list(signs.removesuffix(_subscriber(example)) + _subscriber(number))
    groups = [
        "_" if sign.isdigit() and not left else left.pop(0) if sign.isdigit() else sign for sign in pattern
    ]
    return "".join(groups) + (f" {''.join(left)}" if left else "")


def number_within(text: str, country: str) -> str:
    """The one mobile number in what a wallet's code says ("tel:…", an address with it), "" for none or for several."""
    found = set()
    for piece in re.findall(r"(?<![0-9+])\+?[0-9](?:[ .\-]?[0-9]){6,14}(?![0-9])", text):
        try:
            found.add(parse_number(piece, country))
        except NumberError:
            continue
    return found.pop() if len(found) == 1 else ""


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


def example_number(country: str) -> str:
    """A mobile number as people there write it, "071 234 5678"; of a country nobody knows, one of no country in use."""
    # Loaded with the first number that is asked for, not at start: it is 30 ms of imports.
    import phonenumbers as pn

    example = pn.example_number_for_type(country, pn.PhoneNumberType.MOBILE)
    if example is None:
        return "+44 7700 900123"
    return str(pn.format_number(example, pn.PhoneNumberFormat.NATIONAL))


def msisdn(number: str) -> str:
    """The form the OTP service takes: digits with country prefix, no plus."""
    return number.removeprefix("+")
