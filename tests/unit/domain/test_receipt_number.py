"""The number on a receipt: as it is shown, and read again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment
from pos_app.domain.receipt import number_in, shown_number
from tests.support.builders import attempt


def test_a_number_is_shown_with_its_installation_and_its_environment() -> None:
    """No two papers of one shop are alike, and none of the sandbox looks like a real one."""
    paid = replace(attempt(1), receipt=123, receipt_of="7K3M9QRD")
    assert shown_number(paid) == "SBX-T7K3M9QRD-R000123"
    assert shown_number(replace(paid, environment=Environment.LIVE)) == "T7K3M9QRD-R000123"
    assert (
        shown_number(replace(paid, receipt=12345678, environment=Environment.LIVE)) == "T7K3M9QRD-R12345678"
    )
    assert shown_number(attempt(1)) == ""
    assert number_in("T7K3M9QRD-R000123") == number_in(shown_number(paid)) == ("7K3M9QRD", 123)


@pytest.mark.parametrize("text", ["", "T7K3M9QRD-R123", "T7K3M9QRD-0001-1", "TOOOOOOOO-R000123", "R000123"])
def test_what_is_no_number_is_none(text: str) -> None:
    """Nor is half of one."""
    assert number_in(text) == ("", 0)
