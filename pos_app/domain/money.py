"""Amounts: exact Decimals in one currency. Parses what people type; never rounds, never touches a float."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from enum import StrEnum
from functools import cache

import msgspec

_CODES = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC "
    "CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD "
    "KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO "
    "NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL "
    "THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
    3: "BHD IQD JOD KWD LYD OMR TND",
}
CURRENCY_DIGITS = {code: digits for digits, codes in _CODES.items() for code in codes.split()}
"""Digits after the point, ISO 4217 of 2026: what people pay with, no units of account, funds or metals. A currency that
is not here is refused by the settings."""

MAX_WHOLE_DIGITS = 12

_WIDE = Context(prec=100)
"""Room for every number that a reply may hold, with digits after its point."""

_GROUP_DIGITS = 3


class AmountProblem(StrEnum):
    """Why typed text is no amount; the screens say it in words with the limit and an example."""

    EMPTY = "empty"
    NOT_A_NUMBER = "not_a_number"
    TOO_MANY_DIGITS = "too_many_digits"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"


class AmountError(ValueError):
    """Typed text is no amount."""

    def __init__(self, problem: AmountProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


class Currency(msgspec.Struct, frozen=True):
    """A currency code and its digits after the point."""

    code: str
    digits: int

    @property
    def smallest(self) -> Decimal:
        """One of the last digit: 0.01 for two digits."""
        return _smallest(self.digits)

    def exact(self, amount: Decimal) -> Decimal:
        """The amount with exactly the currency's digits; more digits are refused, not rounded (rule 16)."""
        if not amount.is_finite():
            raise AmountError(AmountProblem.NOT_A_NUMBER)
        if amount and amount.adjusted() >= MAX_WHOLE_DIGITS:
            raise AmountError(AmountProblem.TOO_LARGE)
        quantized = amount.quantize(self.smallest)
        if quantized != amount:
            raise AmountError(AmountProblem.TOO_MANY_DIGITS)
        return quantized


@cache
def _smallest(digits: int) -> Decimal:
    return Decimal(1).scaleb(-digits)


@cache
def currency(code: str) -> Currency:
    """The currency of a code; KeyError for one the till does not know."""
    return Currency(code, CURRENCY_DIGITS[code])


class AmountFormat(msgspec.Struct, frozen=True):
    """How a locale writes amounts: its decimal separator and its group separator (may be empty)."""

    decimal: str = "."
    group: str = ","


SEPARATORS = (".", ",")
"""What people write before the digits after the point, or between thousands: which is which, their country says."""

POINT = AmountFormat()
"""1,250.00: how the command line and the journal's readers write amounts."""


def parse_amount(text: str, money: Currency, written: AmountFormat = POINT) -> Decimal:
    """What a person typed, as an exact amount above zero.

    Only ASCII digits, the locale's decimal separator, and its group separator in correct groups of three
    are read: "1,250.00" is an amount where the comma groups, "12,50" is not, so that a thousand separator
    is never taken for a decimal point, nor a decimal point for a thousand separator: no group follows a zero, and
    in a currency with three digits "1,500" may be one and a half: there it is written 1500 or 1,500.000.
    Raises AmountError.
    """
    text = text.strip(" ")
    if not text:
        raise AmountError(AmountProblem.EMPTY)
    whole, point, fraction = text.partition(written.decimal)
    if written.group and written.group in whole:
        grouped = rf"[1-9][0-9]{{0,2}}(?:{re.escape(written.group)}[0-9]{{3}})+"
        may_be_point = money.digits == _GROUP_DIGITS and written.group in SEPARATORS
        if not re.fullmatch(grouped, whole) or (
            may_be_point and not point and whole.count(written.group) == 1
        ):
            raise AmountError(AmountProblem.NOT_A_NUMBER)
        whole = whole.replace(written.group, "")
    if not re.fullmatch(r"[0-9]+", whole) or (point and not re.fullmatch(r"[0-9]+", fraction)):
        raise AmountError(AmountProblem.NOT_A_NUMBER)
    if len(fraction) > money.digits:
        raise AmountError(AmountProblem.TOO_MANY_DIGITS)
    if len(whole.lstrip("0")) > MAX_WHOLE_DIGITS:
        raise AmountError(AmountProblem.TOO_LARGE)
    amount = money.exact(Decimal(f"{whole}.{fraction}" if fraction else whole))
    if amount <= 0:
        raise AmountError(AmountProblem.TOO_SMALL)
    return amount


def at_least(amount: Decimal, code: str) -> Decimal:
    """With as many digits as its currency has, where a service left the last ones out: 99.5 rupees are 99.50.

    Of any size: a service's list may hold whatever somebody once wrote into it.
    """
    written_out = amount.quantize(_smallest(CURRENCY_DIGITS.get(code, 0)), context=_WIDE)
    return written_out if written_out == amount else amount


def format_amount(amount: Decimal, written: AmountFormat = POINT) -> str:
    """The amount with all its digits and grouped thousands, as the locale writes it."""
    whole, _, fraction = f"{amount:,f}".partition(".")
    return whole.replace(",", written.group) + (written.decimal + fraction if fraction else "")
