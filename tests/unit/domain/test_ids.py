"""Attempt ids: in their form, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.attempt import Environment
from pos_app.domain.ids import ALPHABET, attempt_id, installation_of, parts_of, sale_and_number, sale_id

LIVE, SANDBOX = Environment.LIVE, Environment.SANDBOX


def test_an_id_holds_installation_sale_and_attempt() -> None:
    """Readable aloud."""
    assert attempt_id(LIVE, "7K3M9QRD", sale_id(123), 1, "K7Q2M9") == "T7K3M9QRD-0123-1-K7Q2M9"


def test_a_sandbox_id_says_so() -> None:
    """It starts with SBX-, and no live one does."""
    assert attempt_id(SANDBOX, "7K3M9QRD", "0123", 2, "234567") == "SBX-T7K3M9QRD-0123-2-234567"


@pytest.mark.parametrize(
    ("installation", "sale", "number", "by_chance"),
    [
        ("7K3M9QR", "0123", 1, "K7Q2M9"),
        ("7K3M9QR0", "0123", 1, "K7Q2M9"),
        ("7k3m9qrd", "0123", 1, "K7Q2M9"),
        ("7K3M9QRD", "123", 1, "K7Q2M9"),
        ("7K3M9QRD", "01234567890", 1, "K7Q2M9"),
        ("7K3M9QRD", "0123", 10_000, "K7Q2M9"),
        ("7K3M9QRD", "0123", -1, "K7Q2M9"),
        ("7K3M9QRD", "01\u0663\u0664", 1, "K7Q2M9"),
        ("7K3M9QRD", "0123", 1, ""),
        ("7K3M9QRD", "0123", 1, "K7Q2M"),
        ("7K3M9QRD", "0123", 1, "K7Q2M0"),
    ],
)
def test_what_cannot_be_an_id_raises(installation: str, sale: str, number: int, by_chance: str) -> None:
    """Our bug; it never reaches the wire."""
    with pytest.raises(ValueError, match="not an attempt id"):
        attempt_id(LIVE, installation, sale, number, by_chance)


@given(
    st.sampled_from([LIVE, SANDBOX]),
    st.text(alphabet=ALPHABET, min_size=8, max_size=8),
    st.integers(1, 9_999_999),
    st.integers(1, 999),
    st.text(alphabet=ALPHABET, min_size=6, max_size=6),
)
def test_every_id_fits_the_service_and_tells_its_installation(
    environment: Environment, installation: str, sale: int, number: int, by_chance: str
) -> None:
    """At most 32 characters; letters, digits, hyphens; a letter first."""
    made = attempt_id(environment, installation, sale_id(sale), number, by_chance)
    assert len(made) <= 32
    assert made[0].isalpha()
    assert set(made) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
    assert made.startswith("SBX-") is (environment is SANDBOX)
    assert installation_of(made) == installation
    assert parts_of(environment, made) == (installation, sale_id(sale), number)
    assert sale_and_number(made) == (sale_id(sale), number)


@pytest.mark.parametrize("old", ["T7K3M9QRD-0123-1", "SBX-T7K3M9QRD-0123-1"])
def test_an_id_of_an_older_version_is_read_as_ever(old: str) -> None:
    """It had no random part; its payments are looked up, asked about and shown for ever."""
    assert installation_of(old) == "7K3M9QRD"
    assert sale_and_number(old) == ("0123", 1)


@pytest.mark.parametrize("foreign", ["", "12345", "T7K3M9QRD", "XT7K3M9QRD-0123-1", "T7K3M9QRD-0123-1\n"])
def test_a_foreign_id_has_no_installation(foreign: str) -> None:
    """Never adopted."""
    assert installation_of(foreign) == ""
