"""How many SMS a text is, against the tables of GSM 03.38 and the arithmetic of parts."""

from __future__ import annotations

import pytest

from pos_app.domain.sms import Alphabet, size_of, size_of_message

# GSM 03.38, 6.2.1: the default alphabet from 0x00 to 0x7F, row by row; 0x1B is the escape.
TABLE = (
    "@£$¥èéùìòÇ\nØø\rÅå",
    "Δ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ",
    " !\"#¤%&'()*+,-./",
    "0123456789:;<=>?",
    "¡ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZÄÖÑÜ§",
    "¿abcdefghijklmno",
    "pqrstuvwxyzäöñüà",
)
# 6.2.1.1: the extension table.
EXTENSION = {0x0A: "\f", 0x14: "^", 0x28: "{", 0x29: "}", 0x2F: "\\", 0x3C: "[", 0x3D: "~", 0x3E: "]"}
EXTENSION |= {0x40: "|", 0x65: "€"}


def test_the_default_alphabet_has_127_letters_of_one_place() -> None:
    letters = "".join(TABLE).replace("\x1b", "")
    assert len(letters) == len(set(letters)) == 127
    assert size_of(letters) == size_of("a" * 127)
    assert size_of(letters).alphabet is Alphabet.GSM_7


@pytest.mark.parametrize("letter", EXTENSION.values())
def test_a_letter_of_the_extension_takes_two_places(letter: str) -> None:
    size = size_of(letter)
    assert (size.alphabet, size.used) == (Alphabet.GSM_7, 2)


@pytest.mark.parametrize("letter", ["\x1b", "ç", "`", "’", "–", "ස", "த", "ع", "😀"])
def test_any_other_letter_makes_the_whole_text_wide(letter: str) -> None:
    assert size_of("a" + letter).alphabet is Alphabet.UCS_2


@pytest.mark.parametrize(
    ("text", "used", "parts"),
    [
        ("", 0, 1),
        ("a" * 160, 160, 1),
        ("a" * 161, 161, 2),
        ("a" * 306, 306, 2),
        ("a" * 307, 307, 3),
        ("€" * 80, 160, 1),
        ("€" * 81, 162, 2),
        # An escape is not torn from its letter: 76 of them fill a part of 153 but for one place.
        ("€" * 152, 304, 2),
        ("€" * 153, 306, 3),
        ("a" + "€" * 152, 305, 2),
        ("ස" * 70, 70, 1),
        ("ස" * 71, 71, 2),
        ("ස" * 134, 134, 2),
        ("ස" * 135, 135, 3),
        # A letter beyond 16 bits takes two places, and both lie in one part.
        ("😀" * 35, 70, 1),
        ("😀" * 36, 72, 2),
        ("😀" * 66, 132, 2),
        ("😀" * 67, 134, 3),
    ],
)
def test_places_and_parts(text: str, used: int, parts: int) -> None:
    size = size_of(text)
    assert (size.used, size.parts) == (used, parts)
    assert size.is_one is (parts == 1)


def test_a_sign_in_message_is_counted_with_its_code() -> None:
    """Braces are letters of two places each; the six digits that stand there are not."""
    assert size_of_message("{{code}}").used == 6
    assert size_of_message("a" * 154 + "{{code}}").is_one
    assert not size_of_message("a" * 155 + "{{code}}").is_one
