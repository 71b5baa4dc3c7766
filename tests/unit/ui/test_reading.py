"""What is read from the left stays in one piece inside a line that is read from the right."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pos_app.ui.language import set_language
from pos_app.ui.widgets.reading import END, ISOLATE, as_read


@pytest.fixture(autouse=True)
def arabic() -> Iterator[None]:
    """Lines begin at the right."""
    set_language("ar")
    yield
    set_language("en")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("/home/till/file.zip", ["/home/till/file.zip"]),
        ("الملف: /home/till/file.zip.", ["/home/till/file.zip"]),
        ("+94 •• ••• 321", ["+94 •• ••• 321"]),
        ("نسخ/ABC", ["ABC"]),
        ("الخطوة 4 / 5", ["4 / 5"]),
        ("https://pay.example.com", ["https://pay.example.com"]),
        ("يبدأ بـ https:// مثل https://pay.example.com.", ["https://", "https://pay.example.com"]),
        ("It cannot be opened: disk I/O error.", ["It cannot be opened: disk I/O error."]),
        ("It cannot be opened:\ndisk I/O error.", ["It cannot be opened:", "disk I/O error."]),
        ("Is it (the disk) full?", ["Is it (the disk) full?"]),
        ("Nimali:", ["Nimali"]),
        ("حتى 2025-11-21 12:40:00: 120 عملية", ["2025-11-21 12:40:00", "120"]),
    ],
)
def test_a_path_a_number_and_an_address_are_whole(text: str, kept: list[str]) -> None:
    drawn = as_read(text)
    assert [each.split(END)[0] for each in drawn.split(ISOLATE)[1:]] == kept
    assert drawn.replace(ISOLATE, "").replace(END, "") == text, "nothing is added but what is not seen"
