"""How many SMS a text goes out as, by GSM 03.38 and 03.40, so that a person is warned. It refuses nothing."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from pos_app.domain.otp import CODE_LENGTH, PLACEHOLDER

_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENSION = frozenset("\f^{}\\[~]|€")
"""Each goes out as an escape and a letter: two places, never torn apart."""


class Alphabet(StrEnum):
    """What a text is written in on its way: one foreign letter makes all of it wide."""

    GSM_7 = "GSM-7"
    UCS_2 = "UCS-2"


_ONE = {Alphabet.GSM_7: 160, Alphabet.UCS_2: 70}
_OF_SEVERAL = {Alphabet.GSM_7: 153, Alphabet.UCS_2: 67}
"""The rest of each message says which part of which text it is."""


class SmsSize(msgspec.Struct, frozen=True):
    """The places a text takes, of how many in `parts` messages; `limit` is what one alone holds."""

    alphabet: Alphabet
    used: int
    parts: int
    limit: int

    @property
    def is_one(self) -> bool:
        """Whether it goes out as one SMS."""
        return self.parts <= 1


def size_of(text: str) -> SmsSize:
    """What a text takes."""
    alphabet = (
        Alphabet.GSM_7 if all(each in _BASIC or each in _EXTENSION for each in text) else Alphabet.UCS_2
    )
    widths = [_width(each, alphabet) for each in text]
    used, limit = sum(widths), _ONE[alphabet]
    parts = 1 if used <= limit else _parts(widths, _OF_SEVERAL[alphabet])
    return SmsSize(alphabet, used, parts, limit)


def size_of_message(template: str) -> SmsSize:
    """The same for a sign-in message, with a code where its place is."""
    return size_of(template.replace(PLACEHOLDER, "0" * CODE_LENGTH))


def _width(character: str, alphabet: Alphabet) -> int:
    if alphabet is Alphabet.GSM_7:
        return 2 if character in _EXTENSION else 1
    return 2 if ord(character) > 0xFFFF else 1


def _parts(widths: Sequence[int], room: int) -> int:
    parts, used = 1, 0
    for width in widths:
        if used + width > room:
            parts, used = parts + 1, 0
        used += width
    return parts
