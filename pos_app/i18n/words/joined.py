"""How a language sets things in a row. Says nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from pos_app.i18n.table import Table


class Joined(Table):
    """The signs between; English until told otherwise. Amounts are among the things: a Latin comma beside the one
    inside 1,250.00 is misread where commas have another shape.
    """

    COMMA = "{before}, {next}"
    SEMICOLON = "{before}; {next}"

    def commas(self, things: Iterable[str]) -> str:
        """a, b, c; "" of nothing."""
        return _joined(self.COMMA, things)

    def semicolons(self, things: Iterable[str]) -> str:
        """a; b; c, where the things have commas themselves."""
        return _joined(self.SEMICOLON, things)


def _joined(sign: str, things: Iterable[str]) -> str:
    found = tuple(things)
    return reduce(lambda before, each: sign.format(before=before, next=each), found) if found else ""


words = Joined()
