"""A language for tests: English with accents, brackets and 40 % more length. What is not said by a table has none."""

from __future__ import annotations

import string
from collections.abc import Iterator
from contextlib import contextmanager

from pos_app.i18n.plural import Form
from pos_app.i18n.table import lay_all, texts
from tests.unit.i18n.tables import tables

BEGIN, END = "⟦", "⟧"
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


@contextmanager
def spoken() -> Iterator[None]:
    """The tables speak it, as if it were English, so that no window changes it back."""
    said = {
        module: {
            place: pseudo(english) for place, english in texts(table, forms=(Form.ONE, Form.OTHER)) if english
        }
        for module, table in tables().items()
    }
    lay_all("en", said)
    try:
        yield
    finally:
        lay_all("en", {})
