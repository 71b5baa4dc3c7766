"""Text for a terminal: what would move its cursor, colour it or turn its direction is written as what it is."""

from __future__ import annotations

from pos_app.domain.text import joins
from pos_app.system.standard_error import tell

_SPACES = "\xa0\u2009\u202f"
"""Python calls them unprintable; figures are set with them."""


def plain_line(text: str) -> str:
    """On one line: a foreign line break would begin a line that looks like ours."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in _SPACES or joins(text, at) else ascii(sign)[1:-1]
        for at, sign in enumerate(text)
    )


def plain_lines(text: str) -> str:
    """The same of a text whose line breaks are our own."""
    return "\n".join(plain_line(line) for line in text.split("\n"))


def note(text: str) -> None:
    """Something for a person beside the output: standard error, which no program reads for data."""
    tell(f"pos-app: {plain_line(text)}\n")
