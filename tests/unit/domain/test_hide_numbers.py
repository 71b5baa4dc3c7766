"""The numbers of phones and wallets in a text of the service: hidden however they are written, and little else."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.phone import mask_number
from pos_app.domain.text import hide_numbers

NUMBER = "94771234567"
SCRIPTS = {
    "Arabic-Indic": 0x0660,
    "Persian": 0x06F0,
    "Devanagari": 0x0966,
    "Bengali": 0x09E6,
    "Tamil": 0x0BE6,
    "Sinhala": 0x0DE6,
    "fullwidth": 0xFF10,
    "mathematical": 0x1D7CE,
}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Wallet +94771234567 is blocked", "Wallet …567 is blocked"),
        ("no94771234567.", "no…567."),
        ("tel:+94771234567", "tel:…567"),
        ("00000094771234567", "…567"),
        ("077 123 4567", "…567"),
        ("+94 77 123 4567, +94 77 123 4568", "…567, …568"),
        ("077-123-4567", "…567"),
        ("077.123.4567", "…567"),
        ("077/1234567", "…567"),
        ("(077) 1234567", "(…567"),
        ("0 7 7 1 2 3 4 5 6 7", "…567"),
        ("077\u00a0123\u20114567", "…567"),
        ("94\u200b77\u00ad123\u20604567", "…567"),
        ("\u202a+94771234567\u202c", "\u202a…567\u202c"),
        (
            "9\ufe0f\u20e34\ufe0f\u20e37\ufe0f\u20e37\ufe0f\u20e31\ufe0f\u20e32\ufe0f\u20e33\ufe0f\u20e34",
            "…234",
        ),
        ("⁹⁴⁷⁷¹²³⁴⁵⁶⁷", "…⁵⁶⁷"),
        ("\uff0b94771234567", "…567"),
        ("%2B94771234567", "%2B…567"),
    ],
)
def test_a_number_is_hidden_but_for_its_end(text: str, left: str) -> None:
    """As much as the till shows of it anywhere."""
    assert hide_numbers(text) == left


@pytest.mark.parametrize("zero", SCRIPTS.values(), ids=SCRIPTS)
def test_in_digits_of_any_script(zero: int) -> None:
    number = "".join(chr(zero + int(digit)) for digit in NUMBER)
    assert hide_numbers(f"x {number} y") == f"x …{number[-3:]} y"
    grouped = f"{number[:2]} {number[2:4]} {number[4:]}"
    assert hide_numbers(grouped) == f"…{number[-3:]}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Insufficient balance",
        "code 5003, sale 0123",
        "1250.00 is more than 1000.00",
        "1,250,000.00",
        "123456789.00",
        "2026-11-22",
        "2026-11-22 14:05:07",
        "22/11/2026",
        "2026-11-22T14:05:07+05:30",
        "SBX-TK7M2P9Q4-0123-1-5H2K9A is not known",
        "SBX-TK7M2P934-012345-12-528394",
        "(TK7M2P9QD-0123-1)",
        "HTTP 502",
        "ටෝකනය වලංගු නැත",
    ],
)
def test_what_is_no_number_stays(text: str) -> None:
    """Codes, amounts, dates and our own ids are what a text is worth keeping for."""
    assert hide_numbers(text) == text


@given(
    st.lists(
        st.sampled_from(["", " ", "-", ".", "/", "\u00a0", "\u200b", "\u2011", " (", ") "]),
        min_size=10,
        max_size=10,
    ),
    st.sampled_from([ord("0"), *SCRIPTS.values()]),
    st.sampled_from(["", "+", "wallet ", "«", "a", "+94 ", "TK7M2P9QD-0123-1 "]),
    st.sampled_from(["", " is blocked", "»", ".", ","]),
)
def test_no_way_of_writing_one_leaves_it_whole(
    joined: list[str], zero: int, before: str, behind: str
) -> None:
    """The canary: with everything but its digits taken out of what is left, the number is not in it."""
    signs = [chr(zero + int(digit)) for digit in "0771234567"]
    number = "".join(sign + join for sign, join in zip(signs, joined, strict=True))
    left = hide_numbers(before + number + behind)
    digits = "".join(
        str(unicodedata.digit(sign)) for sign in left if unicodedata.digit(sign, None) is not None
    )
    assert "7712345" not in digits


@given(st.text(max_size=300))
def test_any_text_may_come(text: str) -> None:
    """It is never longer than before, and nothing but digits and what joins them goes."""
    left = hide_numbers(text)
    assert len(left) <= len(text)
    assert [sign for sign in left if sign.isalpha()] == [sign for sign in text if sign.isalpha()]


@pytest.mark.parametrize(
    "text", ["1" * 50_000, "1-" * 25_000, "1 " * 25_000, "(1" * 25_000, "1\u0300" * 25_000]
)
def test_a_hostile_text_costs_no_more_than_its_length(text: str) -> None:
    """Twice as much takes twice as long: were it the square, this test would not end."""
    assert hide_numbers(text * 4)


def test_what_the_till_itself_shows_stays() -> None:
    """A mask that comes back in a text is no number."""
    mask = mask_number("+" + NUMBER)
    assert hide_numbers(mask) == mask
