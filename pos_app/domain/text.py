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


_SHORTEST_NUMBER = 8
"""Digits: with fewer nobody can be called. Codes, amounts, sale numbers and our own ids have fewer in a row."""

_SOLID = rf"[0-9](?:\0*[0-9]){{{_SHORTEST_NUMBER - 1},}}"
_GROUP = r"[0-9]{1,7}(?![0-9])"
_WRITTEN_NUMBER = re.compile(rf"\+?(?:{_SOLID}|{_GROUP}(?:[-./() \0]{{1,4}}{_GROUP})+)")
_DATE = re.compile(
    r"(?:(?:19|20)[0-9]{2}([-./])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[1-9]|[12][0-9]|3[01])([-./])(?:0[1-9]|1[0-2])\2(?:19|20)[0-9]{2})(?: (?:[01][0-9]|2[0-3]))?"
)
_AMOUNT = re.compile(r"(?:0|[1-9][0-9]{0,8})\.[0-9]{2}(?![0-9])")

_OWN_ID = re.compile(r"\bT[2-9A-Z]{8}-[0-9]{4,10}-[0-9]{1,4}(?:-?[2-9A-Z]{6})?\b")
"""An attempt's (ids.py), by its look alone: its sale and its number are short and stand behind letters."""


def hide_numbers(text: str) -> str:
    """A foreign text without the numbers of phones and wallets in it: "+94 77 123 4567" becomes "…567" (I8).

    In digits of whatever script, in one piece or in groups (spaces, hyphens, dots, slashes, brackets, signs nobody
    sees between them). What is written as a date or an amount stays, and so do the ids of attempts. A long id of the
    service's is hidden too: nothing tells it from a number; ids that must stay readable are fields of their own.
    """
    seen = text if text.isascii() else "".join(map(_as_ascii, text))
    if not re.search(r"[0-9]", seen):
        return text
    ids = [found.span() for found in _OWN_ID.finditer(seen)]
    kept, end = [], 0
    for found in _WRITTEN_NUMBER.finditer(seen):
        start, stop = found.span()
        digits = [at for at in range(start, stop) if seen[at].isdigit()]
        if len(digits) < _SHORTEST_NUMBER or _DATE.fullmatch(found[0]):
            continue
        if any(first <= start and stop <= last for first, last in ids):
            continue
        if (amount := _AMOUNT.match(seen, start)) is not None and amount.end() >= stop:
            continue
        kept += [text[end:start], "…", *(text[at] for at in digits[-3:])]
        end = stop
    return "".join(kept) + text[end:]


def _as_ascii(sign: str) -> str:
    """One character for one: digits as 0-9, whatever joins groups as a hyphen or a space, what nobody sees as NUL."""
    if sign.isascii():
        return sign
    digit = unicodedata.digit(sign, -1)
    if digit >= 0:
        return str(digit)
    category = unicodedata.category(sign)
    if category in ("Cf", "Mn", "Me"):
        return "\0"
    joined = {"Pd": "-", "Zs": " "}.get(category) or unicodedata.normalize("NFKC", sign)
    # A letter stands for a letter, so that an id beside it is known as one.
    return joined if joined in tuple("+-./() ") else ("a" if sign.isalpha() else "?")


def one_line(text: str) -> str:
    """What was typed or pasted, as it is seen: clean, whole, its words one space apart."""
    # Joined once more when it is clean: spaces around what nobody sees were a text of spaces.
    return " ".join(clean_text(" ".join(text.split()), len(text)).split())


def typed_text(text: str, most: int = LIMIT) -> str:
    """A reason or a receiver as it is kept: on one line, and without the number of anybody's phone or wallet (I8)."""
    # Hidden before it is cut: half a number is short enough to be taken for none.
    return hide_numbers(one_line(text))[:most]


def kept_text(text: str) -> str:
    """A name of the service as it came if it is clean, else its escaped form in quotes.

    Cleaning could turn an unknown name into a known one ("Payment\\x00 Success"); an escaped form is
    unknown for ever (rule 11).
    """
    return text if clean_text(text) == text else ascii(text)[:LIMIT]
