"""All tables of words, and how Babel finds what must be translated of them. Writes nothing."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract

from pos_app.i18n import words
from pos_app.i18n.languages import ENGLISH, NAMES
from pos_app.i18n.table import Plural, Table, texts

LANGUAGES = tuple(language for language in NAMES if language != ENGLISH)
"""Those that have a translators' file, or get one by `make languages`."""

_FOLDER = Path(words.__path__[0])
_KEYWORDS = {"pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3)}


def tables() -> dict[str, Table]:
    """Every table by the name of its module."""
    found = {}
    for module in pkgutil.iter_modules(words.__path__):
        table = _table(module.name)
        if table is not None:
            found[module.name] = table
    return found


def template() -> Catalog:
    """What is to be said, in the order of the tables."""
    catalog = Catalog()
    for module in tables():
        with (_FOLDER / f"{module}.py").open("rb") as file:
            for _line, message, comments, context in extract(extracted, file, keywords=_KEYWORDS):
                catalog.add(message, context=context, auto_comments=comments)
    return catalog


def extracted(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """A method of Babel's: the words of the module that the file holds. It is imported, not read: what an attribute
    is put together of is then one text.
    """
    del keywords, comment_tags, options
    for name, text in texts(_table(Path(file.name).stem)):
        if isinstance(text, Plural):
            yield 0, "npgettext", (name, text.one, text.other), []
        elif text:
            yield 0, "pgettext", (name, text), []


def _table(module: str) -> Table | None:
    table = getattr(importlib.import_module(f"{words.__name__}.{module}"), "words", None)
    return table if isinstance(table, Table) else None
