"""Makes foreign text fit for a screen: no control, bidi or invisible characters, no endless text. Reads no markup."""

from __future__ import annotations

import re
import unicodedata

from pos_app.domain.text import JOINERS, joins

# Python calls these printable, and nobody sees them.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\ufffc")
# It calls these unprintable, and texts are set with them.
_SPACES = frozenset(
    "\n\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)

DETAILS_LIMIT = 200
"""The longest foreign text on a screen (docs/payment-rules.md, rule 14)."""
LONGEST = 1_000
"""Longer than anything the till itself says in one place; laying out 280 kB would take half a minute."""
MOST_LINES = 20
_LONGEST_WORD = 24
_LONG_WORD = re.compile(rf"\S{{{_LONGEST_WORD + 1},}}")


def clean(text: str, limit: int = LONGEST) -> str:
    """At most `limit` characters and MOST_LINES lines of the text, without what could disguise it."""
    if text.isprintable() and _BLANK.isdisjoint(text):
        fit = text
    else:
        begun = text[: 8 * limit]
        fit = "".join(
            sign
            for at, sign in enumerate(begun)
            if ((sign.isprintable() or sign in _SPACES) and sign not in _BLANK) or joins(begun, at)
        )
        if fit.count("\n") >= MOST_LINES:
            lines = fit.split("\n")
            fit = "\n".join([*lines[: MOST_LINES - 1], " ".join(lines[MOST_LINES - 1 :])])
    return fit if len(fit) <= limit else fit[: limit - 1] + "…"


def breakable(text: str) -> str:
    """With places to break a line in words that no line would hold: no wrapped text is wider than its panel."""
    return _LONG_WORD.sub(_broken, text)


def _broken(word: re.Match[str]) -> str:
    """The other words of the text are left whole, and so is each letter with the signs that belong to it."""
    signs = word[0]
    pieces, start = [], 0
    while len(signs) - start > _LONGEST_WORD:
        end = start + _LONGEST_WORD
        while end > start + 1 and _belong_together(signs[end - 1], signs[end]):
            end -= 1
        if end == start + 1:
            # Nothing but signs upon signs: no word of any language.
            end = start + _LONGEST_WORD
        pieces.append(signs[start:end])
        start = end
    return "\u200b".join([*pieces, signs[start:]])


def _belong_together(one: str, other: str) -> bool:
    """Whether they make one letter: a vowel's sign with its consonant, consonants that a joiner binds."""
    if one.isascii() and other.isascii():
        return False
    return unicodedata.category(other)[0] == "M" or other in JOINERS or one in JOINERS
