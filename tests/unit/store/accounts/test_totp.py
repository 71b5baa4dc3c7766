"""Codes are those of RFC 6238, are good once, and forgive a clock half a minute."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.store.accounts import totp

RFC_SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
    ],
)
def test_the_codes_of_the_rfc(at: int, code: str) -> None:
    """Its appendix B, the last six of eight digits."""
    assert totp.code_at(RFC_SECRET, at // 30) == code
    assert totp.step_of(RFC_SECRET, code, at, after=0) == at // 30


def test_a_code_is_good_once_and_for_a_minute_and_a_half() -> None:
    now = 1_800_000_000.0
    step = int(now // 30)
    for around in (-1, 0, 1):
        code = totp.code_at(RFC_SECRET, step + around)
        assert totp.step_of(RFC_SECRET, code, now, after=0) == step + around
        assert totp.step_of(RFC_SECRET, code, now, after=step + around) is None
    for around in (-2, 2, 3):
        assert totp.step_of(RFC_SECRET, totp.code_at(RFC_SECRET, step + around), now, after=0) is None


@given(st.text(max_size=12))
def test_what_is_no_code_is_none(typed: str) -> None:
    """Letters, other scripts' digits, too few: nothing raises and nothing passes by chance of form."""
    found = totp.step_of(RFC_SECRET, typed, 0.0, after=-100)
    assert found is None or "".join(typed.split()) == totp.code_at(RFC_SECRET, found)


def test_a_clock_that_begins_again_at_1970_refuses_and_takes_codes_as_any_other() -> None:
    """A machine without a battery for it: there is no step before the first."""
    assert totp.step_of(RFC_SECRET, "000000", 0.0, after=-1) is None
    assert totp.step_of(RFC_SECRET, totp.code_at(RFC_SECRET, 0), 0.0, after=-1) == 0


def test_digits_of_another_script_are_no_code() -> None:
    assert totp.step_of(RFC_SECRET, "٢٨٧٠٨٢", 59, after=0) is None
    assert totp.step_of(RFC_SECRET, " 287 082 ", 59, after=0) == 1


def test_an_app_reads_the_enrolment_as_it_was_meant() -> None:
    text = totp.enrolment(RFC_SECRET, "nimali@shop", "Perera & Sons: Kandy")
    parts = urlsplit(text)
    assert (parts.scheme, parts.netloc) == ("otpauth", "totp")
    assert unquote(parts.path) == "/Perera & Sons  Kandy:nimali@shop"
    asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
    assert (
        asked["secret"]
        == totp.shown_secret(RFC_SECRET).replace(" ", "")
        == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    )
    assert (asked["digits"], asked["period"], asked["issuer"]) == ("6", "30", "Perera & Sons  Kandy")


def test_recovery_codes_are_read_as_people_type_them() -> None:
    codes = totp.new_recovery_codes()
    assert len(set(codes)) == totp.RECOVERY_CODES
    for code in codes:
        digest = totp.digest_of_recovery(code)
        assert digest is not None
        assert digest == totp.digest_of_recovery(f" {code.lower().replace('-', ' ')} ")
        assert digest == totp.digest_of_recovery(code.replace("0", "O").replace("1", "l"))
    assert totp.digest_of_recovery(codes[0]) != totp.digest_of_recovery(codes[1])
    assert totp.digest_of_recovery("1234") is None
    assert totp.digest_of_recovery("U" * 16) is None
