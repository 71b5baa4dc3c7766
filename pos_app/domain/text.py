"""Text from outside made fit to show and to store as plain text; never decides anything from it (rule 14)."""

from __future__ import annotations

import re
import unicodedata

LIMIT = 200

REFERENCE = r"[A-Za-z0-9 \-/.]{0,40}"
"""An invoice number or a payment reference as it may be typed: what every receipt, list and service can hold."""

_VIRAMA = 9
"""The combining class of the sign that takes a consonant's vowel away."""

JOINERS = frozenset("\u200c\u200d")

_BIDI_AND_INVISIBLE = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufeff")


def joins(text: str, at: int) -> bool:
    """Whether this is a joiner that Sinhala and its like are written with: after a virama, and nowhere else.

    Without it "ශ්‍රී" falls apart into other letters. Anywhere else it would be something nobody sees.
    """
    return text[at] in JOINERS and at > 0 and unicodedata.combining(text[at - 1]) == _VIRAMA


def is_plain(text: str) -> bool:
    """Whether all of it can be seen, on one line."""
    return text.isprintable() or all(sign.isprintable() or joins(text, at) for at, sign in enumerate(text))


def is_reference(text: str) -> bool:
    """Whether a text may be an invoice number or a payment reference; an empty one is none, and may."""
    return re.fullmatch(REFERENCE, text) is not None and (not text or bool(text.strip()))


def clean_text(text: str, limit: int = LIMIT) -> str:
    """At most `limit` printable characters: line breaks and tabs become spaces, what cannot be seen goes.

    Goes: control, format (all bidi marks and zero-width characters, except joiners in their place), surrogate,
    private and unassigned characters, line and paragraph separators. Clean text comes back equal.
    """
    if text.isascii() and text.isprintable():
        return text[:limit]
    kept: list[str] = []
    for at, character in enumerate(text):
        if len(kept) >= limit:
            break
        if character in "\t\n\v\f\r\x85\u2028\u2029":
            kept.append(" ")
        elif joins(text, at) or (
            unicodedata.category(character)[0] != "C" and character not in _BIDI_AND_INVISIBLE
        ):
            kept.append(character)
    return "".join(kept)


def kept_text(text: str) -> str:
    """A name of the service as it came if it is clean, else its escaped form in quotes.

    Cleaning could turn an unknown name into a known one ("Payment\\x00 Success"); an escaped form is
    unknown for ever (rule 11).
    """
    return text if clean_text(text) == text else ascii(text)[:LIMIT]
