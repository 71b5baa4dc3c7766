"""Amounts as people type them: group A of the bad input, and the digits of each currency."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money import (
    AmountError,
    AmountFormat,
    AmountProblem,
    Currency,
    at_least,
    currency,
    format_amount,
    parse_amount,
)

RUPEE = currency("LKR")
YEN = currency("JPY")
DINAR = currency("KWD")
COMMA = AmountFormat(decimal=",", group=".")
NARROW = AmountFormat(decimal=",", group="\u202f")
P = AmountProblem


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("12.50", "12.50"),
        ("12.5", "12.50"),
        ("12", "12.00"),
        (" 12.50 ", "12.50"),
        ("0.01", "0.01"),
        ("1,250.00", "1250.00"),
        ("1,234,567.89", "1234567.89"),
        ("007.10", "7.10"),
        ("999999999999.99", "999999999999.99"),
    ],
)
def test_an_amount_is_read_exactly(text: str, amount: str) -> None:
    """With all the currency's digits."""
    assert str(parse_amount(text, RUPEE)) == amount


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", P.EMPTY),
        ("   ", P.EMPTY),
        ("0", P.TOO_SMALL),
        ("0.00", P.TOO_SMALL),
        ("-1", P.NOT_A_NUMBER),
        ("+5", P.NOT_A_NUMBER),
        ("NaN", P.NOT_A_NUMBER),
        ("Infinity", P.NOT_A_NUMBER),
        ("1e3", P.NOT_A_NUMBER),
        ("12,345,6", P.NOT_A_NUMBER),
        ("12,50", P.NOT_A_NUMBER),
        (",500", P.NOT_A_NUMBER),
        ("0,500", P.NOT_A_NUMBER),
        ("00,500", P.NOT_A_NUMBER),
        ("0,500.00", P.NOT_A_NUMBER),
        ("012,500", P.NOT_A_NUMBER),
        ("1.005", P.TOO_MANY_DIGITS),
        ("1.000", P.TOO_MANY_DIGITS),
        (".5", P.NOT_A_NUMBER),
        ("5.", P.NOT_A_NUMBER),
        ("1.2.3", P.NOT_A_NUMBER),
        ("1_000", P.NOT_A_NUMBER),
        ("١٢٣", P.NOT_A_NUMBER),
        ("\uff11\uff12", P.NOT_A_NUMBER),
        ("²", P.NOT_A_NUMBER),
        ("0x10", P.NOT_A_NUMBER),
        ("10\u00a0000", P.NOT_A_NUMBER),
        ("10 000", P.NOT_A_NUMBER),
        ("1000000000000", P.TOO_LARGE),
        ("9" * 5_000, P.TOO_LARGE),
        ("12.50\n", P.NOT_A_NUMBER),
        ("=1+1", P.NOT_A_NUMBER),
    ],
)
def test_what_is_no_amount_says_why(text: str, problem: AmountProblem) -> None:
    """Nothing is guessed, nothing is rounded."""
    with pytest.raises(AmountError) as caught:
        parse_amount(text, RUPEE)
    assert caught.value.problem is problem


@pytest.mark.parametrize(
    ("text", "written", "amount"),
    [
        ("12,50", COMMA, "12.50"),
        ("1.250,00", COMMA, "1250.00"),
        ("1\u202f250,00", NARROW, "1250.00"),
        ("12.50", AmountFormat(decimal=".", group=""), "12.50"),
    ],
)
def test_an_amount_is_read_as_the_locale_writes_it(text: str, written: AmountFormat, amount: str) -> None:
    """A comma is what the locale says it is."""
    assert parse_amount(text, RUPEE, written) == Decimal(amount)


@pytest.mark.parametrize("text", ["12.50", "12,345", "1.25"])
def test_a_thousand_separator_is_never_taken_for_a_decimal_point(text: str) -> None:
    """12,345 where the comma is decimal has three digits; 12.50 where the point groups is no amount."""
    with pytest.raises(AmountError):
        parse_amount(text, RUPEE, COMMA)


@pytest.mark.parametrize("typed", ["1,500", "12,500", "999,999", " 1,500 "])
@pytest.mark.parametrize("written", [AmountFormat(), COMMA])
def test_one_group_is_no_amount_where_a_fraction_has_as_many_digits(
    typed: str, written: AmountFormat
) -> None:
    """A thousand times as much would be charged of whoever took the other sign for the point."""
    text = typed.replace(",", written.group)
    with pytest.raises(AmountError) as caught:
        parse_amount(text, DINAR, written)
    assert caught.value.problem is P.NOT_A_NUMBER
    assert parse_amount(text, RUPEE, written) == Decimal(typed.replace(",", ""))


@pytest.mark.parametrize(
    ("text", "written", "amount"),
    [
        ("1500", AmountFormat(), "1500.000"),
        ("1.500", AmountFormat(), "1.500"),
        ("1,500.000", AmountFormat(), "1500.000"),
        ("1,500.5", AmountFormat(), "1500.500"),
        ("1,234,567", AmountFormat(), "1234567.000"),
        ("1.500,000", COMMA, "1500.000"),
        ("1,500", COMMA, "1.500"),
        ("1\u202f500", NARROW, "1500.000"),
    ],
)
def test_what_can_be_read_in_one_way_only_is_read_with_three_digits_too(
    text: str, written: AmountFormat, amount: str
) -> None:
    """The other ways of writing a thousand, and a group that nobody takes for a point."""
    assert str(parse_amount(text, DINAR, written)) == amount


