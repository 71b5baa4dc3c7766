"""All tables of words and what must be translated of them. Writes nothing."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from pos_app.i18n import words
from pos_app.i18n.plural import Form, forms
from pos_app.i18n.table import Table, texts
from tests.unit.i18n.po import Entry

LANGUAGES = ("si", "ta", "ar")
_COUNTS = {
    Form.ZERO: "for 0",
    Form.ONE: "for 1",
    Form.TWO: "for 2",
    Form.FEW: "for 3 to 10, 103 to 110 …",
    Form.MANY: "for 11 to 99, 111 to 199 …",
    Form.OTHER: "for every other count",
}


def tables() -> dict[str, Table]:
    """Every table by the name of its module."""
    found = {}
    for module in pkgutil.iter_modules(words.__path__):
        table = getattr(importlib.import_module(f"{words.__name__}.{module.name}"), "words", None)
        if isinstance(table, Table):
            found[module.name] = table
    return found


def entries(language: str) -> Iterator[Entry]:
    """What is to be said, in the order of the tables, in as many forms as the language counts in."""
    for module, table in tables().items():
        plural = dict(texts(table, forms=forms(language)))
        plain = set(dict(texts(table, forms=())))
        for place, english in plural.items():
            if english:
                note = "" if place in plain else _counted(place, language)
                yield Entry(context=f"{module}:{place}", english=english, note=note)


def _counted(place: str, language: str) -> str:
    form = Form(place.rpartition(".")[2])
    return (
        f"A counted thing, {_COUNTS[form]}."
        if forms(language) == tuple(Form)
        else f"A counted thing: {form}."
    )
