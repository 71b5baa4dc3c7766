"""A language for tests: English with accents, brackets and 40 % more length. What is not said by a table has none."""

from __future__ import annotations

import string
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations

from pos_app.i18n.table import ENGLISH, lay_all

BEGIN, END = "‹", "›"  # noqa: RUF001 - quotes are what is meant
"""No word has them, and the till's own font does: those of another would be as wide as that one happens to be."""
_ACCENTS = str.maketrans("AEIOUNCaeioucny", "ÄËÏÖÜÑÇäëïöüçñÿ")
_FILL = "lörëm ïpsüm dölör sït ämët çönsëctëtür sëd dïäm nönümÿ ëïrmöd tëmpör ïnvïdünt "
_MORE = 0.4


def pseudo(text: str) -> str:
    """Its {places} stay; it breaks where words end, as a longer language would."""
    said = "".join(
        part.translate(_ACCENTS) + (f"{{{place}}}" if place is not None else "")
        for part, place, _spec, _conversion in string.Formatter().parse(text)
    )
    more = round(len(text) * _MORE) - 2
    fill = (_FILL * (1 + max(0, more) // len(_FILL)))[: max(0, more)].strip()
    return f"{BEGIN}{said}{' ' if ' ' in text and fill else ''}{fill}{END}"


class _Pseudo(NullTranslations):
    def pgettext(self, _context: str, message: str) -> str:
        return pseudo(message) if message else ""

    def npgettext(self, context: str, one: str, other: str, count: int) -> str:
        return pseudo(super().npgettext(context, one, other, count))


@contextmanager
def spoken() -> Iterator[None]:
    """The tables speak it, as if it were English, so that no window changes it back."""
    lay_all("en", _Pseudo())
    try:
        yield
    finally:
        lay_all("en", ENGLISH)