def test_currencies_have_their_own_digits() -> None:
    """None, two or three; an unknown one is nobody's guess."""
    assert str(parse_amount("1250", YEN)) == "1250"
    assert str(parse_amount("1.5", DINAR)) == "1.500"
    assert (YEN.smallest, RUPEE.smallest, DINAR.smallest) == (Decimal(1), Decimal("0.01"), Decimal("0.001"))
    with pytest.raises(AmountError):
        parse_amount("1.5", YEN)
    with pytest.raises(KeyError):
        currency("XXX")


@pytest.mark.parametrize(
    ("code", "digits"),
    [
        ("UGX", 0),
        ("ISK", 0),
        ("XOF", 0),
        ("VUV", 0),
        ("LBP", 2),
        ("IRR", 2),
        ("MGA", 2),
        ("EGP", 2),
        ("IQD", 3),
        ("LYD", 3),
    ],
)
def test_digits_are_those_of_iso_4217(code: str, digits: int) -> None:
    """Other lists go by the coins that are left, and have some of these otherwise."""
    assert currency(code).digits == digits


@pytest.mark.parametrize("code", ["XAU", "XDR", "XTS", "CLF", "MXV", "lkr", ""])
def test_what_nobody_pays_with_is_no_currency(code: str) -> None:
    """Metals, funds and units of account."""
    with pytest.raises(KeyError):
        currency(code)


@pytest.mark.parametrize(
    "amount", [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("-Infinity")]
)
def test_no_amount_is_exact_that_is_no_number(amount: Decimal) -> None:
    """Decimal knows numbers that are none."""
    with pytest.raises(AmountError) as caught:
        RUPEE.exact(amount)
    assert caught.value.problem is P.NOT_A_NUMBER


@pytest.mark.parametrize("amount", [Decimal("1e400"), Decimal(10) ** 40, Decimal("9" * 30)])
def test_an_amount_beyond_the_arithmetic_is_too_large_and_no_accident(amount: Decimal) -> None:
    """`quantize` would raise something that nobody expects."""
    with pytest.raises(AmountError) as caught:
        RUPEE.exact(amount)
    assert caught.value.problem is P.TOO_LARGE


def test_more_digits_than_the_currency_has_are_refused() -> None:
    """Rule 16: not rounded."""
    with pytest.raises(AmountError) as caught:
        RUPEE.exact(Decimal("1.005"))
    assert caught.value.problem is P.TOO_MANY_DIGITS
    assert str(RUPEE.exact(Decimal("1.5000"))) == "1.50"
    assert str(RUPEE.exact(Decimal("1E+1"))) == "10.00"


@pytest.mark.parametrize(
    ("amount", "written", "text"),
    [
        ("1250.00", AmountFormat(), "1,250.00"),
        ("12.50", AmountFormat(), "12.50"),
        ("1250.00", COMMA, "1.250,00"),
        ("1250", AmountFormat(), "1,250"),
        ("1234567.890", NARROW, "1\u202f234\u202f567,890"),
    ],
)
def test_an_amount_is_written_with_all_its_digits(amount: str, written: AmountFormat, text: str) -> None:
    """As the locale writes it."""
    assert format_amount(Decimal(amount), written) == text


CENTS = st.integers(1, 10**14 - 1)


@given(CENTS, st.sampled_from([RUPEE, DINAR, YEN]), st.sampled_from([AmountFormat(), COMMA, NARROW]))
def test_what_is_written_is_read_back(cents: int, money: Currency, written: AmountFormat) -> None:
    """Every amount, in every form."""
    amount = Decimal(cents).scaleb(-money.digits)
    if amount >= 10**12:
        return
    assert parse_amount(format_amount(money.exact(amount), written), money, written) == amount


@given(st.text(max_size=40))
def test_any_text_is_an_amount_or_an_amount_error(text: str) -> None:
    """No other way out."""
    try:
        amount = parse_amount(text, RUPEE)
    except AmountError:
        return
    assert amount > 0
    assert amount.as_tuple().exponent == -2


@pytest.mark.parametrize(
    ("said", "code", "written"),
    [
        ("12.5", "LKR", "12.50"),
        ("100.0", "LKR", "100.00"),
        ("1.25E+7", "LKR", "12500000.00"),
        ("100.0", "JPY", "100"),
        ("7.1255", "KWD", "7.1255"),
        ("9" * 32, "LKR", "9" * 32 + ".00"),
        ("1E+32", "LKR", "1" + "0" * 32 + ".00"),
        ("1E-32", "LKR", "1E-32"),
        ("-5", "LKR", "-5.00"),
    ],
)
def test_what_a_service_writes_has_at_least_the_currencys_digits(said: str, code: str, written: str) -> None:
    """Of any size that a reply may hold, and none is rounded."""
    assert str(at_least(Decimal(said), code)) == written
