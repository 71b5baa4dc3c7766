"""What stands on a bar of the screen Today: as much of an amount as there is room for, and never less than there is."""

from __future__ import annotations

import pytest

from pos_app.store.pages.today import short


@pytest.mark.parametrize(
    ("minor", "currency", "said"),
    [
        (250, "KWD", "0.250"),
        (12_750, "KWD", "12"),
        (700, "LKR", "7"),
        (3, "JPY", "3"),
        (12_400_00, "LKR", "12.4k"),
        (3_100_000, "JPY", "3.1M"),
    ],
)
def test_what_is_something_is_not_said_to_be_nothing(minor: int, currency: str, said: str) -> None:
    """A quarter of a dinar stood on its bar as 0."""
    assert short(minor, currency) == said
