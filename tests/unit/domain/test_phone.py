"""Wallet numbers as people type them: group B of the bad input; masks that are fit for a screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.phone import NumberError, NumberProblem, mask_number, msisdn, number_within, parse_number

P = NumberProblem


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("+94771234567", "LK", "+94771234567"),
        ("077 123 4567", "LK", "+94771234567"),
        ("+94 (77) 123-4567", "LK", "+94771234567"),
        ("+94.77.123.4567", "GB", "+94771234567"),
        (" +44 7400 123456 ", "LK", "+447400123456"),
        ("94771234567", "LK", "+94771234567"),
        # Ranges that no list knows, the examples' and one that may be opened tomorrow: the service decides.
        ("+44 7700 900123", "LK", "+447700900123"),
        ("+94 79 123 4567", "LK", "+94791234567"),
    ],
)
def test_a_mobile_number_is_read_in_international_form(text: str, country: str, number: str) -> None:
    """Whatever stands between its digits."""
    assert parse_number(text, country) == number


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", P.EMPTY),
        ("  ", P.EMPTY),
        ("++94771234567", P.NOT_A_NUMBER),
        ("+94+771234567", P.NOT_A_NUMBER),
        ("94771234567+", P.NOT_A_NUMBER),
        ("+", P.NOT_A_NUMBER),
        ("()", P.NOT_A_NUMBER),
        ("077CALLME1", P.NOT_A_NUMBER),
        ("tel:+94771234567", P.NOT_A_NUMBER),
        ("123456", P.TOO_SHORT),
        ("+947", P.NOT_A_NUMBER),
        ("+94771234567890123", P.TOO_LONG),
        ("1234567890123456", P.TOO_LONG),
        ("+9477123456789", P.TOO_LONG),
        ("\uff10\uff17\uff17\uff11\uff12\uff13\uff14\uff15\uff16\uff17", P.NOT_A_NUMBER),
        ("٠٧٧١٢٣٤٥٦٧", P.NOT_A_NUMBER),
        ("=cmd|'/c calc'!A0", P.NOT_A_NUMBER),
        ("+94771234567, +94771234568", P.NOT_A_NUMBER),
        ("+94771234567\n+94771234568", P.NOT_A_NUMBER),
        ("+94112345678", P.NOT_MOBILE),
        ("+94771234567\u202e", P.NOT_A_NUMBER),
        ("+999123456789", P.NOT_A_NUMBER),
        ("-" * 100, P.NOT_A_NUMBER),
        ("1" + " " * 400, P.NOT_A_NUMBER),
    ],
)
def test_what_is_no_mobile_number_says_why(text: str, problem: NumberProblem) -> None:
    """Nothing is guessed."""
    with pytest.raises(NumberError) as caught:
        parse_number(text, "LK")
    assert caught.value.problem is problem


@pytest.mark.parametrize(
    ("number", "mask"),
    [("+94771234567", "+94 •• ••• 567"), ("+447700900123", "+44 •• ••• 123"), ("none", "•• ••• ")],
)
def test_a_mask_shows_the_country_and_three_digits(number: str, mask: str) -> None:
    """Fit for any screen."""
    assert mask_number(number) == mask


def test_the_otp_service_takes_digits() -> None:
    """With country prefix, no plus."""
    assert msisdn("+94771234567") == "94771234567"


@given(st.text(alphabet="+0123456789 -.()x\uff11", max_size=24))
def test_any_text_is_a_number_or_a_number_error(text: str) -> None:
    """No other way out; and what is read is digits after a plus."""
    try:
        number = parse_number(text, "LK")
    except NumberError:
        return
    assert number[0] == "+"
    assert number[1:].isdigit()
    assert 8 <= len(number) <= 16


@pytest.mark.parametrize(
    ("text", "country", "short", "written"),
    [
        ("071234567", "LK", 1, "071 234 567_"),
        ("077 123 456", "LK", 1, "077 123 456_"),
        ("71234567", "LK", 1, "071 234 567_"),
        ("+9471234567", "LK", 1, "+94 71 234 567_"),
        ("+94 071 234 567", "LK", 1, "+94 71 234 567_"),
        ("07123456", "LK", 2, "071 234 56__"),
        ("07712345678", "LK", -1, "077 123 4567 8"),
        ("+947712345678", "LK", -1, "+94 77 123 4567 8"),
        ("051234567", "SA", 1, "051 234 567_"),
        ("05012345678", "AE", -1, "050 123 4567 8"),
        ("0812345678", "IN", 1, "081234 5678_"),
        ("8123456", "SG", 1, "8123 456_"),
        ("812345678", "SG", -1, "8123 4567 8"),
        ("201555012", "US", 1, "(201) 555-012_"),
        ("07400 12345", "GB", 1, "07400 12345_"),
    ],
)
def test_a_digit_that_is_missing_or_too_many_is_named(
    text: str, country: str, short: int, written: str
) -> None:
    """The trunk prefix that is left in front is no part of a number: +94 071 234 567 rings nowhere."""
    with pytest.raises(NumberError) as caught:
        parse_number(text, country)
    assert caught.value.problem is (P.TOO_SHORT if short > 0 else P.TOO_LONG)
    assert (caught.value.short, caught.value.written) == (short, written)


@pytest.mark.parametrize("text", ["123456", "+947", "1234567890123456", "call me", "+94112345678"])
def test_what_is_not_nearly_a_number_is_not_counted(text: str) -> None:
    """Its digits would say nothing."""
    with pytest.raises(NumberError) as caught:
        parse_number(text, "LK")
    assert (caught.value.short, caught.value.written) == (0, "")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0771234567", "+94771234567"),
        ("tel:+94771234567", "+94771234567"),
        ("wallet://pay?to=94771234567&name=Kasun", "+94771234567"),
        ("MECARD:N:Kasun;TEL:077 123 4567;;", "+94771234567"),
        ("0771234567 or 0771234567", "+94771234567"),
        ("0771234567 or 0712345678", ""),
        ("4791234567890", ""),
        ("00020101021126580016lk.example.0771234567890123", ""),
        ("INV-0042", ""),
        ("", ""),
    ],
)
def test_a_wallets_code_names_one_number_or_none(text: str, number: str) -> None:
    """Of two, nobody knows which is meant."""
    assert number_within(text, "LK") == number
