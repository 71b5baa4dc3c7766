"""Lists of payments for a person: a heading, one payment a line, each amount with its currency."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from pos_app.bootstrap.plain_lines import plain_line

_BETWEEN = "  "
_NO_WIDTH = ("Mn", "Me", "Cf")


class Column(NamedTuple):
    """`width`: in a terminal's cells; what is longer pushes the rest of its line. `at_end`: for figures."""

    heading: str
    width: int
    at_end: bool = False


def line(columns: Sequence[Column], cells: Sequence[str]) -> str:
    """One row, or the headings."""
    parts = (_filled(plain_line(text), column) for text, column in zip(cells, columns, strict=True))
    return _BETWEEN.join(parts).rstrip()


def heading(columns: Sequence[Column]) -> str:
    """The first line."""
    return line(columns, [column.heading for column in columns])


def cells_of(text: str) -> int:
    """How many cells of a terminal a text takes: a vowel sign stands above its letter, some letters take two."""
    wide = sum(unicodedata.east_asian_width(sign) in ("W", "F") for sign in text)
    return len(text) + wide - sum(unicodedata.category(sign) in _NO_WIDTH for sign in text)


def widest(texts: Sequence[str]) -> int:
    """As wide as the widest of them."""
    return max(map(cells_of, texts), default=0)


def _filled(text: str, column: Column) -> str:
    space = " " * max(0, max(column.width, cells_of(column.heading)) - cells_of(text))
    return space + text if column.at_end else text + space
