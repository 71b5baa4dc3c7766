"""Text from outside made fit to show and to store as plain text; never decides anything from it (rule 14)."""

from __future__ import annotations

import re
import unicodedata

LIMIT = 200

REFERENCE = r"[A-Za-z0-9 \-/.]{0,40}"
"""An invoice number or a payment reference as it may be typed: what every receipt, list and service can hold."""

_BIDI_AND_INVISIBLE = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufeff")


def is_reference(text: str) -> bool:
    """Whether a text may be an invoice number or a payment reference; an empty one is none, and may."""
    return re.fullmatch(REFERENCE, text) is not None and (not text or bool(text.strip()))


def clean_text(text: str, limit: int = LIMIT) -> str:
    """At most `limit` printable characters: line breaks and tabs become spaces, what cannot be seen goes.

    Goes: control, format (all bidi marks and zero-width characters), surrogate, private and unassigned
    characters, line and paragraph separators. Text that is already clean comes back equal.
    """
    if text.isascii() and text.isprintable():
        return text[:limit]
    kept: list[str] = []
    for character in text:
        if len(kept) >= limit:
            break
        if character in "\t\n\v\f\r\x85\u2028\u2029":
            kept.append(" ")
        elif unicodedata.category(character)[0] != "C" and character not in _BIDI_AND_INVISIBLE:
            kept.append(character)
    return "".join(kept)


def kept_text(text: str) -> str:
    """A name of the service as it came if it is clean, else its escaped form in quotes.

    Cleaning could turn an unknown name into a known one ("Payment\\x00 Success"); an escaped form is
    unknown for ever (rule 11).
    """
    return text if clean_text(text) == text else ascii(text)[:LIMIT]
