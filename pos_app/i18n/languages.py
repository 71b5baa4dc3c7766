"""The languages the till has, and the one place where all tables are told to speak one. Knows no window."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TypeVar

from pos_app.i18n.table import ENGLISH as SAID_IN_ENGLISH
from pos_app.i18n.table import Table, lay_all, spoken
from pos_app.system.resources import resources

SomeTable = TypeVar("SomeTable", bound=Table)

ENGLISH = "en"
NAMES = {"en": "English", "si": "සිංහල", "ta": "தமிழ்", "ar": "العربية"}
"""Each by its own name, in whatever language the till speaks: whoever looks for theirs reads no other."""

RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ur"})


def folder() -> Path:
    """Where the languages lie: a .po for translators, and the .mo for the till that is built of it."""
    return resources("languages")


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages the till can speak; English, which needs no file, first."""
    return (ENGLISH, *sorted(path.stem for path in folder().glob("*.mo") if path.stem in NAMES))


def speak(language: str) -> bool:
    """Everything is said in this language from now on, in English where the till has no such one.

    True where that is another language than before: windows then show their words anew.
    """
    chosen = language if language in languages() else ENGLISH
    if chosen == spoken():
        return False
    lay_all(chosen, _said(chosen))
    return True


def words_in(kind: type[SomeTable], language: str) -> SomeTable:
    """A table of its own in this language, whatever the till speaks: for the customer's screen."""
    return kind.apart(_said(language if language in languages() else ENGLISH))


def is_right_to_left(language: str) -> bool:
    """Whether its lines begin at the right."""
    return language in RIGHT_TO_LEFT


@cache
def _said(language: str) -> NullTranslations:
    if language == ENGLISH:
        return SAID_IN_ENGLISH
    with (folder() / f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)
